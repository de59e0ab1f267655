"""The work of a training step: forward and backward, how many operations these are, and which take the time."""

import torch
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile

from benchmarks.clock import Clock
from seq2seq.batch import Batch
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss


def backward(model: nn.Module, loss: Tensor) -> None:
    model.zero_grad(set_to_none=True)
    loss.backward()


def matmul_flops(model: Seq2Seq, batch: Batch) -> float:
    """Operations of all matrix products of forward and backward, computed from the shapes, including padding.

    Each product costs two operations per matrix entry and input row, and the backward pass takes two products of the
    same size.
    """
    (size, source_len), target_len = batch.source.shape, batch.target_in.size(1)
    forward = 0
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2 and "embedding" not in name:
            if "energy" in name:
                rows = size * source_len * target_len
            elif "bridge" in name:
                rows = size
            else:
                rows = size * (source_len if name.startswith("encoder") or "key_layer" in name else target_len)
            forward += 2 * parameter.numel() * rows
    if hasattr(model.decoder, "attention"):
        products = 1 if hasattr(model.decoder.attention.scorer, "energy_layer") else 2  # context, scores
        forward += products * 2 * size * source_len * target_len * model.encoder.state_size
    return 3.0 * forward


def profiled(model: Seq2Seq, batch: Batch) -> dict[str, float]:
    """The six operations that take most of the time in forward and backward, with their shares."""
    activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if batch.source.is_cuda else [])
    with profile(activities=activities) as profiler:
        for _ in range(3):
            backward(model, forced_loss(model, batch, 0.0))
    times = {
        event.key: event.self_device_time_total if batch.source.is_cuda else event.self_cpu_time_total
        for event in profiler.key_averages()
    }
    total = sum(times.values())
    return {name: round(times[name] / total, 4) for name in sorted(times, key=times.__getitem__, reverse=True)[:6]}


def gemm_rate(clock: Clock, rows: int, inner: int, columns: int) -> float:
    """Floating-point operations a second of one matrix product (rows, inner) @ (inner, columns)."""
    left = torch.randn(rows, inner, device=clock.device)
    right = torch.randn(inner, columns, device=clock.device)
    out = torch.empty(rows, columns, device=clock.device)
    repeats = max(1, round(2e8 / (2 * rows * inner * columns)))

    def multiply() -> None:
        for _ in range(repeats):
            torch.mm(left, right, out=out)

    (seconds,) = clock.in_turns(multiply, runs=15)
    return repeats * 2 * rows * inner * columns / seconds
