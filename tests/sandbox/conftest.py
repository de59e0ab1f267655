"""A warm box for the session, and ways to run a learner's cell in it."""

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
from learners import GIVEN, ROOT, Learner

from autograder.records.job import Limits
from autograder.sandbox.sandboxes import Sandbox


@pytest.fixture(scope="session")
def box():
    os.environ["GRADER_SECRET"] = "hunter2"
    with Sandbox(ROOT, GIVEN, Limits(processes=16)) as sandbox:
        yield sandbox
    del os.environ["GRADER_SECRET"]


@pytest.fixture
def learner(box):
    """Opens a submission in the warm box, or in another; all are ended with the test."""
    learners = []

    def learner(sandbox=box):
        learners.append(Learner(sandbox))
        return learners[-1]

    yield learner
    for one in learners:
        one.end()


@pytest.fixture
def run(learner):
    """Runs source in a fresh submission and returns what it printed, or the kind of its error."""
    return lambda source: learner()(source)


@pytest.fixture
def processes_named():
    """How many processes of this machine have a name, after waiting a little for it to be ``expected`` many."""

    def processes_named(name, expected, seconds=5.0):
        deadline = time.monotonic() + seconds
        while True:
            alive = 0
            for path in Path("/proc").glob("[0-9]*/comm"):
                with suppress(OSError):  # gone meanwhile
                    alive += path.read_text().strip() == name
            if alive == expected or time.monotonic() > deadline:
                return alive
            time.sleep(0.05)

    return processes_named
