"""A submission's life: who starts it, who may die before it, and that its end is nobody else's."""

import os
import signal
import socket
from functools import partial
from types import SimpleNamespace

import pytest
from gpus import needs_cuda
from learners import GIVEN, ROOT, Learner, children

from autograder.records.job import Limits
from autograder.sandbox import bubblewrap, sandboxes, supervisor
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import ColdSandbox, Sandbox
from autograder.sandbox.session import Session, start

pytestmark = pytest.mark.sandbox

HARDY = """
import ctypes, os, signal, time
libc = ctypes.CDLL(None)
libc.prctl(1, 0, 0, 0, 0)  # not to die with the parent
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
for _ in range(3):
    if not os.fork():
        os.setsid()
        libc.prctl(15, b"NAME", 0, 0, 0)
        while True:
            time.sleep(100)
libc.prctl(15, b"NAME", 0, 0, 0)
"""


@pytest.fixture
def hardy(processes_named):
    """Runs a hardy submission, and afterwards a function that must have ended all its processes."""
    name = f"hardy{os.getpid()}"

    def hardy(run, end):
        run(HARDY.replace("NAME", name))
        assert processes_named(name, 4) == 4
        end()
        assert processes_named(name, 0) == 0

    return hardy


def kill(process):
    os.kill(process, signal.SIGKILL)


def test_nothing_outlives_the_worker(hardy):
    with Sandbox(ROOT, (), Limits()) as sandbox:
        (first,) = children(sandbox.box.process.pid)
        (worker,) = children(first)
        submission = Learner(sandbox)
        hardy(submission, lambda: kill(worker))
        submission.end()


def test_nothing_outlives_its_supervisor_or_its_session_and_the_box_serves_on(hardy, learner, run):
    for end in (
        lambda session: kill(session.supervisor),
        lambda session: kill(*children(session.supervisor)),
        lambda session: session.control_socket.close(),  # as by the judge's death
        lambda session: session.end(),
    ):
        submission = learner()
        hardy(submission, partial(end, submission.session))
        assert run("print('alive')") == "alive"


@pytest.fixture
def played(line):
    """A session whose supervisor we play, and our end of the line to it."""
    return Session(SimpleNamespace(close=lambda: None), line[0], SimpleNamespace(spoiled="")), line[1]


def test_a_supervisor_that_says_nothing_in_time_spoils_the_box(played):
    session, _ = played
    assert session.end(0.05) == "killed"
    assert "still there 0.05 s after" in session.box.spoiled
    with pytest.raises(SandboxUnavailable, match="still there"):
        start(session.box, Limits(), 1.0)


@pytest.mark.parametrize("last_words", ["exit 3", ""], ids=["tells how it ended", "is gone"])
def test_a_supervisor_that_answers_or_is_gone_does_not(played, last_words):
    session, theirs = played
    if last_words:
        theirs.send(last_words.encode())
    theirs.close()
    assert session.end(60.0) == (last_words or "killed")
    assert session.box.spoiled == ""


def test_the_last_word_of_a_supervisor_that_was_still_asked_is_heard(played):
    session, theirs = played
    session.control_socket.send(b"waited")
    theirs.send(b"processes")
    theirs.close()
    assert session.end(60.0) == "processes"


def test_a_box_can_be_begun_before_it_is_waited_for(tmp_path):
    boxes = []

    def start_box(*arguments):
        boxes.append(SimpleNamespace(arguments=arguments, wait=lambda: boxes[-1], stop=lambda: None))
        return boxes[-1]

    sandbox = Sandbox(tmp_path, GIVEN, Limits(), start_box)
    sandbox.begin()
    for count in (1, 2):  # and once more, from nothing
        with sandbox:
            assert sandbox.box is boxes[-1]
            assert len(boxes) == count
    assert boxes[0].arguments == (tmp_path, GIVEN, Limits(), False)


def test_a_submission_that_cannot_be_shut_in_is_a_fault_of_ours(line):
    ours, theirs = line

    def fails(connection, started):
        raise OSError

    with socket.socket() as connection, socket.socket() as meter:
        ours.send(b"go")
        with pytest.raises(OSError, match="could not be confined"):
            supervisor.watch(fails, connection, theirs, SimpleNamespace(), meter)
        assert ours.recv(64) == b"here"


@pytest.fixture
def device(monkeypatch, tmp_path):
    """/dev/null in the place of a GPU: what is bound is bound, whatever drives it."""
    (tmp_path / "nvidia0").symlink_to("/dev/null")
    monkeypatch.setattr(bubblewrap, "DEVICES", tmp_path)


LEAVE = "import os, torch\ntorch.left = 1\nopen('/tmp/left', 'w').close()\nprint(os.getpid())"
LOOK = "import os, torch\nprint(hasattr(torch, 'left'), os.listdir('/tmp'))"
# CUDA reads /proc, so that it is there; of other processes it shows nothing.
PRY = """
import os, resource, torch
others = [pid for pid in os.listdir("/proc") if pid.isdigit() and pid != os.readlink("/proc/self")]
print(os.path.exists("/dev/nvidia0"), resource.getrlimit(resource.RLIMIT_AS)[0], torch.cuda.is_initialized())
print(os.path.exists("/proc/self/maps"), len(others) > 0, [os.listdir(f"/proc/{pid}") for pid in others][:1])
"""


def test_a_cold_box_serves_one_submission_which_does_not_outlive_it_and_the_next_gets_another(learner, device, hardy):
    with ColdSandbox(ROOT, GIVEN, Limits(), partial(bubblewrap.start, gpu=True)) as sandbox:
        first = sandbox.box
        former, other = learner(sandbox), learner(sandbox)
        assert sandbox.box is first  # as in a process whose fork has opened it
        assert former(LEAVE) == "1"
        assert other(LOOK) == "False []"
        assert other(PRY) == "True -1 False\nTrue True [[]]"
        assert former.end() in ("killed", "exit 0")  # it may have seen the wire close before
        assert other("print('alive')") == "alive"
        hardy(other, lambda: kill(other.session.box.process.pid))


def test_a_gpu_box_without_devices_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(bubblewrap, "DEVICES", tmp_path)
    with pytest.raises(SandboxUnavailable, match="asks for a GPU"):
        bubblewrap.start(ROOT, (), Limits(), cold=True, gpu=True)


@needs_cuda
def test_cuda_works_in_a_gpu_box(learner):
    with sandboxes.sandbox("bubblewrap", ROOT, GIVEN, Limits(), gpu=True) as sandbox:
        source = "import torch\nx = torch.ones(3, device='cuda', requires_grad=True)\n(x * 2).sum().backward()"
        assert learner(sandbox)(f"{source}\nprint(x.grad.sum().item())") == "6.0"
