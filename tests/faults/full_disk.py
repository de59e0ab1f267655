"""Grades onto a disk that is too small, and goes on when it is not: what was said and kept, as JSON.

unshare --map-root-user --mount python -m tests.faults.full_disk COURSE FOLDER PLACE KIBIBYTES...
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
from tests.faults.crash import stored
from tests.faults.power import Counting
from tests.faults.small_class import outcome, unfinished


def command(course: Path, folder: Path, output: Path) -> tuple[int, str]:
    """The command ``grade`` with a judge that needs no sandbox → its status, and the last line on stderr."""
    for thread in threading.enumerate():  # what a run that was refused is still judging does not count for the next
        if isinstance(thread, JudgeThread):
            thread.join()
    Counting.judged = 0
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()):
        status = main(["grade", str(folder), "--root", str(course), "--output", str(output), "--seed", "7"])
    assert "Traceback" not in said.getvalue(), said.getvalue()
    lines = said.getvalue().replace("\r", "\n").splitlines()
    return status, (lines or [""])[-1]


def mount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], check=True)


def on_a_disk_of(size: int, course: Path, folder: Path, place: Path) -> dict[str, object]:
    place.mkdir()
    mount(place, f"size={size}k")
    output = place / "grades"
    status, said = command(course, folder, output)
    first = Counting.judged
    mount(place, "remount,size=50m")
    kept = len(stored(output))  # for which SQLite needs room, too
    then, more = command(course, folder, output)
    return {
        "size": size,
        "status": status,
        "said": said,
        "judged": first,
        "stored": kept,
        "then": then,
        "then said": more,
        "judged then": Counting.judged,
        "left": unfinished(output),
        "outcome": outcome(output),
    }


if __name__ == "__main__":
    autograder.judging.judge.Judge = Counting
    autograder.__file__ = str(Path(sys.argv[1], "autograder", "__init__.py"))
    places = [(int(size), Path(sys.argv[3], size)) for size in sys.argv[4:]]
    runs = [on_a_disk_of(size, Path(sys.argv[1]), Path(sys.argv[2]), place) for size, place in places]
    print(json.dumps(runs))
