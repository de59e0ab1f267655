"""Whoever's process is killed from outside, by a machine short of memory or by hand, loses no points by it."""

import os
import signal
import sys
import threading
import time

import psutil
import pytest

from autograder.judging.judge import ATTEMPTS, Judge, RetryingJudge
from autograder.sandbox.errors import SandboxUnavailable
from autograder.submissions.submission import Submission
from tests.faults.processes import below, kill
from tests.faults.small_class import FULL, REST, RIGHT, solved
from tests.small_course import FakeJudge

SLOW = f"import time; time.sleep(2); {RIGHT}"


@pytest.fixture(scope="module")
def judge(assignment, course):
    with RetryingJudge(assignment, course) as judge:
        yield judge


def submission(judge, line):
    return Submission.read(solved(judge.root).replace(RIGHT, line).encode(), judge.assignment)


def judged(judge, victim):
    """The verdict on a slow submission of whose processes ``victim`` chooses one to be killed."""
    top = psutil.Process(judge.judge.process.pid)
    before = {process.pid for process in below(top, "sandbox")}
    killed = []

    def strike():
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            young = [process for process in below(top, "sandbox") if process.pid not in before]
            if len(young) >= 2:  # the supervisor, and the submission below it
                time.sleep(0.5)
                killed.append(victim(top, sorted(young, key=lambda process: process.create_time())))
                return kill(killed[0])
            time.sleep(0.02)

    thread = threading.Thread(target=strike)
    thread.start()
    verdict = judge.verdict(submission(judge, SLOW), 1)
    thread.join()
    assert killed
    return verdict


VICTIMS = {
    "submission": lambda top, young: young[-1],
    "supervisor": lambda top, young: young[0],
    "sandbox": lambda top, young: top.children()[0],
}


@pytest.mark.sandbox
@pytest.mark.parametrize("victim", VICTIMS)
def test_it_is_judged_again(judge, victim):
    verdict = judged(judge, VICTIMS[victim])
    assert (verdict.status, verdict.points, verdict.notes) == ("ok", FULL, [])


@pytest.mark.sandbox
def test_who_ends_the_process_from_within_is_not_excused(judge):
    verdict = judge.verdict(submission(judge, "import os; os._exit(9)"), 1)
    assert (verdict.status, verdict.points) == ("crashed", REST)


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


class StartsLate(FakeJudge):
    """Does not start the first times, as if it had been killed for want of memory."""

    failures = 0

    def __enter__(self):
        StartsLate.failures -= 1
        if StartsLate.failures >= 0:
            raise SandboxUnavailable("the judge's own process did not start.")
        return super().__enter__()


def test_a_judge_that_dies_while_it_starts_is_started_again_but_not_for_ever(assignment, course):
    StartsLate.failures = ATTEMPTS - 1
    with RetryingJudge(assignment, course, StartsLate) as judge:
        assert judge.judge is not None
    StartsLate.failures = ATTEMPTS
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
