"""A machine that is busy with others costs a learner no time."""

import subprocess
import sys
from contextlib import ExitStack

import pytest
from learners import GIVEN, ROOT

from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job, Limits
from autograder.sandbox import self_test
from autograder.sandbox.sandboxes import Sandbox

pytestmark = pytest.mark.sandbox
LIMITS = Limits(cell_seconds=1.0)
WORK = "import time\nwhile time.process_time() < 0.6:\n    pass"  # of its own; the fork had used next to nothing
CHILD = f"import os\nif not os.fork():\n    {WORK.replace(chr(10), chr(10) + '    ')}\n    os._exit(0)\nos.wait()"
LOOP = [sys.executable, "-c", "while True: pass"]
SLEEP = "import time\ntime.sleep(100)"


@pytest.fixture
def busy():
    """Four times as many processes as there are processors, each in a session of its own, as strangers are."""
    with ExitStack() as stack:
        found = int(subprocess.check_output(["nproc"]))
        for _ in range(4 * found):
            loop = stack.enter_context(subprocess.Popen(LOOP, start_new_session=True))
            stack.callback(loop.kill)
        yield


@pytest.fixture
def judge():
    with Judge(GIVEN, ROOT, LIMITS) as judge:
        yield judge


def cells(judge, *sources):
    found = judge.run(Job(tuple(Cell(f"cell{n}", "code", source) for n, source in enumerate(sources)), 0, "", LIMITS))
    return [cell.status for cell in found.cells]


def test_the_time_of_a_child_is_the_learners_too(judge, busy):
    assert cells(judge, CHILD) == ["ok"]


def test_own_time_counts(judge, busy):
    assert cells(judge, WORK, SLEEP, "while True:\n    pass") == ["ok", "timeout", "timeout"]


class Starved:
    """A session that tells how long it waited for the processor."""

    def __init__(self, *seconds):
        self.seconds = iter(seconds)

    def waited(self):
        return next(self.seconds)


def test_the_doctor_gives_a_busy_machine_time_and_not_for_ever():
    more = self_test.busy(Starved(0.0, 3.0, 3.01, 100.0, 200.0))
    assert [more() for _ in range(5)] == [0.0, 3.0, 0.0, self_test.BUSY_SECONDS - 3.0, 0.0]


def test_a_trial_ends_when_nobody_else_is_to_blame(monkeypatch):
    monkeypatch.setattr(self_test, "SECONDS", 0.3)
    with Sandbox(ROOT, (), self_test.TIGHT) as sandbox:
        assert self_test.ask(sandbox.open(), SLEEP) == "killed"
