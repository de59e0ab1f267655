"""A submission finds nothing of this machine, and alters neither its worker nor a sibling; each way tried for real."""

import pytest
from learners import misses

pytestmark = pytest.mark.sandbox

SHARED_MEMORY = "from multiprocessing.shared_memory import SharedMemory\n"
SEMAPHORE = "import ctypes, os\nlibc = ctypes.CDLL(None)\nlibc.sem_open.restype = ctypes.c_void_p\n"
SOCKET = "import socket\n{0} = socket.socket(socket.AF_UNIX)\n{0}."
PLACES = ("/tmp", "/dev/shm", "/", "/course", "/dev", "/var/tmp", "/run")
LEAVE = f"""
for top in {PLACES}:
    try:
        open(top + "/left", "w").close()
    except OSError:
        pass
"""
LEFT = f"import os\nprint([top for top in {PLACES} if os.path.exists(top + '/left')])"

# What one submission leaves, how it looks for that, what it finds itself, and what every other submission finds.
TRACES = {
    "files": (LEAVE, LEFT, "['/tmp', '/dev/shm']", "[]"),
    "POSIX shared memory": (
        SHARED_MEMORY + "memory = SharedMemory('x', create=True, size=16)",
        SHARED_MEMORY + "print(SharedMemory('x').size > 0)",
        "True",
        "FileNotFoundError",
    ),
    "a POSIX semaphore": (
        SEMAPHORE + "libc.sem_open(b'/s', os.O_CREAT, 0o666, 1)",
        SEMAPHORE + "print(libc.sem_open(b'/s', 0) is not None)",
        "True",
        "False",
    ),
    "an abstract socket": (
        SOCKET.format("listener") + "bind('\\0answers')\nlistener.listen()",
        SOCKET.format("caller") + "connect('\\0answers')\nprint('reached')",
        "reached",
        "ConnectionRefusedError",
    ),
    "a variable of the environment": (
        "import ctypes, os\nos.environ['LEFT'] = '1'\nctypes.CDLL(None).setenv(b'LEFT', b'1', 1)",
        "import ctypes, os\nprint('LEFT' in os.environ, ctypes.CDLL(None).getenv(b'LEFT') != 0)",
        "True True",
        "False False",
    ),
}

CHANGE = """
import ctypes, math, numpy, torch, builtins, IPython
import autograder.sandbox.answers as answers, autograder.sandbox.wire as wire
math.pi = 3
builtins.len = lambda x: 0
builtins.left = IPython.left = numpy.left = torch.left = 1
torch.zeros = torch.ones
wire.MAX_BODY = 0
answers.Answers.run = lambda *x, **y: {'outputs': [], 'error': None}
ctypes.memset(id(1000003), 0, 16)  # below Python's feet
"""
LOOK = """
import math, numpy, torch, builtins, IPython, autograder.sandbox.wire as wire
print(math.pi > 3.1, len([1]), float(torch.zeros(1)), wire.MAX_BODY > 0,
      [module.__name__ for module in (builtins, IPython, numpy, torch) if hasattr(module, 'left')])
"""
SIGNALS = """
import os, signal
reached = []
for pid in [-1, *range(2, 2000)]:
    for number in (0, signal.SIGSTOP, signal.SIGKILL):
        try:
            os.kill(pid, number)
            reached.append(pid)
        except OSError:
            pass
print(reached)
"""
ALONE = {
    "/proc shows nothing": ("import os\nprint(os.listdir('/proc'))", "[]"),
    "standard streams to nowhere": (
        "import os\nprint([os.fstat(number).st_rdev == os.stat('/dev/null').st_rdev for number in range(3)])",
        "[True, True, True]",
    ),
    "no core files": ("import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE))", "(0, 0)"),
    "garbage is collected": ("import gc\nprint(gc.isenabled(), gc.get_freeze_count() > 0)", "True True"),
    "given modules": ("from seq2seq.scorer import Scorer\nprint(Scorer.__name__)", "Scorer"),
    **{
        f"{module} is not there": (f"import {module}", "ModuleNotFoundError")
        for module in ("seq2seq.scorers", "seq2seq.attention", "autograder.judging.judge", "autograder.tasks.scorers")
    },
}


def test_a_submission_alone_finds_what_it_should_and_no_more(learner):
    assert misses(learner(), ALONE) == {}


@pytest.mark.parametrize("another", ["of the same box", "of another box"])
def test_what_a_submission_leaves_is_seen_by_itself_alone(learner, run, request, another):
    writer = learner()
    sibling = learner(request.getfixturevalue("tight") if another == "of another box" else None)
    for leave, _, _, _ in TRACES.values():
        writer(leave)
    assert misses(writer, {name: (look, expected) for name, (_, look, expected, _) in TRACES.items()}) == {}
    others = {name: (look, expected) for name, (_, look, _, expected) in TRACES.items()}
    assert misses(sibling, others) == {}
    assert misses(run, others) == {}


def test_neither_memory_changed_in_place_nor_signals_nor_closed_descriptors_reach_a_worker_or_a_sibling(learner, run):
    changing, killing, closing, other = learner(), learner(), learner(), learner()
    changing("import time")
    changing.start(CHANGE)  # what it answers after that is anybody's guess
    assert other(LOOK) == run(LOOK) == "True 1 0.0 True []"
    assert killing(SIGNALS) == "[]"
    assert closing("import os\nos.closerange(0, 1000)") in ("exit 0", "killed")
    assert other("print('alive')") == run("print('alive')") == "alive"
