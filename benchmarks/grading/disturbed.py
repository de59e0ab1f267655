"""A grading run that is repeatedly killed with all its processes, and resumed."""

import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from tests.faults.processes import kill_tree

WAIT = 0.5  # maximum seconds between entering a submission and the kill, so that it hits the next step


def disturbed(start: Callable[[], subprocess.Popen], output: Path, size: int, kills: int, seed: int = 0) -> int:
    """Runs ``start`` to the end with kills on the way; returns how many hit it. Raises RuntimeError if the run fails.

    The moments, given as numbers of graded notebooks, are drawn uniformly over the class.
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
