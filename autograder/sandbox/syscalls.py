"""The seccomp filter: a submission may make the listed system calls, some of them only in part, and no others.

Namespaces and limits leave these gaps, each of which has a rule below: memory that belongs to no process; leases, locks
and watches on files that every box of the machine shares; kinds of sockets that are outside the network namespace;
processes that end uncounted or compete as separate sessions; and the signal that kills a submission with its
supervisor, which it could cancel. Whatever else a kernel offers has been used to escape from sandboxes before, or will
be: keyrings, tracing, asynchronous I/O, file systems, programs in the kernel.
"""

import ctypes
import errno
import os
import platform
import struct
from functools import cache

from autograder.sandbox.allowed_calls import ALLOWED, PRETENDED

LIBC = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 36, 22, 2
# UNIX, INET, INET6, NETLINK. Other kinds of sockets are outside the network namespace: some reach the host's devices,
# virtual machines or kernel, and each has had its own way out.
FAMILIES = (1, 2, 10, 16)
# SO_SNDBUF, SO_RCVBUF: what waits in a socket belongs to no process, so that each counts as full, at this size.
SOL_SOCKET, BUFFER_SIZES = 1, (7, 8)
# F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW: of files that all boxes of the machine share.
FILE_LOCKS = (6, 7, 37, 38)
# Of fcntl: copying descriptors, flags, signal owners, pipe sizes; not leases, dnotify or queries of locks.
COMMANDS = (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16, 1027, 1028, 1030, 1031, 1032)
# Of prctl: PR_GET_PDEATHSIG, _DUMPABLE and _KEEPCAPS, _SET_ and _GET_NAME, _GET_SECCOMP, _CAPBSET_READ, the timers'
# slack, _NO_NEW_PRIVS, large pages, _CAP_AMBIENT, and _SET_VMA, by which the C library names its memory.
OPTIONS = (2, 3, 7, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42, 47, 0x53564D41)
SHARED_ANONYMOUS, MAP_HUGETLB = 0x21, 0x40000
# All flags of clone for namespaces, and CLONE_PARENT, by which a clone would be the supervisor's child in a container.
NAMESPACES_AND_PARENT = 0x7E028000
SIGCHLD = 17

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
LOAD, AND, EQUALS, ABOVE, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x06  # of classic BPF
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # offsets in seccomp_data
ALLOW, DONE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
WORD = 0xFFFFFFFF
Step = tuple[int, int, int, int]
Condition = tuple[int, int, bool, int]  # offset, mask, whether the masked value must equal or differ from the value
Rule = tuple[str, int, tuple[Condition, ...]]  # call, answer, conditions that must all hold


def refuse_with(error: int) -> int:
    return DONE | error


def argument(number: int, value: int, equal: bool = True, mask: int = WORD, half: int = 0) -> Condition:
    """Whether an argument is ``value``; of its two halves ``half`` is the offset, 0 for the lower."""
    return ARGUMENTS + 8 * number + half, mask, equal, value


def rules(cuda: bool) -> list[Rule]:
    """What is refused of allowed calls; ``cuda`` allows shared anonymous mappings, by which CUDA shares pages."""
    refused = refuse_with(errno.EPERM)
    # A lock is granted and means nothing, so that nobody waits for it. A lease would hold up whoever opens the file.
    parts: list[Rule] = [("fcntl", DONE, (argument(1, lock),)) for lock in FILE_LOCKS]
    others = tuple(argument(1, command, equal=False) for command in COMMANDS)
    parts += [("fcntl", refuse_with(errno.EINVAL), others)]
    # The families that the network namespace holds. Buffers keep their size: each socket is counted as full.
    other_families = tuple(argument(0, family, equal=False) for family in FAMILIES)
    parts += [(call, refuse_with(errno.EAFNOSUPPORT), other_families) for call in ("socket", "socketpair")]
    parts += [("setsockopt", DONE, (argument(1, SOL_SOCKET), argument(2, size))) for size in BUFFER_SIZES]
    # Huge pages count as nobody's memory, and so do shared ones that no process has touched.
    kinds = (MAP_HUGETLB,) if cuda else (MAP_HUGETLB, SHARED_ANONYMOUS)
    parts += [("mmap", refused, (argument(3, kind, mask=kind),)) for kind in kinds]
    # Ignoring SIGCHLD would let children end uncounted. A query has no new action: both halves are 0.
    new_action = (argument(1, 0, equal=False, half=half) for half in (0, 4))
    parts += [("rt_sigaction", refused, (argument(0, SIGCHLD), half)) for half in new_action]
    # New namespaces, another parent. clone3 is not on the list: the filter cannot see its flags, and libraries go on
    # with clone. Of prctl what reads, and names: it could outlive the supervisor, keep orphans or hide its memory.
    parts += [("clone", refused, (argument(0, 0, equal=False, mask=NAMESPACES_AND_PARENT),))]
    others = tuple(argument(0, option, equal=False) for option in OPTIONS)
    parts += [("prctl", refuse_with(errno.EINVAL), others)]
    return parts + [(call, DONE, ()) for call in PRETENDED]


def ranges(machine: str) -> list[tuple[int, int]]:
    """The first and last of each run of allowed numbers on a machine."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers(machine)):
        runs[-1:] = [(runs[-1][0], number)] if runs and runs[-1][1] == number - 1 else [*runs[-1:], (number, number)]
    return runs


def numbers(machine: str) -> set[int]:
    """The numbers of all calls on the list, those that are pretended among them."""
    column, _ = MACHINES[machine]
    return {number for call in (ALLOWED | PRETENDED).values() if (number := call[column]) is not None}


def steps(number: int, answer: int, conditions: tuple[Condition, ...]) -> list[Step]:
    """One rule as instructions; the next rule reloads the register."""
    tests = [(NUMBER, WORD, True, number), *conditions]
    instructions: list[Step] = []
    for left, (offset, mask, equal, value) in zip(reversed(range(len(tests))), tests, strict=True):
        over = 3 * left + 1  # skips the remaining tests and the answer
        instructions += [(LOAD, 0, 0, offset), (AND, 0, 0, mask), (EQUALS, *((0, over) if equal else (over, 0)), value)]
    return [*instructions, (RETURN, 0, 0, answer)]


@cache
def program(cuda: bool, machine: str = platform.machine()) -> bytes:
    """The filter as instructions of classic BPF; raises OSError for a machine whose call numbers are unknown."""
    if machine not in MACHINES:
        raise OSError(errno.ENOSYS, f"no list of system calls for {machine}, only for {', '.join(MACHINES)}")
    column, audit = MACHINES[machine]
    whole = [(LOAD, 0, 0, MACHINE), (EQUALS, 1, 0, audit), (RETURN, 0, 0, KILL)]
    for name, answer, conditions in rules(cuda):
        number = (ALLOWED | PRETENDED)[name][column]
        assert number is not None
        whole += steps(number, answer, conditions)
    whole += [(LOAD, 0, 0, NUMBER)]
    for first, last in ranges(machine):
        whole += [(AT_LEAST, 0, 2, first), (ABOVE, 1, 0, last), (RETURN, 0, 0, ALLOW)]
    # A call by the numbers of another architecture, which the rules do not know, ends the process; another number that
    # is not listed is answered as by a kernel that lacks the call, which programs are prepared for.
    return b"".join(struct.pack("HBBI", *step) for step in [*whole, (RETURN, 0, 0, refuse_with(errno.ENOSYS))])


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def must(result: int, what: str) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def refuse(cuda: bool) -> None:
    """Installs the filter permanently on this process and its future children; needs no_new_privs."""
    steps = program(cuda)
    whole = Program(len(steps) // 8, steps)
    must(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(whole), 0, 0), "refuse system calls")
