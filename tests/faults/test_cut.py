"""Whoever's process is killed from outside, by a machine short of memory or by hand, loses no points by it."""

import threading
import time

import psutil
import pytest

from autograder.judging.judge import RetryingJudge
from autograder.submissions.submission import Submission
from tests.faults.processes import below, kill
from tests.faults.small_class import solved

pytestmark = pytest.mark.sandbox
SLOW = "import time; time.sleep(2); return x + x"


@pytest.fixture(scope="module")
def judge(assignment, course):
    with RetryingJudge(assignment, course) as judge:
        yield judge


def judged(judge, course, line, victim):
    """The verdict on a submission with this answer, of whose processes ``victim`` chooses one to be killed."""
    submission = Submission.read(solved(course).replace("return x + x", line).encode(), judge.assignment)
    top = psutil.Process(judge.judge.process.pid)
    before = {process.pid for process in below(top)["sandbox"]}
    killed = []

    def strike():
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            young = [process for process in below(top)["sandbox"] if process.pid not in before]
            if len(young) >= 2:  # the supervisor, and the submission below it
                time.sleep(0.5)
                killed.append(victim(top, sorted(young, key=lambda process: process.create_time())))
                return kill(killed[0])
            time.sleep(0.02)

    thread = threading.Thread(target=strike)
    thread.start()
    verdict = judge.verdict(submission, 1)
    thread.join()
    assert killed
    return verdict


VICTIMS = {
    "submission": lambda top, young: young[-1],
    "supervisor": lambda top, young: young[0],
    "sandbox": lambda top, young: top.children()[0],
}


@pytest.mark.parametrize("victim", VICTIMS)
def test_it_is_judged_again(judge, course, victim):
    verdict = judged(judge, course, SLOW, VICTIMS[victim])
    assert (verdict.status, verdict.points, verdict.notes) == ("ok", 4.5, [])


def test_who_ends_the_process_from_within_is_not_excused(judge, course):
    text = solved(course).replace("return x + x", "import os; os._exit(9)")
    verdict = judge.verdict(Submission.read(text.encode(), judge.assignment), 1)
    assert (verdict.status, verdict.points) == ("crashed", 2.5)
