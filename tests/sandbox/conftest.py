"""Two warm boxes, one with tight limits. What the doctor tries (isolation_tests.toml) is left to test_doctor.py."""

import socket
import time

import psutil
import pytest
from learners import GIVEN, ROOT, Learner

from autograder.records.job import Limits
from autograder.sandbox.sandboxes import Sandbox

MB = 2**20


@pytest.fixture(scope="session")
def box():
    with Sandbox(ROOT, GIVEN, Limits(memory=1024 * MB)) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def tight():
    limits = Limits(processes=16, memory=700 * MB, cpu_seconds=2.0, files=200)
    with Sandbox(ROOT, GIVEN, limits) as sandbox:
        yield sandbox


@pytest.fixture
def learner(request):
    """Opens a submission in the warm box, or in another; all are ended with the test."""
    learners = []

    def learner(sandbox=None):
        learners.append(Learner(sandbox or request.getfixturevalue("box")))
        return learners[-1]

    yield learner
    for submission in learners:
        submission.end()


@pytest.fixture
def run(learner):
    """Runs source in a fresh submission and returns what it printed, or the kind of its error, or how it was ended."""
    return lambda source: learner()(source)


@pytest.fixture
def run_tight(learner, tight):
    """The same where the limits are tight."""
    return lambda source: learner(tight)(source)


@pytest.fixture
def line():
    """Both ends of a line as a supervisor has it."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with near, far:
        yield near, far


@pytest.fixture
def processes_named():
    """How many processes of this machine have a name, after waiting for it to be ``expected`` many."""

    def processes_named(name, expected):
        deadline = time.monotonic() + 60
        while True:
            alive = sum(process.info["name"] == name for process in psutil.process_iter(["name"]))
            if alive == expected or time.monotonic() > deadline:
                return alive
            time.sleep(0.05)

    return processes_named
