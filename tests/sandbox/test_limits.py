"""Each limit holds for all processes of a submission together, and is named when it ends one."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest
from learners import GIVEN, ROOT, WORK, children, misses

from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job, Limits
from autograder.sandbox import confinement

pytestmark = pytest.mark.sandbox

# Whichever notices first: the supervisor, who counts, or the kernel, which refuses one more.
TOO_MANY = ("processes", "BlockingIOError", "OSError", "RuntimeError")

# They are bounded, so that a sandbox that fails here does not take the machine with it.
BOMBS = {
    "many processes": """
import mmap
file = open('/tmp/count', 'w+b')
file.truncate(2000)
count = mmap.mmap(file.fileno(), 0)
while count[1500] == 0:
    try:
        os.fork()
        count[min(os.getpid(), 1999)] = 1
    except OSError:
        pass
os._exit(0)
""",
    "many busy processes": """
for _ in range(50):
    if not os.fork():
        break
while time.monotonic() < end:
    pass
os._exit(0)
""",
    "many busy threads": """
def multiply():
    while time.monotonic() < end:
        torch.ones(400, 400) @ torch.ones(400, 400)
for _ in range(40):
    threading.Thread(target=multiply).start()
multiply()
""",
    "memory": """
for _ in range(20):
    if not os.fork():
        hoard = [bytearray(10_000_000) for _ in range(60)]
        time.sleep(20)
time.sleep(20)
""",
}
SHARED = """
import os
block = bytearray(b'x') * 200_000_000
(seen, touched), (ready, go) = os.pipe(), os.pipe()
for _ in range(6):
    if not os.fork():
        sum(block[place] for place in range(0, len(block), 4096))
        os.write(touched, b'1')
        os.read(ready, 1)
for _ in range(6):
    os.read(seen, 1)
print('shared')
"""
FILES = """
try:
    for number in range(1000):
        open(f'/tmp/{number}', 'w').close()
except OSError:
    print(100 < number < 200)
"""
# A child counts once: seen at work, and then in what its parent has buried. Twice 0.6 s are allowed, not four times.
BURIED = """
import os, time
for _ in range(2):
    if not os.fork():
        while time.process_time() < 0.6:
            pass
        os._exit(0)
    os.wait()
print('fine')
"""
THREADS = """
import threading, time
for _ in range(40):
    threading.Thread(target=time.sleep, args=(60,)).start()
time.sleep(60)
"""
TIGHT = {
    "address space of one process": ("bytearray(7 * 2**30)", "MemoryError"),
    "few sockets are not much": ("import socket\nprint(len([socket.socketpair() for _ in range(50)]))", "50"),
    "time of a child that is buried": (BURIED, "fine"),
    "threads count as processes": (THREADS, TOO_MANY),
    "number of files": (FILES, "True"),
    "honest work stays below": (WORK, "done"),
}


def test_each_limit_ends_what_exceeds_it_and_nothing_else(run_tight):
    assert misses(run_tight, TIGHT) == {}


def test_shared_memory_counts_once(learner, tight):
    submission = learner(tight)
    assert submission(SHARED) == "shared"
    for _ in range(2):
        submission.session.waited()  # comes with a look at all its processes
    assert submission("print('fine')") == "fine"


def test_a_neighbour_in_another_box_gets_its_work_done(learner, tight):
    honest = learner(tight)
    for bomb, source in BOMBS.items():
        hostile = learner()
        hostile("import os, threading, time, torch\nend = time.monotonic() + 15")
        hostile.start(source)
        assert honest(WORK) == "done", bomb
        if bomb == "many processes":
            assert hostile.answer() in ("processes", "memory", "cpu", "exit 0")  # the last: the kernel kept it small
        hostile.end()
        assert learner()("print('alive')") == "alive", bomb


def test_the_memory_of_two_submissions_of_one_box_is_counted_apart(learner, tight):
    """One that is stopped for its memory does not take with it the one that shares its worker."""
    honest, hostile = learner(tight), learner(tight)
    honest("x = bytearray(300_000_000)")
    assert hostile("x = []\nwhile True:\n    x.append(bytearray(10_000_000))") == "memory"
    assert honest("print(len(x))") == "300000000"


def test_a_submission_is_the_first_to_go_where_memory_runs_out_and_inherits_no_right_to_real_time(learner, monkeypatch):
    (submission,) = children(learner().session.supervisor)
    assert Path(f"/proc/{submission}/oom_score_adj").read_text() == "1000\n"
    limits = {}
    monkeypatch.setattr(confinement.resource, "setrlimit", lambda which, both: limits.update({which: both}))
    confinement.set_limits(Limits())
    assert limits[resource.RLIMIT_RTPRIO] == limits[resource.RLIMIT_NICE] == (0, 0)


@pytest.fixture(scope="module")
def judge():
    """On one processor."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    with Judge(GIVEN, ROOT, Limits(cpu_seconds=2.0)) as judge:
        yield judge
    os.sched_setaffinity(0, allowed)


OWN = "import time\nwhile time.process_time() < 0.3:\n    pass"  # the fork had used next to nothing
CHILD = f"import os\nif not os.fork():\n{indent(OWN, '    ')}\n    os._exit(0)\nos.wait()"
LOOP = "while True:\n    pass"


def test_a_machine_that_is_busy_with_others_costs_a_learner_no_time(judge):
    """Others' work on the judge's processor, each in a session of its own, as strangers are."""
    line = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(line, start_new_session=True) for _ in range(3)]
    limits = Limits(cell_seconds=0.6)
    sources = CHILD, OWN, "import time\ntime.sleep(1000)", LOOP
    cells = tuple(Cell(f"cell {n}", "code", source) for n, source in enumerate(sources))
    try:
        verdict = judge.run(Job(cells, seed=0, limits=limits))
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    assert [cell.status for cell in verdict.cells] == ["ok", "ok", "timeout", "timeout"]


def test_a_cell_that_uses_up_the_cpu_time_is_told_so(judge):
    cells = Cell("cell 1", "code", LOOP), Cell("check", "check", "assert True", 1.0)
    verdict = judge.run(Job(cells, seed=0, limits=Limits(cpu_seconds=2.0)))
    assert verdict.status == verdict.cells[0].status == "timeout"
    assert "cell 1 used up the 2 s of processor time for the whole notebook." in verdict.notes
