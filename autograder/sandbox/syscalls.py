"""The seccomp filter: system calls that submissions may not make, or only in part.

Namespaces and limits leave these gaps: memory that belongs to no process; keyrings and page tables that two
submissions of one box would share; leases, locks and watches on files that every box of the machine shares; processes
that end uncounted or compete as separate sessions; and the signal that kills a submission with its supervisor, which
it could cancel. The rest of the list is not needed by learners and has been used to escape from sandboxes before.
"""

import ctypes
import errno
import os
import platform
import struct
from functools import cache

LIBC = ctypes.CDLL(None, use_errno=True)

# name: number on x86_64, on aarch64
REFUSED = {
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186),
    "semget": (64, 190), "vmsplice": (278, 75),
    "inotify_init": (253, 26), "inotify_init1": (294, 26), "fanotify_init": (300, 262), "mincore": (27, 232),
    "cachestat": (451, 451), "listmount": (458, 458), "statmount": (457, 457), "syslog": (103, 116),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "kcmp": (312, 272), "io_setup": (206, 0), "io_uring_setup": (425, 425), "userfaultfd": (323, 282),
    "bpf": (321, 280), "perf_event_open": (298, 241),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467), "open_by_handle_at": (304, 265),
    "init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
}  # fmt: skip
# Reported as done: honest code goes on, and no one else waits for the disk, loses a cached file or a fair CPU share.
PRETENDED = {
    "flock": (73, 32), "sync": (162, 81), "syncfs": (306, 267), "fadvise64": (221, 223), "setsid": (112, 157),
}  # fmt: skip
PRCTL, FCNTL, MMAP, RT_SIGACTION = (157, 167), (72, 25), (9, 222), (13, 134)
CLONE, CLONE3, SETSOCKOPT = (56, 220), (435, 435), (54, 208)
SOCKETS = (41, 198), (53, 199)  # socket, socketpair

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 36, 22, 2
FAMILIES = (1, 2, 10, 16)  # UNIX, INET, INET6, NETLINK: others are outside the network namespace
SOL_SOCKET, BUFFER_SIZES = 1, (7, 8)  # SO_SNDBUF, SO_RCVBUF
FILE_LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
# Allowed: copying descriptors, flags, signal owners, pipe sizes; not leases, dnotify or queries of locks.
COMMANDS = (0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16, 1027, 1028, 1030, 1031, 1032)
SHARED_ANONYMOUS, MAP_HUGETLB = 0x21, 0x40000
NAMESPACES_AND_PARENT = 0x7E028000  # with CLONE_PARENT, the clone would be the supervisor's child in a container
SIGCHLD = 17

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
LOAD, AND, EQUALS, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # of classic BPF
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # offsets in seccomp_data
ALLOW, DONE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
X32 = 0x40000000  # a second set of numbers for the same calls
WORD = 0xFFFFFFFF
Step = tuple[int, int, int, int]
Condition = tuple[int, int, bool, int]  # offset, mask, whether the masked value must equal or differ from the value
Rule = tuple[tuple[int, int], int, tuple[Condition, ...]]  # call, answer, conditions that must all hold


def refuse_with(error: int) -> int:
    return DONE | error


def argument(number: int, value: int, equal: bool = True, mask: int = WORD, half: int = 0) -> Condition:
    """Whether an argument is ``value``; of its two halves ``half`` is the offset, 0 for the lower."""
    return ARGUMENTS + 8 * number + half, mask, equal, value


def rules(cuda: bool) -> list[Rule]:
    """All rules; ``cuda`` allows shared anonymous mappings, by which CUDA shares pages with its driver."""
    refused = refuse_with(errno.EPERM)
    found: list[Rule] = [(FCNTL, DONE, (argument(1, lock),)) for lock in FILE_LOCKS]
    found += [(FCNTL, refuse_with(errno.EINVAL), tuple(argument(1, command, equal=False) for command in COMMANDS))]
    other_families = tuple(argument(0, family, equal=False) for family in FAMILIES)
    found += [(call, refuse_with(errno.EAFNOSUPPORT), other_families) for call in SOCKETS]
    found += [(SETSOCKOPT, DONE, (argument(1, SOL_SOCKET), argument(2, size))) for size in BUFFER_SIZES]
    kinds = (MAP_HUGETLB,) if cuda else (MAP_HUGETLB, SHARED_ANONYMOUS)
    found += [(MMAP, refused, (argument(3, kind, mask=kind),)) for kind in kinds]
    # Ignoring SIGCHLD would let children end uncounted. A query has no new action: both halves are 0.
    new_action = (argument(1, 0, equal=False, half=half) for half in (0, 4))
    found += [(RT_SIGACTION, refused, (argument(0, SIGCHLD), half)) for half in new_action]
    found += [(CLONE, refused, (argument(0, 0, equal=False, mask=NAMESPACES_AND_PARENT),))]
    found += [(CLONE3, refuse_with(errno.ENOSYS), ())]  # the filter cannot see its flags; libraries fall back to clone
    found += [(PRCTL, refused, (argument(0, option),)) for option in (PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER)]
    found += [(call, refused, ()) for call in REFUSED.values()]
    return found + [(call, DONE, ()) for call in PRETENDED.values()]


def steps(number: int, answer: int, conditions: tuple[Condition, ...]) -> list[Step]:
    """One rule as instructions; the next rule reloads the register."""
    tests = [(NUMBER, WORD, True, number), *conditions]
    made: list[Step] = []
    for left, (place, mask, equal, value) in zip(reversed(range(len(tests))), tests, strict=True):
        over = 3 * left + 1  # skips the remaining tests and the answer
        made += [(LOAD, 0, 0, place), (AND, 0, 0, mask), (EQUALS, *((0, over) if equal else (over, 0)), value)]
    return [*made, (RETURN, 0, 0, answer)]


@cache
def program(cuda: bool, machine: str = platform.machine()) -> bytes:
    """The filter as instructions of classic BPF; raises OSError for a machine whose call numbers are unknown."""
    if machine not in MACHINES:
        raise OSError(errno.ENOSYS, f"no list of system calls for {machine}, only for {', '.join(MACHINES)}")
    column, audit = MACHINES[machine]
    whole = [(LOAD, 0, 0, MACHINE), (EQUALS, 1, 0, audit), (RETURN, 0, 0, KILL)]
    if machine == "x86_64":
        whole += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32), (RETURN, 0, 0, refuse_with(errno.EPERM))]
    for call, answer, conditions in rules(cuda):
        whole += steps(call[column], answer, conditions)
    return b"".join(struct.pack("HBBI", *step) for step in [*whole, (RETURN, 0, 0, ALLOW)])


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
