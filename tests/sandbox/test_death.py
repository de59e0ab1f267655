"""Whoever dies, by whatever signal, nothing of a submission stays alive."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from learners import ROOT

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

JUDGE = """
import sys, time
from pathlib import Path
from autograder.records.job import Limits
from autograder.sandbox.sandboxes import Sandbox
with Sandbox(Path({root!r}), (), Limits()) as sandbox:
    session = sandbox.open()
    session.wire.send({{"op": "run", "cell": "c", "source": {source!r}}})
    session.wire.receive()
    print("running", flush=True)
    time.sleep(1000)
"""


@pytest.fixture
def judge():
    """A process that holds a box in which a hardy submission runs; and the name of that one's processes."""
    name = f"hardy{os.getpid()}"
    source = textwrap.dedent(JUDGE).format(root=str(ROOT), source=HARDY.replace("NAME", name))
    process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert process.stdout.readline() == "running\n"
    yield process, name
    process.kill()
    process.wait()
    process.stdout.close()


def below(process):
    """The processes below one, nearest first."""
    found = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        for child in path.read_text().split():
            found += [int(child), *below(int(child))]
    return found


def test_the_judge(judge, processes_named):
    process, name = judge
    assert processes_named(name, 4) == 4
    os.kill(process.pid, signal.SIGKILL)
    assert processes_named(name, 0) == 0


CHAIN = ["bubblewrap", "its first process", "the worker", "the meter", "the supervisor", "the submission"]


@pytest.mark.parametrize("which", [name for name in CHAIN if name != "the meter"])
def test_a_process_between(judge, processes_named, which):
    process, name = judge
    chain = below(process.pid)
    assert len(chain) == len(CHAIN) + 3, "and three that the submission has started"
    assert processes_named(name, 4) == 4
    os.kill(chain[CHAIN.index(which)], signal.SIGKILL)
    assert processes_named(name, 0) == 0


def test_a_session_that_ends(learner, processes_named):
    one = learner()
    name = f"late{os.getpid()}"
    one(HARDY.replace("NAME", name))
    assert processes_named(name, 4) == 4
    one.end()
    assert processes_named(name, 0) == 0


def test_a_judge_that_lets_go_of_the_leash_by_dying_frees_the_box_for_the_next(learner, run):
    one = learner()
    one("x = 1")
    one.session.control_socket.close()
    time.sleep(0.3)
    assert run("print('alive')") == "alive"
