"""Time and memory of a command, process by process: what each kind takes, and whether it grows on the way."""

import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean

import psutil

from benchmarks.grading.watch import memory

PAUSE = 1.0  # seconds between two looks, each of which walks through all pages
KINDS = {  # a word of the command line → what the process is
    "autograder.judging.court": "judge",
    "autograder.sandbox.worker": "sandbox",
    "autograder.reader": "reader",
    "dask": "dask",
}


@dataclass
class Processes:
    """``processes(command)`` looks on until it ends; ``others`` are processes that work for it, as dask's workers."""

    others: Sequence[psutil.Process] = ()
    seconds: float = 0.0
    looks: list[dict[str, list[float]]] = field(default_factory=list)  # kind → megabytes of each process

    def __call__(self, command: subprocess.Popen) -> None:
        started, top = time.perf_counter(), psutil.Process(command.pid)
        while True:
            try:
                command.wait(PAUSE)
                break
            except subprocess.TimeoutExpired:
                self.looks.append(self._look(top))
        self.seconds = time.perf_counter() - started

    def _look(self, top: psutil.Process) -> dict[str, list[float]]:
        found: dict[str, list[float]] = defaultdict(list)
        for root in (top, *self.others):
            try:
                for process in (root, *root.children(recursive=True)):
                    found["grader" if process.pid == top.pid else _kind(process)].append(memory(process))
            except psutil.NoSuchProcess:
                continue
        return dict(found)

    def report(self) -> dict[str, dict[str, float]]:
        """Kind → the largest process of it, and the mean of all together in the first and the second half, in MB."""
        kinds = sorted({kind for look in self.looks for kind in look})
        return {kind: self._of(kind) for kind in kinds} | {"all": self._of("")}

    def _of(self, kind: str) -> dict[str, float]:
        sizes = [[size for name, found in look.items() if kind in ("", name) for size in found] for look in self.looks]
        sums = [sum(look) for look in sizes] or [0.0]
        half = (len(sums) + 1) // 2
        halves = {"first_half": mean(sums[:half]), "second_half": mean(sums[half:] or sums)}
        largest = max((max(look, default=0.0) for look in sizes), default=0.0) if kind else max(sums)
        return {"peak": largest} | halves


def _kind(process: psutil.Process) -> str:
    try:
        line = " ".join(process.cmdline())
    except psutil.Error:
        return "other"
    return next((kind for word, kind in KINDS.items() if word in line), "other")
