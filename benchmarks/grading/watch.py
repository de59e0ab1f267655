"""The time and the memory of a command, with all the processes that it starts."""

import subprocess
import time
from dataclasses import dataclass, field

import psutil

PAUSE = 0.2  # seconds between two looks


@dataclass
class Watch:
    """``watch(process)`` looks on until the process ends: wall seconds, and memory in MB at each look."""

    seconds: float = 0.0
    megabytes: list[float] = field(default_factory=list)

    def __call__(self, process: subprocess.Popen) -> None:
        started = time.perf_counter()
        root = psutil.Process(process.pid)
        while True:
            try:
                process.wait(PAUSE)
                break
            except subprocess.TimeoutExpired:
                self.megabytes.append(sum(map(memory, [root, *root.children(recursive=True)])))
        self.seconds = time.perf_counter() - started

    @property
    def peak(self) -> float:
        return max(self.megabytes, default=0.0)


def memory(process: psutil.Process) -> float:
    """MB of one process; pages that it shares with others count in proportion."""
    try:
        return process.memory_full_info().pss / 1e6
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return 0.0
