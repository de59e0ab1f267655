"""Computations on a GPU, recorded once for each shape of their tensors and then replayed: one launch for thousands."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import torch
from torch import Tensor

from seq2seq.device import with_bounds

REPLAYING_ON: set[str] = set()  # the kinds of device for which `make gpu` has shown that it pays
MOST = 256  # recordings: what comes in still other shapes is computed as ever
Compute = Callable[..., tuple[Tensor, ...]]


class Recordings:
    """A function of tensors → tensors, the same to its caller, faster from the third call on with tensors of one shape.

    The first call of a shape is an ordinary one, in which PyTorch's libraries make themselves ready for it; the second
    records a CUDA graph of all that the function asks of the GPU.
    A graph has neither Python nor waits in it: what depends on numbers, or on anything but the tensors that the
    function is given and those that it changes in place, stays as it was recorded.
    What CUDA cannot record is computed as ever, after a warning.
    """

    def __init__(self, compute: Compute, device: torch.device) -> None:
        self.compute = compute
        self.device = device
        self.stream = _stream(device) if device.type in REPLAYING_ON else None
        self.recorded: dict[tuple, Recording | None] = {}
        self.pool: Any = None  # the graphs' memory: they share it, as no two run at once

    @property
    def replays(self) -> bool:
        return self.stream is not None

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        if self.stream is None:
            return self.compute(*inputs)
        with _beside(torch.cuda.current_stream(self.device), self.stream):
            return self._on_stream(inputs)

    def _on_stream(self, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        shapes = tuple((part.shape, part.dtype) for part in inputs)
        if shapes not in self.recorded:
            if len(self.recorded) < MOST:
                self.recorded[shapes] = None
            return self.compute(*inputs)
        recording = self.recorded[shapes]
        if recording is None:
            if self.pool is None:
                torch.cuda.empty_cache()  # of the graphs of other recordings, which are gone
                self.pool = torch.cuda.graph_pool_handle()
            try:
                recording = self.recorded[shapes] = Recording(self.compute, inputs, self.pool)
            except RuntimeError as error:
                self._stop(error)
        return self.compute(*inputs) if recording is None else recording(inputs)

    def _stop(self, error: RuntimeError) -> None:
        """Nothing is replayed any more."""
        self.stream = None
        self.recorded.clear()
        with suppress(RuntimeError):  # after a broken recording random numbers are refused until a sound one has ended
            _record(lambda: (torch.zeros(1, device=self.device),), torch.cuda.graph_pool_handle())
        reason = str(error.__context__ or error).partition("\n")[0]
        warnings.warn(
            f"recordings: got a computation that cannot be recorded ({reason}), expected one without waits; "
            "it goes on without replays, slower, with the same results.",
            RuntimeWarning,
            stacklevel=2,
        )


@cache
def _stream(device: torch.device) -> torch.cuda.Stream:
    """One for all recordings on a device: libraries keep memory for each stream that they have seen."""
    return torch.cuda.Stream(device)


@contextmanager
def _beside(around: torch.cuda.Stream, stream: torch.cuda.Stream) -> Iterator[None]:
    """On a stream that nothing else uses: autograd remembers on which a parameter's gradient was first computed, and
    what is recorded may not touch another."""
    stream.wait_stream(around)
    try:
        with torch.cuda.stream(stream):
            yield
    finally:
        around.wait_stream(stream)


class Recording:
    """One shape's graph, with memory of its own for what it is given and what it gives."""

    def __init__(self, compute: Compute, inputs: tuple[Tensor, ...], pool: Any) -> None:
        self.inputs = [with_bounds(part.clone(), part) for part in inputs]
        self.graph, self.outputs = _record(lambda: compute(*self.inputs), pool)

    def __call__(self, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        for memory, given in zip(self.inputs, inputs, strict=True):
            memory.copy_(given, non_blocking=True)
        self.graph.replay()
        return tuple(part.clone() for part in self.outputs)


def _record(compute: Compute, pool: Any) -> tuple[torch.cuda.CUDAGraph, tuple[Tensor, ...]]:
    """What the current stream is asked for, and where its results will be.

    ``torch.cuda.graph`` would also wait and give back all memory that is kept, for every shape anew.
    """
    graph = torch.cuda.CUDAGraph()
    # "thread_local": another thread, such as one that pins batches, may use the GPU meanwhile.
    graph.capture_begin(pool=pool, capture_error_mode="thread_local")
    try:
        outputs = compute()
    finally:
        graph.capture_end()
    return graph, outputs
