"""What a computation costs: its CPU time, and the memory that autograd keeps of it."""

import time
from collections.abc import Callable, Iterable

import torch
from torch import Tensor


def cpu_seconds(compute: Callable[[], object], runs: int) -> list[float]:
    """The CPU time of each of so many runs, after one that is not timed."""
    compute()
    times = []
    for _ in range(runs):
        started = time.process_time()
        compute()
        times.append(time.process_time() - started)
    return times


def milliseconds(compute: Callable[[], Tensor], runs: int) -> float:
    """The minimum CPU time of forward and backward."""
    return round(1000 * min(cpu_seconds(lambda: compute().sum().backward(), runs)), 4)


def kept_bytes(compute: Callable[[], Tensor], given: Iterable[Tensor]) -> int:
    """Bytes that autograd keeps for the backward pass of `compute`, beyond the given tensors."""
    known = {tensor.untyped_storage().data_ptr() for tensor in given}
    sizes: dict[int, int] = {}
    keeping: list[Tensor] = []  # so that no address is reused

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in known:
            sizes[storage.data_ptr()] = storage.nbytes()
            keeping.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        compute()
    return sum(sizes.values())
