"""Memory that is no page of any process is refused, or counted as the submission's."""

import pytest
from learners import GIVEN, ROOT

from autograder.records.job import Limits
from autograder.sandbox.sandboxes import Sandbox
from autograder.sandbox.wire import Closed

pytestmark = pytest.mark.sandbox
MB = 2**20


@pytest.fixture(scope="module")
def small():
    with Sandbox(ROOT, GIVEN, Limits(memory=300 * MB, processes=16)) as sandbox:
        yield sandbox


@pytest.fixture
def ended(learner, small):
    """What a source printed, or how it was ended."""

    def ended(source):
        one = learner(small)
        one.start(source)
        try:
            return one.answer()
        except Closed:
            return one.end()

    return ended


SEND = "one.setblocking(False)\n    try:\n        while True:\n            one.send(bytes(2**15))\n    except OSError:\n        pass\n"
HELD = (
    "import socket, time\nheld = []\nfor _ in range(120):\n    pair = socket.socketpair()\n    held += pair\n"
    "    for one in pair:\n        one.setblocking(False)\n        try:\n            while True:\n                one.send(bytes(2**15))\n"
    "        except OSError:\n            pass\n"
)
FORKED = (
    "import os, socket, time\nfor _ in range(8):\n    if not os.fork():\n"
    + "".join(f"        {line}\n" for line in HELD.splitlines())
    + "        time.sleep(60)\ntime.sleep(60)"
)
# Nobody has these open any more: each waits to be accepted, with what was sent to it.
WAITING = (
    "import socket, time\nheld = []\nfor number in range(50):\n    listener = socket.socket(socket.AF_UNIX)\n"
    "    listener.bind(f'\\0{number}')\n    listener.listen(100)\n    held.append(listener)\n    for _ in range(100):\n"
    "        one = socket.socket(socket.AF_UNIX)\n        one.setblocking(False)\n        try:\n            one.connect(f'\\0{number}')\n"
    "            while True:\n                one.send(bytes(2**15))\n        except OSError:\n            pass\n        one.close()\n"
    "time.sleep(60)"
)


@pytest.mark.parametrize("source", [FORKED, WAITING], ids=["held", "waiting to be accepted"])
def test_what_waits_in_sockets(ended, source):
    assert ended(source) == "memory"


def test_few_sockets_are_not_much(ended):
    assert ended("import socket\nheld = [socket.socketpair() for _ in range(50)]\nprint(len(held))") == "50"


DROPPED = (
    "import mmap, time\nkept = []\nfor _ in range(16):\n    one = mmap.mmap(-1, 50 * 2**20)\n"
    "    one.write(bytes(len(one)))\n    one.madvise(mmap.MADV_DONTNEED)\n    kept.append(one)\nprint(len(kept))"
)


def test_shared_pages_that_no_table_names_any_more(ended):
    assert ended(DROPPED) == "PermissionError"


def test_pages_of_a_file_that_is_gone_from_its_pipe_are_few(ended):
    """Pipes hold at most what the kernel gives one user: 64 MB, and a page or two each beyond."""
    source = (
        "import fcntl, os\nheld = 0\ntry:\n    while True:\n        out, into = os.pipe()\n        os.set_blocking(into, False)\n"
        "        try:\n            fcntl.fcntl(into, 1031, 2**20)\n        except OSError:\n            pass\n"
        "        try:\n            while True:\n                held += os.write(into, bytes(2**16))\n"
        "        except BlockingIOError:\n            pass\nexcept OSError:\n    print(held < 140 * 2**20)"
    )
    assert ended(source) == "True"
