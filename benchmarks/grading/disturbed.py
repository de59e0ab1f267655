"""A grading run that is killed again and again, with all its processes, and goes on each time."""

import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from tests.faults.processes import kill_tree

WAIT = 0.5  # seconds, at most, from a submission's being entered to the kill: it hits what comes next


def disturbed(start: Callable[[], subprocess.Popen], output: Path, size: int, kills: int, seed: int = 0) -> int:
    """Runs to the end what ``start`` starts, killed on the way; how many kills hit it. An error ends with RuntimeError.

    The moments are drawn over the whole of the class, by how many submissions have their graded notebook.
    """
    chance = random.Random(seed)
    hits = 0
    for moment in sorted(chance.choices(range(size), k=kills)):
        process = start()
        while process.poll() is None and _graded(output) < moment:
            time.sleep(0.02)
        time.sleep(WAIT * chance.random())
        if process.poll() is None:
            kill_tree(psutil.Process(process.pid))
            hits += 1
        elif process.returncode != 0:
            break
        process.wait()
    process = start()
    if process.wait():
        raise RuntimeError(f"after {hits} kills the run ended with status {process.returncode}")
    return hits


def _graded(output: Path) -> int:
    folder = output / "autograded"
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0
