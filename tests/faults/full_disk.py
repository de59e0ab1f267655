"""Grades onto a disk that is too small, and goes on when it is not: what was said and kept, as JSON.

unshare --map-root-user --mount python -m tests.faults.full_disk COURSE FOLDER GRADED PLACE KIBIBYTES...
"""

import io
import json
import subprocess
import sys
import threading
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import autograder.judging.judge
from autograder.__main__ import main
from autograder.grading.pool import JudgeThread
from tests.faults.small_class import Counting, differences, outcome, stored


def command(course: Path, folder: Path, output: Path) -> tuple[int, str, int]:
    """``grade`` with a judge that needs no sandbox → status, the last line on stderr, and how many were judged."""
    for thread in threading.enumerate():  # what a run that was refused is still judging does not count for the next
        if isinstance(thread, JudgeThread):
            thread.join()
    Counting.judged = 0
    printed = io.StringIO()
    with redirect_stderr(printed), redirect_stdout(io.StringIO()):
        status = main(["grade", str(folder), "--root", str(course), "--output", str(output), "--seed", "7"])
    assert "Traceback" not in printed.getvalue(), printed.getvalue()
    lines = printed.getvalue().replace("\r", "\n").splitlines()
    return status, (lines or [""])[-1], Counting.judged


def mount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], check=True)


def on_a_disk_of(size: int, course: Path, folder: Path, graded: Path, disk: Path) -> dict[str, object]:
    disk.mkdir()
    mount(disk, f"size={size}k")
    status, printed, _ = command(course, folder, disk / "grades")
    mount(disk, "remount,size=50m")
    verdicts = len(stored(disk / "grades"))  # for which SQLite needs room, too
    then = command(course, folder, disk / "grades")
    faults = differences(disk / "grades", outcome(graded))
    return {"size": size, "status": status, "said": printed, "stored": verdicts, "then": then, "faults": faults}


if __name__ == "__main__":
    autograder.judging.judge.Judge = Counting
    course, folder, graded, disk = map(Path, sys.argv[1:5])
    print(json.dumps([on_a_disk_of(int(size), course, folder, graded, disk / size) for size in sys.argv[5:]]))
