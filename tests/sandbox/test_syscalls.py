"""Calls by which one submission could be noticed by another, or hold it up, are refused or do nothing.

Not tried again is what the doctor tries (isolation_tests.toml), and that no other call than those that are listed is
answered (test_allowed_calls.py).
"""

import pytest
from learners import misses

from autograder.sandbox import syscalls

pytestmark = pytest.mark.sandbox
X86 = syscalls.platform.machine() == "x86_64"

# Prints what a line of Python gives: its value, or the name of its error's number; -1 of libc with its error's name.
START = """
import ctypes, errno, fcntl, json, mmap, os, signal, socket, torch
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
def tried(attempt):
    try:
        answer = attempt()
    except OSError as error:
        answer = errno.errorcode[error.errno]
    if type(answer) is int and answer in (-1, 2**64 - 1):
        answer = errno.errorcode[ctypes.get_errno()]
    print(answer)
"""
REFUSED = [  # parts of allowed calls
    "libc.mmap(0, ctypes.c_size_t(2**21), 3, 0x22 | 0x40000 | 30 << 26, -1, 0)",  # huge pages count as nobody's memory
    *[
        "libc.syscall(13, 17, ctypes.c_void_p(2**32), None, 8)",  # an action for SIGCHLD, half of whose address is 0
        # clone with a new namespace of users or networks, or as a sibling
        *(
            f"libc.syscall(56, {flag} | 17, 0, 0, 0, 0) or os._exit(0)"
            for flag in ("0x10000000", "0x40000000", "0x8000")
        ),
    ]
    * X86,
]
UNKNOWN = (
    "libc.prctl(1, 0, 0, 0, 0)",
    "libc.prctl(4, 0, 0, 0, 0)",
    "libc.prctl(36, 0, 0, 0, 0)",
    "libc.prctl(62, 0, 0, 0, 0)",
)
LEASES = "fcntl.F_SETLEASE, fcntl.F_WRLCK", "fcntl.F_NOTIFY, fcntl.DN_ACCESS", "1040, 1"
ANSWERS = {
    **dict.fromkeys(REFUSED, "EPERM"),
    **dict.fromkeys(UNKNOWN, "EINVAL"),  # to outlive the supervisor, hide its memory, keep orphans; the last is new
    **{  # whoever opens a file that is leased waits for 45 seconds
        f"fcntl.fcntl(os.open({place}, os.O_RDONLY), {lease})": "EINVAL"
        for place in ("json.__file__", "'/dev/null'", "'/tmp'")
        for lease in LEASES
    },
    "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)": ("EPERM", "ENODEV", "EACCES"),
    "libc.mq_open(b'/q', os.O_CREAT | os.O_RDWR, 0o666, None)": ("EPERM", "EACCES", "EMFILE", "ENOSYS"),
    "os.openpty()": "ENOENT",  # a sibling could take its other end
    # What honest code asks for is granted, or seems to be.
    "len(mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))": "4096",
    "open('/dev/zero', 'rb').read(3)": r"b'\x00\x00\x00'",
    "libc.sigaction(17, None, ctypes.create_string_buffer(200))": "0",
    "signal.signal(signal.SIGCHLD, signal.SIG_IGN) == signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL": "True",
}
BUFFERS = """
one = socket.socket(socket.AF_UNIX)
sizes = one.getsockopt(1, 7), one.getsockopt(1, 8)
one.setsockopt(1, 7, 2**22), one.setsockopt(1, 8, 2**22)
print((one.getsockopt(1, 7), one.getsockopt(1, 8)) == sizes)
"""
CHILD = """
pid = os.fork()
if not pid:
    os._exit({})
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
DATABASE = """
import sqlite3
base = sqlite3.connect('/tmp/base')
base.execute('create table t (x)')
base.execute('insert into t values (7)')
base.commit()
print(sqlite3.connect('/tmp/base').execute('select x from t').fetchone()[0])
"""
PROGRAMS = """
import multiprocessing, subprocess, threading
said = subprocess.run(['echo', 'program'], capture_output=True, text=True).stdout.strip()
late = subprocess.Popen(['true'], start_new_session=True).wait()
threads = []
thread = threading.Thread(target=threads.append, args=('thread',))
thread.start()
thread.join()
with multiprocessing.Pool(2) as pool:
    print(said, late, threads[0], pool.map(abs, [-1, -2]), os.system('true'))
"""
LOADER = """
from torch.utils.data import DataLoader
print(torch.cat(list(DataLoader(torch.arange(6), batch_size=2, num_workers=2))).tolist())
"""
CELLS = {
    "a socket keeps its size": (BUFFERS, "True"),
    "a child ends with a trace": (CHILD.format("7"), "7"),
    "all processes are of one session": (CHILD.format("os.setsid() or os.getsid(0) == os.getpid()"), "0"),
    "a child cannot be traced": (CHILD.format("libc.ptrace(16, os.getppid(), 0, 0) != -1"), "0"),
    "locks of a database": (DATABASE, "7"),
    "programs, threads and processes": (PROGRAMS, "program 0 thread [1, 2] 0"),
    "workers of a data loader": (LOADER, "[0, 1, 2, 3, 4, 5]"),
    "shell commands": ("!echo hello; echo below >&2", "hello\nbelow"),
}


def test_calls_are_refused_or_answered_as_they_must_be_and_honest_work_goes_on(learner):
    submission = learner()
    submission(START)
    calls = {call: (f"tried(lambda: {call})", answer) for call, answer in ANSWERS.items()}
    assert misses(submission, calls | CELLS) == {}
