"""Time and memory of a command and of all processes that it starts: how much each kind takes, and whether it grows."""

import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

import psutil

PAUSE = 1.0  # seconds between samples: each reads all page tables and so slows what it measures
KINDS = {  # word in the command line → kind of process
    "autograder.judging.judge_server": "judge",
    "autograder.sandbox.answers": "sandbox",
    "autograder.sandbox.reading": "reader",
    "dask": "dask",
}


@dataclass
class Processes:
    """``processes(command)`` samples until it ends; ``others`` are processes that work for it, such as dask workers."""

    others: Sequence[psutil.Process] = ()
    seconds: float = 0.0
    samples: list[dict[str, list[float]]] = field(default_factory=list)  # kind → megabytes of each process

    def __call__(self, command: subprocess.Popen) -> None:
        started, top = time.perf_counter(), psutil.Process(command.pid)
        while True:
            try:
                command.wait(PAUSE)
                break
            except subprocess.TimeoutExpired:
                self.samples.append(self._sample(top))
        self.seconds = time.perf_counter() - started

    def _sample(self, top: psutil.Process) -> dict[str, list[float]]:
        memories: dict[str, list[float]] = defaultdict(list)
        for root in (top, *self.others):
            try:
                for process in (root, *root.children(recursive=True)):
                    memories["grader" if process.pid == top.pid else _kind(process)].append(memory(process))
            except psutil.NoSuchProcess:
                continue
        return dict(memories)

    @property
    def megabytes(self) -> list[float]:
        """The sum over all processes at each sample."""
        return [sum(map(sum, sample.values())) for sample in self.samples]

    def report(self) -> dict[str, dict[str, float]]:
        """Kind → its largest process, and the mean sum over all of them in each half of the run, in MB."""
        kinds = sorted({kind for sample in self.samples for kind in sample})
        return {kind: self._of(kind) for kind in kinds} | {"all": self._of("")}

    def _of(self, kind: str) -> dict[str, float]:
        sizes = [
            [size for name, memories in sample.items() if kind in ("", name) for size in memories]
            for sample in self.samples
        ]
        sums = [sum(sample) for sample in sizes] or [0.0]
        half = (len(sums) + 1) // 2
        halves = {"first_half": mean(sums[:half]), "second_half": mean(sums[half:] or sums)}
        largest = max((max(sample, default=0.0) for sample in sizes), default=0.0) if kind else max(sums)
        return {"peak": largest} | halves


def memory(process: psutil.Process) -> float:
    """PSS of one process in MB."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


def _kind(process: psutil.Process) -> str:
    try:
        line = " ".join(process.cmdline())
    except psutil.Error:
        return "other"
    return next((kind for word, kind in KINDS.items() if word in line), "other")
