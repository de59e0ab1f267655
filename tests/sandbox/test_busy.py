"""A machine that is busy with others costs a learner no time."""

import subprocess
import sys
from contextlib import ExitStack

import pytest
from learners import GIVEN, ROOT

from autograder.judging.job import Cell, Job
from autograder.judging.judge import Judge
from autograder.sandbox import probe, promises
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import Sandbox

pytestmark = pytest.mark.sandbox
LIMITS = Limits(cell_seconds=1.0)
WORK = "import time\nwhile time.process_time() < 0.6:\n    pass"  # of its own; the fork had used next to nothing
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


@pytest.fixture
def brief():
    with Sandbox(ROOT, (), promises.BRIEF) as sandbox:
        yield sandbox


def cells(judge, *sources):
    found = judge.run(Job(tuple(Cell(f"cell{n}", "code", source) for n, source in enumerate(sources)), 0, "", LIMITS))
    return [cell.status for cell in found.cells]


def test_own_time_counts(judge, busy):
    assert cells(judge, WORK, SLEEP, "while True:\n    pass") == ["ok", "timeout", "timeout"]


def test_a_busy_machine_is_not_called_unfit(monkeypatch, brief, busy):
    """The doctor's longest trial, for which an idle machine would have time enough."""
    monkeypatch.setattr(probe, "SECONDS", 1.2)
    _, source, expected = promises.ENDED["limit: CPU time, of all processes"]
    assert probe.ask(brief.open(), source) in expected
