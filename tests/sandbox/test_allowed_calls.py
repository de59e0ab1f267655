"""Only the listed system calls reach the kernel: on this machine's, tried one by one, and by the filter's own text.

That honest work needs no others is tried by every solved notebook (tests/autograder/test_solutions.py), by
test_cells.py and by the honest among tests/attacks.
"""

import errno
import platform
import struct

import pytest

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
    assert refusal(PermissionError(errno.EACCES, "x")) == refusal(ValueError()) == ""  # of the learner's own
