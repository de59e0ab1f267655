"""Computations on a GPU, recorded once for each shape of their tensors and then replayed: one launch for thousands."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from seq2seq.device import keep_bounds

REPLAYING_ON: set[str] = set()  # the kinds of device for which this pays
MOST = 256  # recordings: what comes in still other shapes is computed as ever
Compute = Callable[..., tuple[Tensor, ...]]


class Recordings:
    """A function of tensors → tensors, the same to its caller, faster from the third call on with tensors of one shape.

    The first call of a shape is an ordinary one, in which PyTorch's libraries make themselves ready for it; the second
    records a CUDA graph of all that the function asks of the GPU.
    A graph has neither Python nor waits in it: what depends on numbers, or on anything but the tensors that the
    function is given and those that it changes in place, stays as it was recorded.
    """

    def __init__(self, compute: Compute, device: torch.device) -> None:
        self.compute = compute
        self.replay = device.type in REPLAYING_ON
        self.recorded: dict[tuple, Recording | None] = {}
        self.pool: Any = None  # the graphs' memory: they share it, as no two run at once

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        if not self.replay:
            return self.compute(*inputs)
        shapes = tuple((part.shape, part.dtype) for part in inputs)
        if shapes not in self.recorded:
            if len(self.recorded) < MOST:
                self.recorded[shapes] = None
            return self.compute(*inputs)
        recording = self.recorded[shapes]
        if recording is None:
            recording = self.recorded[shapes] = Recording(self.compute, inputs, self.pool)
            self.pool = recording.graph.pool()
        return recording(inputs)


class Recording:
    """One shape's graph, with memory of its own for what it is given and what it gives."""

    def __init__(self, compute: Compute, inputs: tuple[Tensor, ...], pool: Any) -> None:
        self.inputs = [keep_bounds(part.clone(), part) for part in inputs]
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, pool=pool):
            self.outputs = compute(*self.inputs)

    def __call__(self, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        for kept, given in zip(self.inputs, inputs, strict=True):
            kept.copy_(given, non_blocking=True)
        self.graph.replay()
        return tuple(part.clone() for part in self.outputs)
