"""Whoever's process is killed from outside, by a machine short of memory or by hand, loses no points by it."""

import contextlib
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from autograder.judging.judge import ATTEMPTS, Judge, RetryingJudge
from autograder.sandbox.errors import SandboxUnavailable
from autograder.submissions.submission import Submission
from tests.faults.processes import below, kill
from tests.faults.small_class import FULL, REST, RIGHT, solved
from tests.small_course import FakeJudge

SLOW = f"import ctypes, time; ctypes.CDLL(None).prctl(15, b'at work', 0, 0, 0); time.sleep({{}}); {RIGHT}"
VICTIMS = {
    "submission": lambda top, submission: submission,
    "supervisor": lambda top, submission: submission.parent(),
    "sandbox": lambda top, submission: top.children()[0],
}


@pytest.fixture(scope="module")
def judge(assignment, course):
    with RetryingJudge(assignment, course) as judge:
        yield judge


def submission(judge, line):
    return Submission.read(solved(judge.root).replace(RIGHT, line).encode(), judge.assignment)


def judged(judge, victim):
    """The verdict on a submission, at whose work the process that ``victim`` chooses is killed."""
    top, killed = psutil.Process(judge.judge.process.pid), []
    for seconds in (1, 5, 15):  # longer, where the machine is so busy that nobody saw it at work
        with ThreadPoolExecutor(1) as pool:
            verdict = pool.submit(judge.verdict, submission(judge, SLOW.format(seconds)), 1)
            while not killed and not verdict.done():
                with contextlib.suppress(psutil.NoSuchProcess):
                    at_work = [process for process in below(top, "sandbox") if process.name() == "at work"]
                    killed = [victim(top, process) for process in at_work[:1]]
                for process in killed:
                    kill(process)
                time.sleep(0.02)
        if killed:
            break
    assert killed
    return verdict.result()


LONG = pytest.mark.long("crash and soak")


@pytest.mark.sandbox
@pytest.mark.parametrize("victim", ["submission", *(pytest.param(name, marks=LONG) for name in list(VICTIMS)[1:])])
def test_it_is_judged_again(judge, victim):
    verdict = judged(judge, VICTIMS[victim])
    assert (verdict.status, verdict.points, verdict.notes) == ("ok", FULL, [])


@pytest.mark.sandbox
def test_who_ends_the_process_from_within_is_not_excused(judge):
    dies_slowly = "import os, time; x = bytearray(10**8); [os.fork() or time.sleep(99) for _ in range(20)]; os._exit(9)"
    verdict = judge.verdict(submission(judge, dies_slowly), 1)
    assert (verdict.status, verdict.points, "from outside" in str(verdict.notes)) == ("crashed", REST, False)


@LONG
@pytest.mark.sandbox
def test_a_judge_whose_replacement_dies_too_is_replaced_again(judge, monkeypatch):
    """The judge's process is killed, and so are those that are started in its place, but the last."""
    replacements = []
    start = Judge.__enter__

    def killed_at_once(replacement):
        replacements.append(replacement)
        start(replacement)
        if len(replacements) < ATTEMPTS - 1:
            os.kill(replacement.process.pid, signal.SIGKILL)

    os.kill(judge.judge.process.pid, signal.SIGKILL)
    monkeypatch.setattr(Judge, "__enter__", killed_at_once)
    assert judge.verdict(submission(judge, RIGHT), 1).status == "ok"
    assert len(replacements) == ATTEMPTS - 1


def test_a_judge_that_dies_while_it_starts_is_started_again_but_not_for_ever(assignment, course):
    failures = []

    class StartsLate(FakeJudge):
        """Does not start the first times, as if it had been killed for want of memory."""

        def __enter__(self):
            if failures:
                raise failures.pop()
            return super().__enter__()

    dead = SandboxUnavailable("the judge's own process did not start.")
    failures += [dead] * (ATTEMPTS - 1)
    with RetryingJudge(assignment, course, StartsLate) as judge:
        assert judge.judge is not None
    failures += [dead] * ATTEMPTS
    with pytest.raises(SandboxUnavailable, match="did not start"):
        RetryingJudge(assignment, course, StartsLate).__enter__()


@pytest.mark.parametrize(("ends", "how"), [("kill -KILL $$", "SIGKILL"), ("exit 3", "exit status 3")])
def test_a_judge_that_is_killed_while_it_starts_is_told_as_what_it_is(tmp_path, monkeypatch, ends, how):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{ends}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    message = f"the judge's own process was ended while it started .*{how}"
    with pytest.raises(SandboxUnavailable, match=message) as caught:
        Judge((), tmp_path).__enter__()
    assert "bubblewrap" not in str(caught.value)
    assert "memory" in str(caught.value)
