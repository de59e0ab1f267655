"""Calls by which one submission could be noticed by another, or hold it up, are refused or do nothing."""

import json
import struct

import pytest

from autograder.sandbox import syscalls

pytestmark = pytest.mark.sandbox

LIBC = "import ctypes, errno, fcntl, json, os, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n"
X86 = pytest.mark.skipif(syscalls.platform.machine() != "x86_64", reason="numbers of x86_64")


@pytest.fixture
def tried(run):
    """What a line of Python gives in the box: its value, or the name of its error's number."""

    def tried(expression, before=""):
        lines = f"try:\n    print({expression})\nexcept OSError as error:\n    print(errno.errorcode[error.errno])"
        return run(LIBC + before + "\n" + lines)

    return tried


@pytest.mark.parametrize("place", ["json.__file__", "'/dev/null'", "'/tmp'"])
@pytest.mark.parametrize("command", ["fcntl.F_SETLEASE, fcntl.F_WRLCK", "fcntl.F_NOTIFY, fcntl.DN_ACCESS", "1040, 1"])
def test_no_file_can_be_leased_or_watched(tried, place, command):
    """Whoever opens a file that is leased waits for 45 seconds."""
    assert tried(f"fcntl.fcntl(os.open({place}, os.O_RDONLY), {command})") == "EINVAL"


@pytest.mark.parametrize(
    "call",
    ["libc.inotify_init()", "libc.inotify_init1(0)", "libc.fanotify_init(0x200, 0)", "libc.vmsplice(1, 0, 0, 0)"],
)
def test_programs_of_others_cannot_be_watched(tried, call):
    assert tried(f"{call}, ctypes.get_errno() == errno.EPERM") == "-1 True"


@X86
@pytest.mark.parametrize("name", sorted(syscalls.REFUSED))
def test_every_call_of_the_list_is_refused(tried, name):
    """A kernel that does not know one says ENOSYS without the filter, and EPERM with it."""
    assert tried(f"libc.syscall({syscalls.REFUSED[name][0]}, -1, 0, 0, 0, 0, 0), ctypes.get_errno()") == "-1 1"


def test_sockets_are_of_four_families_alone(run):
    source = (
        "made = []\nfor family in range(64):\n"
        "    for make in (lambda: socket.socket(family, socket.SOCK_DGRAM), lambda: socket.socketpair(family)):\n"
        "        try:\n            make()\n            made.append(family)\n"
        "        except (OSError, ValueError) as error:\n"
        "            if error.errno != errno.EAFNOSUPPORT and family not in (1, 2, 10, 16):\n"
        "                made.append((family, error.errno))\n"
        "print(sorted(set(made)))"
    )
    assert set(json.loads(run(LIBC + source).replace("(", "[").replace(")", "]"))) <= {1, 2, 10, 16}


@pytest.mark.parametrize("place", ["json.__file__", "'/dev/null'", "torch.__file__"])
def test_a_lock_holds_nobody(learner, place):
    """Not one that it is granted, nor by what a question about it tells."""
    one, other = learner(), learner()
    open_it = f"import torch\nfile = os.open({place}, os.O_RDWR if {place} == '/dev/null' else os.O_RDONLY)\n"
    take = "fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\nfcntl.lockf(file, {} | fcntl.LOCK_NB)\nprint('taken')"
    kind = "fcntl.LOCK_EX" if "null" in place else "fcntl.LOCK_SH"
    assert one(LIBC + open_it + take.format(kind)) == "taken"
    assert other(LIBC + open_it + take.format(kind)) == "taken"
    ask = struct.pack("hhllii", 1, 0, 0, 0, 0, 0)  # F_WRLCK
    assert other(LIBC + open_it + f"fcntl.fcntl(file, fcntl.F_GETLK, {ask!r})") == "OSError"


def test_honest_locks_cost_nothing(run):
    source = (
        "import sqlite3\nbase = sqlite3.connect('/tmp/base')\nbase.execute('create table t (x)')\n"
        "base.execute('insert into t values (7)')\nbase.commit()\n"
        "print(sqlite3.connect('/tmp/base').execute('select x from t').fetchone()[0])"
    )
    assert run(source) == "7"


@pytest.mark.parametrize("make", ["mmap.mmap(-1, 4096)", "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)"])
def test_no_memory_is_shared_that_no_file_system_counts(tried, make):
    assert tried(make, "import mmap") in ("EPERM", "ENODEV", "EACCES")
    assert tried("len(mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))", "import mmap") == "4096"


@pytest.mark.parametrize("huge", ["0x40000", "0x40000 | 30 << 26"])
def test_no_huge_pages_of_the_machine(tried, huge):
    """They count as nobody's memory."""
    call = f"libc.mmap(0, ctypes.c_size_t(2**21), 3, 0x22 | {huge}, -1, 0)"
    assert (
        tried(
            f"ctypes.c_void_p({call}).value == 2**64 - 1, errno.errorcode[ctypes.get_errno()]",
            "libc.mmap.restype = ctypes.c_void_p",
        )
        == "True EPERM"
    )


def test_what_is_read_of_zeros_stays(run):
    assert run("print(open('/dev/zero', 'rb').read(3))") == r"b'\x00\x00\x00'"


def test_a_socket_keeps_its_size(tried):
    before = "one = socket.socket(socket.AF_UNIX)\nsize = one.getsockopt(1, 7), one.getsockopt(1, 8)\n"
    before += "one.setsockopt(1, 7, 2**22)\none.setsockopt(1, 8, 2**22)\n"
    assert tried("(one.getsockopt(1, 7), one.getsockopt(1, 8)) == size", before) == "True"


def test_no_process_ends_without_a_trace(tried):
    ignore = (
        "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\npid = os.fork()\nif not pid:\n    os._exit(7)"
    )
    assert tried("os.waitstatus_to_exitcode(os.wait()[1])", ignore) == "7"
    assert tried("libc.signal(17, 1), errno.errorcode[ctypes.get_errno()]") == "-1 EPERM"
    assert tried("signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL", "import signal") == "True"
    assert tried("libc.sigaction(17, None, ctypes.create_string_buffer(200))") == "0"


@X86
def test_no_action_can_hide_in_half_an_address(tried):
    """A new action at an address whose lower half is 0, where there is nothing to be read."""
    call = "libc.syscall(13, 17, ctypes.c_void_p(2**32), None, 8), errno.errorcode[ctypes.get_errno()]"
    assert tried(call) == "-1 EPERM"


def test_all_processes_are_of_one_session(tried):
    assert (
        tried(
            "os.waitstatus_to_exitcode(os.wait()[1])",
            "pid = os.fork()\nif not pid:\n    os.setsid()\n    os._exit(os.getsid(0) == os.getpid())",
        )
        == "0"
    )


@X86
@pytest.mark.parametrize("flags", ["0x10000000", "0x40000000", "0x8000"], ids=["user", "network", "sibling"])
def test_no_clone_with_namespaces_or_as_a_sibling(tried, flags):
    assert tried(f"libc.syscall(56, {flags} | 17, 0, 0, 0, 0), errno.errorcode[ctypes.get_errno()]") == "-1 EPERM"


def test_no_terminal_is_shared_with_a_sibling(tried):
    assert tried("os.openpty()") == "ENOENT"


def test_programs_threads_and_processes_start_as_ever(run):
    source = (
        "import multiprocessing, os, subprocess, threading\n"
        "said = subprocess.run(['echo', 'program'], capture_output=True, text=True).stdout.strip()\n"
        "late = subprocess.Popen(['true'], start_new_session=True).wait()\n"
        "threads = []\nthread = threading.Thread(target=threads.append, args=('thread',))\nthread.start()\nthread.join()\n"
        "with multiprocessing.Pool(2) as pool:\n    print(said, late, threads[0], pool.map(abs, [-1, -2]), os.system('true'))"
    )
    assert run(source) == "program 0 thread [1, 2] 0"


def test_workers_of_a_data_loader_start_as_ever(run):
    source = "import torch\nfrom torch.utils.data import DataLoader\n"
    source += "print(torch.cat(list(DataLoader(torch.arange(6), batch_size=2, num_workers=2))).tolist())"
    assert run(source) == "[0, 1, 2, 3, 4, 5]"


def test_shell_commands_are_shown(run):
    assert run("!echo hello; echo below >&2") == "hello\nbelow"


def test_the_filter_knows_both_machines():
    for machine in syscalls.MACHINES:
        steps = list(struct.iter_unpack("HBBI", syscalls.program(False, machine)))
        assert len(steps) < 4096
        ends = [place + 1 + max(step[1:3]) for place, step in enumerate(steps) if step[0] == syscalls.EQUALS]
        assert max(ends) < len(steps)
    with pytest.raises(OSError, match="no list of system calls for riscv64"):
        syscalls.program(False, "riscv64")
