"""Cuts the power before each step of a small grading run, in each way, and grades on from what that leaves.

    python -m tests.faults.power

ends with status 0 if every one of these runs ended as an undisturbed one does.
"""

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest

import autograder
from autograder.grading.grading_run import Run
from autograder.judging.store import Store
from tests.faults.disk import MODES, Disk, each_commit, each_step
from tests.faults.small_class import hand_in, make_course, outcome, solved, unfinished
from tests.small_course import FakeJudge

SEED = 7


class Counting(FakeJudge):
    """Counts what it judges."""

    judged = 0

    def run(self, job):
        Counting.judged += 1
        return super().run(job)


def grade(course: Path, folder: Path, output: Path) -> int:
    """Grades the class; returns how many submissions were judged anew."""
    Counting.judged = 0
    Run(course, output, seed=SEED, maker=Counting).grade(folder)
    return Counting.judged


def cut(course: Path, folder: Path, place: Path, number: int) -> int | None:
    """Lets the power go before step ``number``; none if the run ends before, else how many verdicts were stored.

    What it leaves is in ``place``/kept, lost and torn.
    """
    (place / "puts").parent.mkdir(parents=True)
    child = os.fork()
    if not child:
        try:
            _run_until(course, folder, place, number)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    ended = os.waitstatus_to_exitcode(status)
    assert ended in (0, -signal.SIGKILL), f"the run before cut {number} ended with {ended}"
    return None if ended == 0 else int((place / "puts").read_text())


def _run_until(course: Path, folder: Path, place: Path, number: int) -> None:
    patch = pytest.MonkeyPatch()
    output = place / "out"
    disk = Disk(output, patch)
    steps = puts = 0
    put = Store.put

    def counted(self, *arguments):
        nonlocal puts
        put(self, *arguments)
        puts += 1

    def step(name: str) -> None:
        nonlocal steps
        steps += 1
        if steps == number:
            for mode in MODES:
                disk.leave(place / mode, mode)
            (place / "puts").write_text(str(puts))
            os.kill(os.getpid(), signal.SIGKILL)

    patch.setattr(Store, "put", counted)
    each_step(patch, step, ("fsync", "replace", "mkdir", "sync"))
    each_commit(step)
    grade(course, folder, output)
    os._exit(0)


def complain(course: Path, folder: Path, left: Path, puts: int, whole: dict) -> list[str]:
    """Grades on from what a cut left: what is not as it should be then."""
    judged = grade(course, folder, left)
    faults = [f"{judged} were judged again although {puts} of 2 verdicts were stored"] if judged > 2 - puts else []
    found = outcome(left)
    faults += [f"{name} differs" for name in {*found, *whole} if found.get(name) != whole.get(name)]
    return faults + [f"{name} was left" for name in unfinished(left)]


def main() -> int:
    faults = number = 0
    with tempfile.TemporaryDirectory() as scratch:
        top = Path(scratch)
        course = make_course(top / "course")
        autograder.__file__ = str(course / "autograder" / "__init__.py")  # an edit meanwhile must not change the keys
        right = solved(course)
        hand_in(top / "submitted", "ada", right)
        folder = hand_in(top / "submitted", "ben", right.replace("return x + x", "return x  # half right"))
        grade(course, folder, top / "whole")
        whole = outcome(top / "whole")
        while (puts := cut(course, folder, top / f"cut{number + 1}", number + 1)) is not None:
            number += 1
            for mode in MODES:
                for fault in complain(course, folder, top / f"cut{number}" / mode, puts, whole):
                    faults += 1
                    print(f"power cut before step {number}, unsynced data {mode}: {fault}", flush=True)
            shutil.rmtree(top / f"cut{number}")
    print(f"{number} moments, {number * len(MODES)} power cuts, {faults} faults")
    return 1 if faults or not number else 0


if __name__ == "__main__":
    sys.exit(main())
