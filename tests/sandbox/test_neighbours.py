"""A submission that takes all it can get does not hurt one that is examined at the same time.

Each has a box of its own, as two judges have. The honest one works for about a second when it is alone; its limit in
an evaluation is ten. The bombs are bounded, so that a sandbox that fails here does not take the machine with it.
"""

import time

import pytest
from learners import GIVEN, ROOT

from autograder.records.job import Limits
from autograder.sandbox.sandboxes import Sandbox
from autograder.sandbox.wire import Closed

pytestmark = pytest.mark.sandbox

WORK = """
import time
import torch
torch.manual_seed(1)
x = torch.randn(150, 150, requires_grad=True)
end = time.process_time() + 1.0
while time.process_time() < end:
    (x @ x).tanh().sum().backward()
print("done", bool(torch.isfinite(x.grad).all()))
"""
BUSY = "while time.monotonic() < end:\n        pass"
BOMBS = {
    "many busy processes": f"import os, time\nend = time.monotonic() + 15\nfor _ in range(50):\n    if not os.fork():\n        {BUSY}\n        os._exit(0)\n{BUSY.replace('        ', '    ')}",
    "many busy threads": f"import threading, time, torch\nend = time.monotonic() + 15\ndef f():\n    while time.monotonic() < end:\n        torch.ones(400, 400) @ torch.ones(400, 400)\nfor _ in range(40):\n    threading.Thread(target=f).start()\n{BUSY.replace('        ', '    ')}",
    "forks": "import mmap, os, time\nfile = open('/tmp/count', 'w+b')\nfile.truncate(2000)\ncount = mmap.mmap(file.fileno(), 0)\nend = time.monotonic() + 10\nwhile time.monotonic() < end and count[1500] == 0:\n    try:\n        os.fork()\n        count[min(os.getpid(), 1999)] = 1\n    except OSError:\n        pass\nos._exit(0)",
    "memory": "import os, time\nfor _ in range(20):\n    if not os.fork():\n        x = []\n        for _ in range(60):\n            x.append(bytearray(10_000_000))\n        time.sleep(20)\ntime.sleep(20)",
    "files": "import os\nfor i in range(100_000):\n    try:\n        open(f'/tmp/{i}', 'wb').write(bytes(10_000_000))\n    except OSError:\n        pass",
    "output": "import time\nend = time.monotonic() + 5\nwhile time.monotonic() < end:\n    print('x' * 1_000_000)",
}


@pytest.fixture(scope="module")
def boxes():
    limits = Limits(memory=2**30, processes=64)
    with Sandbox(ROOT, GIVEN, limits) as one, Sandbox(ROOT, GIVEN, limits) as other:
        yield one, other


def seconds(honest):
    start = time.monotonic()
    assert honest(WORK) == "done True"
    return time.monotonic() - start


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_neighbour_gets_its_work_done(boxes, learner, bomb):
    ours, theirs = boxes
    honest, hostile = learner(ours), learner(theirs)
    hostile.start(BOMBS[bomb])
    time.sleep(0.3)
    took = seconds(honest)
    how = hostile.end()
    assert took < max(8.0, 4 * seconds(honest)), f"{took:.1f} s for a second's work, beside one that ended: {how}"
    assert learner(theirs)("print('alive')") == "alive"


def test_the_memory_of_two_submissions_of_one_box_is_counted_apart(learner):
    """One that is stopped for its memory does not take with it the one that shares its worker."""
    with Sandbox(ROOT, GIVEN, Limits(memory=700 * 2**20)) as sandbox:
        honest, hostile = learner(sandbox), learner(sandbox)
        honest("x = bytearray(300_000_000)")
        hostile.start("import time\nx = []\nwhile True:\n    x.append(bytearray(10_000_000))")
        with pytest.raises(Closed):
            hostile.answer()
        assert hostile.end() == "memory"
        assert honest("print(len(x))") == "300000000"
