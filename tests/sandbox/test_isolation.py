"""A submission cannot alter the worker that it was forked from, nor a sibling, each way tried for real.

Every attempt runs beside a sibling that is alive at the same time, and is followed by a fresh submission.
"""

import os

import pytest
from learners import ROOT

from autograder.sandbox.sandboxes import Sandbox

pytestmark = pytest.mark.sandbox

LIBC = "import ctypes, errno, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"


@pytest.fixture
def pair(learner):
    """Two submissions that live side by side."""
    return learner(), learner()


def test_memory_changed_in_place_stays_with_its_submission(pair, run):
    change = (
        "import ctypes, math, numpy, torch, builtins, IPython, autograder.sandbox.wire as wire\n"
        "math.pi = 3\nbuiltins.len = lambda x: 0\ntorch.zeros = torch.ones\nwire.MAX_BODY = 0\n"
        "IPython.changed = numpy.changed = True\n"
        "ctypes.memset(id(1000003), 0, 16)\n"  # below Python's feet
    )
    look = (
        "import math, numpy, torch, IPython, autograder.sandbox.wire as wire\n"
        "print(math.pi > 3.1, len([1]), float(torch.zeros(1)), wire.MAX_BODY > 0,"
        " hasattr(IPython, 'changed'), hasattr(numpy, 'changed'))"
    )
    one, other = pair
    one("import time")
    one.start(change)  # what it answers after that is anybody's guess
    assert other(look) == "True 1 0.0 True False False"
    assert run(look) == "True 1 0.0 True False False"


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_a_file_is_seen_by_its_writer_alone(pair, run, place):
    one, other = pair
    one(f"open('{place}/left', 'w').write('the answer')")
    look = f"import os\nprint('left' in os.listdir('{place}'))"
    assert one(look) == "True"
    assert other(look) == "False"
    assert run(look) == "False"


def test_posix_shared_memory_is_not_shared(pair, run):
    one, other = pair
    make = "from multiprocessing.shared_memory import SharedMemory\nm = SharedMemory('x', create=True, size=16)\nprint(m.size > 0)"
    assert one(make) == "True"
    take = "from multiprocessing.shared_memory import SharedMemory\nSharedMemory('x')"
    assert other(take) == "FileNotFoundError"
    assert run(take) == "FileNotFoundError"


def test_a_posix_semaphore_is_not_shared(pair):
    one, other = pair
    make = (
        LIBC + "libc.sem_open.restype = ctypes.c_void_p\nprint(libc.sem_open(b'/s', os.O_CREAT, 0o666, 1) is not None)"
    )
    assert one(make) == "True"
    take = LIBC + "libc.sem_open.restype = ctypes.c_void_p\nprint(libc.sem_open(b'/s', 0) is not None)"
    assert one(take) == "True"
    assert other(take) == "False"


@pytest.mark.parametrize(
    "call",
    [
        "libc.shmget(1234, 4096, 0o1666)",
        "libc.semget(1234, 1, 0o1666)",
        "libc.msgget(1234, 0o1666)",
        "libc.mq_open(b'/q', os.O_CREAT | os.O_RDWR, 0o666, None)",
    ],
    ids=["shared memory", "semaphores", "messages", "posix messages"],
)
def test_memory_between_processes_that_no_process_owns_cannot_be_had(run, call):
    assert run(LIBC + f"print({call})") == "-1"


def test_an_abstract_socket_is_not_reachable_from_a_sibling(pair):
    one, other = pair
    listen = "import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0answers')\ns.listen()"
    reach = "import socket\nc = socket.socket(socket.AF_UNIX)\nc.connect('\\0answers')\nprint('reached')"
    one(listen)
    assert one(reach) == "reached"
    assert other(reach) == "ConnectionRefusedError"


def test_a_port_on_loopback_is_not_reachable_from_a_sibling(pair):
    one, other = pair
    listen = "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 5555))\ns.listen()"
    assert one(listen) in ("", "OSError")  # the loopback may even be down
    assert other("import socket\nsocket.create_connection(('127.0.0.1', 5555), 1)") != ""


def test_no_keyring_is_shared(run):
    add = "\nprint(libc.syscall(248, b'user', b'answers', b'x', 1, -4) == -1, ctypes.get_errno() == errno.EPERM)"
    if os.uname().machine == "x86_64":
        assert run(LIBC + add) == "True True"


def test_no_signal_reaches_the_worker_or_a_sibling(pair, run):
    one, other = pair
    kill = (
        "import os, signal\nreached = []\n"
        "for pid in [-1, *range(2, 2000)]:\n"
        "    for number in (0, signal.SIGSTOP, signal.SIGKILL):\n"
        "        try:\n            os.kill(pid, number)\n            reached.append(pid)\n"
        "        except OSError:\n            pass\nprint(reached)"
    )
    assert one(kill) == "[]"
    assert other("print('alive')") == "alive"
    assert run("print('alive')") == "alive"


def test_no_process_can_be_traced_or_read(run):
    attempt = (
        LIBC + "child = os.fork()\nif not child:\n    import time\n    time.sleep(5)\n    os._exit(0)\n"
        "print([libc.ptrace(16, pid, 0, 0) for pid in (1, 2, child)],"
        " libc.process_vm_readv(child, None, 0, None, 0, 0), ctypes.get_errno() == errno.EPERM)"
    )
    assert run(attempt) == "[-1, -1, -1] -1 True"


def test_proc_shows_nothing(run):
    assert run("import os\nprint(os.listdir('/proc'))") == "[]"


def test_the_only_descriptors_are_the_standard_ones_and_the_wire(run):
    look = (
        "import os\nopen_ones = []\nfor number in range(256):\n"
        "    try:\n        os.fstat(number)\n        open_ones.append(number)\n    except OSError:\n        pass\n"
        "print(open_ones, [os.fstat(n).st_rdev == os.stat('/dev/null').st_rdev for n in (0, 1, 2)])"
    )
    assert run(look) == "[0, 1, 2, 3] [True, True, True]"


def test_the_environment_of_one_is_not_that_of_another(pair):
    one, other = pair
    one("import ctypes, os\nos.environ['LEFT'] = '1'\nctypes.CDLL(None).setenv(b'LEFT', b'1', 1)")
    assert other("import ctypes, os\nprint('LEFT' in os.environ, ctypes.CDLL(None).getenv(b'LEFT'))") == "False 0"


def test_modules_on_disk_cannot_be_changed(run):
    attempt = (
        "import os, torch, seq2seq.scorer, autograder.sandbox.answers as answers, json\nchanged = []\n"
        "for path in (torch.__file__, seq2seq.scorer.__file__, answers.__file__, json.__file__):\n"
        "    for act in (lambda: open(path, 'a'), lambda: os.unlink(path), lambda: os.rename(path, path + 'x'),"
        " lambda: os.chmod(path, 0o777), lambda: os.utime(path), lambda: os.mkdir(os.path.dirname(path) + '/x'),"
        " lambda: os.symlink('/tmp/x', path + 'y')):\n"
        "        try:\n            act()\n            changed.append(path)\n        except OSError:\n            pass\n"
        "print(changed)"
    )
    assert run(attempt) == "[]"


@pytest.mark.parametrize(
    "attempt",
    [
        "libc.mount(b'tmpfs', b'/course', b'tmpfs', 0, None)",
        "libc.mount(None, b'/usr', None, 32, None)",  # remount, to be writable
        "libc.umount2(b'/proc', 2)",
        "libc.unshare(0x10000000)",
        "libc.sethostname(b'x', 1)",
        "libc.clock_settime(0, (ctypes.c_long * 2)(0, 0))",
        "libc.setuid(0)",
        "libc.prctl(1, 0, 0, 0, 0)",
        "libc.nice(-1)",
        "libc.syscall(319, b'x', 0) if os.uname().machine == 'x86_64' else -1",
        "libc.chroot(b'/tmp')",
    ],
    ids=[
        "mount",
        "remount",
        "umount",
        "new user namespace",
        "host name",
        "clock",
        "root",
        "outlive",
        "priority",
        "memfd",
        "chroot",
    ],
)
def test_nothing_of_the_machine_can_be_changed(run, attempt):
    assert run(LIBC + f"print({attempt})") == "-1"


def test_a_new_user_namespace_cannot_be_cloned_either(run):
    clone = (
        "child = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)\n"  # clone(CLONE_NEWUSER | SIGCHLD)
        "if child == 0:\n    os._exit(0)\nprint(child)"
    )
    if os.uname().machine == "x86_64":
        assert run(LIBC + clone) == "-1"


def test_a_submission_of_one_box_sees_nothing_of_anothers(learner, box):
    with Sandbox(ROOT, (), box.limits) as second:
        one, other = learner(), learner(second)
        one("open('/tmp/left', 'w').write('x')")
        assert other("import os\nprint(os.listdir('/tmp'))") == one("print([])")
        other.end()


def test_the_host_name_tells_nothing(run):
    assert run("import socket\nprint(socket.gethostname())") == "sandbox"


def test_the_answers_class_is_fresh_for_each(pair):
    one, other = pair
    one("import autograder.sandbox.answers as a\na.Answers.run = lambda *x, **y: {'outputs': [], 'error': None}")
    assert other("print('mine')") == "mine"


def test_core_files_are_not_written(run):
    assert run("import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE))") == "(0, 0)"
