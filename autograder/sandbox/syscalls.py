"""System calls that no submission may make, refused by a seccomp filter.

Namespaces and limits leave these gaps: memory that belongs to no process (memfd, SysV shared memory), keyrings that
two submissions of one box would share, and the signal by which a submission dies with its warden, which it could take
back. The rest of the list is never needed to learn from, and has been a way out of sandboxes before.
"""

import ctypes
import errno
import os
import platform
import struct

# name: number on x86_64, on aarch64
REFUSED = {
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186),
    "semget": (64, 190),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "io_uring_setup": (425, 425), "userfaultfd": (323, 282), "bpf": (321, 280), "perf_event_open": (298, 241),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsmount": (432, 432),
    "mount_setattr": (442, 442), "open_by_handle_at": (304, 265),
    "init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
}  # fmt: skip
PRCTL = (157, 167)
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
PR_SET_PDEATHSIG, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 22, 2
LOAD, EQUALS, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # of classic BPF
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16  # places in seccomp_data
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
X32 = 0x40000000  # a second set of numbers for the same calls


def program(machine: str) -> bytes:
    """The filter as instructions of classic BPF; raises OSError for a machine whose numbers are not known."""
    if machine not in MACHINES:
        raise OSError(errno.ENOSYS, f"no list of system calls for {machine}; there is {', '.join(MACHINES)}")
    column, audit = MACHINES[machine]
    steps = [(LOAD, 0, 0, MACHINE), (EQUALS, 1, 0, audit), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    if machine == "x86_64":
        steps += [(AT_LEAST, 0, 1, X32), (RETURN, 0, 0, REFUSE)]
    for numbers in REFUSED.values():
        steps += [(EQUALS, 0, 1, numbers[column]), (RETURN, 0, 0, REFUSE)]
    steps += [(EQUALS, 0, 3, PRCTL[column]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    steps += [(EQUALS, 0, 1, PR_SET_PDEATHSIG), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def refuse() -> None:
    """Puts the filter on this process and all that it will start, for ever; needs no_new_privs."""
    steps = program(platform.machine())
    whole = Program(len(steps) // 8, steps)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(whole), 0, 0) < 0:
        raise OSError(ctypes.get_errno(), f"refuse system calls: {os.strerror(ctypes.get_errno())}")
