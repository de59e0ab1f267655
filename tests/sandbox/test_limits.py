"""Each limit holds for all processes of a submission together, and is named when it ends one."""

from types import SimpleNamespace

import pytest
from learners import GIVEN, ROOT

from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job, Limits
from autograder.sandbox.sandboxes import Sandbox
from autograder.sandbox.supervisor import exceeded_limit
from autograder.sandbox.wire import Closed, Deadline

pytestmark = pytest.mark.sandbox
MB = 2**20


@pytest.fixture(scope="module")
def tight():
    limits = Limits(processes=16, memory=700 * MB, cpu_seconds=2.0, file=8 * MB, disk=16 * MB, files=200, open_files=64)
    with Sandbox(ROOT, GIVEN, limits) as sandbox:
        yield sandbox


@pytest.fixture
def ended(learner, tight):
    """How a submission ends that runs a source; the kind of its error if it does not end."""

    def ended(source):
        one = learner(tight)
        one.start(source)
        try:
            return one.answer()
        except Closed:
            return one.end()

    return ended


# Whichever notices first: the supervisor, who counts, or the kernel, which refuses one more.
TOO_MANY = ("processes", "BlockingIOError", "OSError", "RuntimeError")
FORKS = "import os, time\nfor _ in range(8):\n    if not os.fork():\n        {}\ntime.sleep(60)"


def test_memory_of_one_process(ended):
    assert ended("x = []\nwhile True:\n    x.append(bytearray(10_000_000))") == "memory"


def test_memory_of_many_processes_none_of_which_has_too_much(ended):
    assert ended(FORKS.format("x = bytearray(150_000_000)\n        time.sleep(60)")) == "memory"


def test_shared_memory_counts_once(learner, tight):
    share = "import os, time\nm = bytearray(b'x') * 200_000_000\n"
    look = "for _ in range(6):\n    if not os.fork():\n        sum(m[i] for i in range(0, len(m), 4096))\n        time.sleep(1)\n        os._exit(0)\n"
    assert learner(tight)(share + look + "for _ in range(6):\n    os.wait()\nprint('fine')") == "fine"


def test_address_space_of_one_process(learner, tight):
    assert learner(tight)("bytearray(7 * 2**30)") == "MemoryError"


def test_cpu_time_of_one_process(ended):
    assert ended("while True:\n    pass") == "cpu"


def test_cpu_time_of_many_processes_that_come_and_go(ended):
    churn = "import os, time\nwhile True:\n    if not os.fork():\n        end = time.monotonic() + 0.5\n        while time.monotonic() < end:\n            pass\n        os._exit(0)\n    os.wait()"
    assert ended(churn) == "cpu"


def test_memory_is_named_where_filling_it_took_all_processor_time(tight):
    memory = SimpleNamespace(over=lambda numbers, limit: True)
    tree = SimpleNamespace(look=list, cpu_seconds=tight.limits.cpu_seconds + 1, memory=memory)
    assert exceeded_limit(tree, tight.limits) == "memory"


def test_processes(ended):
    fork = "for _ in range(100):\n        if not os.fork():\n            time.sleep(100)\n    time.sleep(100)"
    source = f"import os, time\ntry:\n    {fork}\nexcept OSError as error:\n    print(type(error).__name__)"
    assert ended(source) in TOO_MANY


def test_a_fork_bomb(ended):
    """The bomb counts its processes, so that a sandbox that fails this test does not take the machine with it."""
    bomb = (
        "import mmap, os, time\nfile = open('/tmp/count', 'w+b')\nfile.truncate(2000)\ncount = mmap.mmap(file.fileno(), 0)\nend = time.monotonic() + 10\n"
        "while time.monotonic() < end and count[1500] == 0:\n"
        "    try:\n        os.fork()\n        count[min(os.getpid(), 1999)] = 1\n    except OSError:\n        pass\n"
        "os._exit(0)"
    )
    assert ended(bomb) in ("processes", "cpu", "killed", "exit 0")  # the last two: the kernel kept it small


def test_threads_count_as_processes(ended):
    source = "import threading, time\nfor _ in range(40):\n    threading.Thread(target=time.sleep, args=(60,)).start()\ntime.sleep(60)"
    assert ended(source) in TOO_MANY


def test_a_file(learner, tight):
    assert learner(tight)("with open('/tmp/big', 'wb') as f:\n    f.write(bytes(9 * 2**20))") == "OSError"


def test_all_files_of_all_places_together(learner, tight):
    fill = (
        "import os\nwritten = 0\nfor i in range(30):\n"
        "    place = ('/tmp', '/dev/shm')[i % 2]\n"
        "    try:\n        written += os.write(os.open(f'{place}/{i}', os.O_CREAT | os.O_WRONLY), bytes(2**20))\n"
        "    except OSError:\n        break\nprint(written // 2**20)"
    )
    assert int(learner(tight)(fill)) <= 16


def test_the_number_of_files(learner, tight):
    fill = "made = 0\ntry:\n    for i in range(1000):\n        open(f'/tmp/{i}', 'w').close()\n        made += 1\nexcept OSError:\n    pass\nprint(made)"
    assert 100 < int(learner(tight)(fill)) < 200


def test_open_files(learner, tight):
    assert learner(tight)("import os\nopen_ones = [os.dup(0) for _ in range(100)]") == "OSError"


def test_limits_cannot_be_raised(learner, tight):
    attempt = (
        "import resource\nraised = []\n"
        "for which in range(16):\n    soft, hard = resource.getrlimit(which)\n"
        "    try:\n        resource.setrlimit(which, (hard, -1))\n        raised += [which] * (hard != -1)\n"
        "    except (ValueError, OSError):\n        pass\nprint(raised)"
    )
    assert learner(tight)(attempt) == "[]"


def test_printed_text(learner):
    one = learner()
    one.start("for _ in range(300):\n    print('x' * 100_000)")
    outputs = one.session.wire.receive(Deadline(20))["outputs"]
    assert sum(len(output["text"]) for output in outputs) < 2 * MB


def test_an_honest_submission_stays_below_all_of_them(learner, tight):
    work = "import torch\nx = torch.randn(200, 200, requires_grad=True)\nfor _ in range(20):\n    (x @ x).tanh().sum().backward()\nprint('done')"
    assert learner(tight)(work) == "done"


def test_a_cell_that_uses_up_the_cpu_time_is_told_so():
    cells = (Cell("cell 1", "code", "while True:\n    pass"), Cell("check", "check", "assert True", 1.0))
    limits = Limits(cpu_seconds=1.0)
    with Judge((), ROOT, limits) as judge:
        verdict = judge.run(Job(cells, seed=0, limits=limits))
    assert verdict.status == "timeout"
    assert verdict.cells[0].status == "timeout"
    assert "cell 1 used up the 1 s of processor time for the whole notebook." in verdict.notes
