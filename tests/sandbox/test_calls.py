"""Only the listed system calls reach the kernel, and those by which others could be noticed or held up do nothing.

That honest work needs no others is tried by every solved notebook (tests/autograder/test_solutions.py), by
test_cells.py and by the honest among tests/attacks.
"""

import errno
import platform
import struct

import pytest
from learners import misses

from autograder.sandbox import syscalls
from autograder.sandbox.allowed_calls import ALLOWED, PRETENDED
from autograder.tracebacks import REFUSAL, refusal

NUMBERS = range(600)
NEW = 430  # from here on a kernel that is a few years old may lack what is listed
# Ends, forks or sleeps; or is asked for a kind of itself that the kernel lacks.
NOT_CALLED = {"futex", "exit", "exit_group", "fork", "vfork", "clone", "pause", "restart_syscall", "rt_sigreturn"}
TRIED = """
import ctypes, errno, os, signal
libc = ctypes.CDLL(None, use_errno=True)
def answer(number):
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_REAL, 1)
        os.closerange(0, 100)
        result = libc.syscall(number, *[-1] * 6)
        os._exit(ctypes.get_errno() if result == -1 else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(*[number for number in {numbers} if answer(number) != errno.ENOSYS])
"""
SMALL = (
    "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', {!r}], capture_output=True).stdout.decode())"
)


def answer(program, number, arguments=(0,) * 6, audit=0xC000003E):
    """What a filter says to a call, by its own steps."""
    data, position, register = struct.pack("<IIQ6Q", number, audit, 0, *arguments), 0, 0
    steps = list(struct.iter_unpack("HBBI", program))
    while True:
        code, then, otherwise, value = steps[position]
        position += 1
        if code == syscalls.RETURN:
            return value
        if code == syscalls.LOAD:
            (register,) = struct.unpack_from("<I", data, value)
        elif code == syscalls.AND:
            register &= value
        else:
            tests = {syscalls.EQUALS: register == value, syscalls.ABOVE: register > value}
            position += then if tests.get(code, register >= value) else otherwise


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_the_filter_lets_through_what_is_listed_and_answers_all_else_as_a_kernel_that_lacks_it(machine):
    _, audit = syscalls.MACHINES[machine]
    program, listed = syscalls.program(False, machine), syscalls.numbers(machine)
    arguments = (1, 1, 0, 0, 0, 0)  # allowed of every call
    answers = {number: answer(program, number, arguments, audit) for number in (*NUMBERS, 2**30, 2**30 + 1, 2**32 - 1)}
    refused = {number for number, action in answers.items() if action == syscalls.refuse_with(errno.ENOSYS)}
    assert refused == set(answers) - listed
    pretended = {call[syscalls.MACHINES[machine][0]] for call in PRETENDED.values()}
    assert {number for number in listed if answers[number] == syscalls.DONE} == pretended
    assert answer(program, 0, audit=0x40000003) == syscalls.KILL  # as a 32-bit program counts
    steps = list(struct.iter_unpack("HBBI", program))
    assert max(place + 1 + max(step[1:3]) for place, step in enumerate(steps[:-1])) < len(steps) < 4096


def test_two_machines_have_lists_without_duplicates_that_differ_for_a_reason_and_no_third_has_one():
    for column in (0, 1):
        numbers = [call[column] for call in (ALLOWED | PRETENDED).values() if call[column] is not None]
        assert len(numbers) == len(set(numbers))
    assert all(call[0] is not None for call in ALLOWED.values())
    assert all(call[0] == call[1] for call in ALLOWED.values() if max(call[0], call[1] or 0) >= 424)  # one list since
    with pytest.raises(OSError, match="no list of system calls for riscv64"):
        syscalls.program(False, "riscv64")


@pytest.mark.sandbox
def test_every_listed_call_is_answered_by_the_kernel_and_no_other_number(learner):
    """Each in a process of its own, forked from one that has little to copy."""
    column, _ = syscalls.MACHINES[platform.machine()]
    not_called, listed = (
        {ALLOWED[name][column] for name in NOT_CALLED if name in ALLOWED},
        syscalls.numbers(platform.machine()),
    )
    told = learner()(SMALL.format(TRIED.format(numbers=sorted({*NUMBERS} - not_called))))
    answered, allowed = set(map(int, told.split())), {call[column] for call in ALLOWED.values()} - {None}
    assert {number for number in allowed - not_called if number < NEW} <= answered
    assert answered - listed <= {335, 336}  # of the kernel's own probes, which no filter sees


SAYS = {
    "a refused call": ("import os\nos.memfd_create('x')", REFUSAL),
    "a refused part of a call": ("import mmap\nmmap.mmap(-1, 4096)", REFUSAL),
    "a file that is not there": ("open('/nowhere')", "'/nowhere'"),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", SAYS)
def test_a_learner_whose_call_is_refused_is_told_by_whom(learner, name):
    source, expected = SAYS[name]
    submission = learner()
    submission.start(source)
    error = submission.session.wire.receive()["error"]
    assert error["kind"] in ("OSError", "PermissionError", "FileNotFoundError")
    assert error["detail"].endswith(expected)
    assert refusal(str(PermissionError(errno.EACCES, "x"))) == ""  # of the learner's own


X86 = platform.machine() == "x86_64"

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


@pytest.mark.sandbox
def test_calls_are_refused_or_answered_as_they_must_be_and_honest_work_goes_on(learner):
    submission = learner()
    submission(START)
    calls = {call: (f"tried(lambda: {call})", answer) for call, answer in ANSWERS.items()}
    assert misses(submission, calls | CELLS) == {}
