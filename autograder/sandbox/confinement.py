"""Confines a submission's process permanently: namespaces, mounts, limits, privileges, system calls."""

import ctypes
import fcntl
import os
import platform
import resource
import signal
import socket
from contextlib import suppress
from types import SimpleNamespace

from autograder.sandbox.syscalls import LIBC, PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, must, refuse

NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000
NEW_NAMESPACES = 0x00020000 | 0x20000000 | 0x08000000 | 0x04000000 | NEW_NETWORK  # mount, pid, ipc, uts, net
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 0x1000, 0x4000, 0x40000
RESERVED = 300  # lower process ids are given out only once: a fork bomb would get that many more
SPARE = 16  # so that the supervisor sees and reports an excess
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, PR_SET_DUMPABLE = 24, 38, 47, 4, 4


def die_with_parent() -> None:
    must(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "die with the parent")


def set_readable(readable: bool) -> None:
    """Whether processes of the same user may look into this one and its future children."""
    LIBC.prctl(PR_SET_DUMPABLE, int(readable), 0, 0, 0)


def leave_namespaces() -> None:
    """Enters new namespaces (that of process ids: for its children only); needs CAP_SYS_ADMIN."""
    must(LIBC.unshare(NEW_NAMESPACES), "unshare")


def leave_network() -> None:
    """Enters a network that leads nowhere, where the machine allows that; in a box there is no other."""
    if LIBC.unshare(NEW_NETWORK) < 0:
        LIBC.unshare(NEW_USER | NEW_NETWORK)


def mount_fresh(limits: SimpleNamespace) -> None:
    """Mounts fresh writable folders with one quota for all; everything of the worker is covered."""
    must(LIBC.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    hidden = MS_NOSUID | MS_NODEV
    quota = f"size={limits.disk},nr_inodes={limits.files},mode=1777".encode()
    must(LIBC.mount(b"tmpfs", b"/tmp", b"tmpfs", hidden, quota), "fresh /tmp")
    for part, place in (("/tmp/shm", "/dev/shm"), ("/tmp/tmp", "/tmp")):  # parts of one file system: one quota
        os.mkdir(part)
        os.chmod(part, 0o1777)
        must(LIBC.mount(part.encode(), place.encode(), None, MS_BIND, None), f"fresh {place}")
    for shared in (b"/dev/mqueue", b"/dev/pts"):
        cover(shared)
    if limits.address_space:  # shared mappings of it, which CUDA needs, have pages that no file system counts
        must(LIBC.mount(b"/dev/full", b"/dev/zero", None, MS_BIND, None), "a /dev/zero that cannot be mapped")


def cover(place: bytes) -> None:
    """Mounts an empty folder over ``place``, permanently."""
    if os.path.isdir(place):
        flags = MS_RDONLY | MS_NOEXEC | MS_NOSUID | MS_NODEV
        must(LIBC.mount(b"tmpfs", place, b"tmpfs", flags, None), f"empty {place!r}")


def cover_others() -> None:
    """Leaves /proc readable, except for the other processes of the box."""
    own = os.readlink("/proc/self")
    for name in os.listdir("/proc"):
        if name.isdigit() and name != own:
            cover(f"/proc/{name}".encode())


def die_first() -> None:
    """If the machine runs out of memory, the kernel must kill a submission first."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def bound_processes(limits: SimpleNamespace) -> None:
    """Sets a hard limit on the processes of this pid namespace, if the kernel has one for each (Linux 6.14).

    RLIMIT_NPROC, which every kernel has, does not bind root, and the supervisor can only count.
    """
    version = tuple(int(part) for part in platform.release().split(".")[:2])
    if version >= (6, 14) and os.getpid() < RESERVED:  # before, pid_max was that of the whole machine
        for name, value in ("pid_max", RESERVED + limits.processes + SPARE), ("ns_last_pid", RESERVED):
            with suppress(OSError), open(f"/proc/sys/kernel/{name}", "w") as file:
                file.write(str(value))


def set_limits(limits: SimpleNamespace) -> None:
    seconds = int(limits.cpu_seconds) + 10  # so that the supervisor stops it first and says why
    for which, value in (
        (resource.RLIMIT_AS, limits.address_space or resource.RLIM_INFINITY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, limits.file),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, limits.processes),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        resource.setrlimit(which, (value, value))


def drop_privileges() -> None:
    for capability in range(64):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails for numbers unknown to the kernel
    must(LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "clear ambient capabilities")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    must(LIBC.capset(header, (ctypes.c_uint32 * 6)()), "drop capabilities")
    must(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "forbid new privileges")


def close_all_but(wire: int, started: int) -> tuple[int, int]:
    """Keeps standard streams to /dev/null, the wire and ``started``; returns the new numbers of the last two."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    started, wire = (fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (started, wire))
    wire = os.dup2(wire, 3, inheritable=False)
    os.closerange(4, started)
    os.closerange(started + 1, 2**16)
    return wire, started


def confine(connection: socket.socket, limits: SimpleNamespace, started: int) -> socket.socket:
    """Gives up everything but the wire, which is returned; writes to ``started`` once that is done.

    If the process ends before that, the grader is at fault, not the learner's code.
    """
    os.chdir("/tmp")
    os.setsid()  # otherwise a signal to its process group would reach the worker, which has the same user
    must(LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "keep orphans")  # a container's would go to the supervisor
    wire, started = close_all_but(connection.detach(), started)
    set_limits(limits)
    drop_privileges()
    die_with_parent()  # after the privileges: changing these would undo it
    refuse(cuda=not limits.address_space)
    os.write(started, b"y")  # fails if the supervisor has died
    os.close(started)
    return socket.socket(fileno=wire)
