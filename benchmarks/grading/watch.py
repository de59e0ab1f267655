"""Time and memory of a command, including all processes that it starts."""

import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

PAUSE = 1.0  # seconds between samples: each reads all page tables and so slows what it measures


@dataclass
class Watch:
    """``watch(process)`` measures until the process ends: wall seconds, and memory in MB at each sample."""

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
    """PSS of one process in MB."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6
