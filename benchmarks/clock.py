"""Times alternative computations in alternation."""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from seq2seq.recordings import REPLAYING_ON


@contextmanager
def replaying(device: torch.device, wanted: bool = True) -> Iterator[None]:
    """Within the block a device replays what it has recorded, or does not."""
    before = set(REPLAYING_ON)
    (REPLAYING_ON.add if wanted else REPLAYING_ON.discard)(device.type)
    try:
        yield
    finally:
        REPLAYING_ON.clear()
        REPLAYING_ON.update(before)


class Clock:
    """On a CPU, this process's CPU time, which other processes do not affect; on a GPU, wall time after
    synchronisation."""

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def now(self) -> float:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        return time.process_time() if self.device.type == "cpu" else time.perf_counter()

    def seconds(self, compute: Callable[[], object]) -> float:
        started = self.now()
        compute()
        return self.now() - started

    def in_turns(self, *computations: Callable[[], object], runs: int, warmups: int = 2) -> list[float]:
        """The median seconds of each, measured in alternation so that a slow spell of the machine affects all."""
        for compute in computations * warmups:
            compute()
        times = [[self.seconds(compute) for compute in computations] for _ in range(runs)]
        return [statistics.median(column) for column in zip(*times, strict=True)]
