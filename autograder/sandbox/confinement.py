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

# How the kernel calls what a submission gets anew: mounts, process ids, shared memory, host name, network.
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000
NEW_NAMESPACES = 0x00020000 | 0x20000000 | 0x08000000 | 0x04000000 | NEW_NETWORK
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 0x1000, 0x4000, 0x40000
# Process ids below RESERVED are given out only once, so that without it a fork bomb would get that many more. SPARE are
# left above the limit, so that the supervisor sees the excess and says what it was.
RESERVED, SPARE = 300, 16
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, PR_SET_DUMPABLE = 24, 38, 47, 4, 4


# A submission whose supervisor is gone would be watched by nobody, and could compute for as long as the machine runs.
def die_with_parent() -> None:
    must(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "die with the parent")


def set_readable(readable: bool) -> None:
    """Whether processes of the same user may look into this one and its future children."""
    LIBC.prctl(PR_SET_DUMPABLE, int(readable), 0, 0, 0)


# One worker serves a whole class. In its namespaces a submission could signal, trace or fill the disk of the next one,
# leave a message for it in shared memory or a file, or keep a process that answers in its name.
def leave_namespaces() -> None:
    """Enters new namespaces (that of process ids: for its children only); needs CAP_SYS_ADMIN."""
    must(LIBC.unshare(NEW_NAMESPACES), "unshare")


def leave_network() -> None:
    """Enters a network that leads nowhere, where the machine allows that; in a box there is no other."""
    if LIBC.unshare(NEW_NETWORK) < 0:
        LIBC.unshare(NEW_USER | NEW_NETWORK)


# What one submission writes is gone with it: files in /tmp and /dev/shm, message queues, terminals. Both folders are
# parts of one file system, because two quotas would add up, and because memory that no process maps is counted by no
# other limit. The same goes for shared mappings of /dev/zero, whose pages no file system counts: it is covered by a
# device that cannot be mapped, unless CUDA needs it.
def mount_fresh(limits: SimpleNamespace) -> None:
    """Mounts fresh writable folders with one quota for all; everything of the worker is covered."""
    must(LIBC.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    hidden = MS_NOSUID | MS_NODEV
    quota = f"size={limits.disk},nr_inodes={limits.files},mode=1777".encode()
    must(LIBC.mount(b"tmpfs", b"/tmp", b"tmpfs", hidden, quota), "fresh /tmp")
    for part, path in (("/tmp/shm", "/dev/shm"), ("/tmp/tmp", "/tmp")):
        os.mkdir(part)
        os.chmod(part, 0o1777)
        must(LIBC.mount(part.encode(), path.encode(), None, MS_BIND, None), f"fresh {path}")
    for shared in (b"/dev/mqueue", b"/dev/pts"):
        cover(shared)
    if limits.address_space:
        must(LIBC.mount(b"/dev/full", b"/dev/zero", None, MS_BIND, None), "a /dev/zero that cannot be mapped")


def cover(path: bytes) -> None:
    """Mounts an empty folder over ``path``, permanently."""
    if os.path.isdir(path):
        flags = MS_RDONLY | MS_NOEXEC | MS_NOSUID | MS_NODEV
        must(LIBC.mount(b"tmpfs", path, b"tmpfs", flags, None), f"empty {path!r}")


def cover_others() -> None:
    """Leaves /proc readable, except for the other processes of the box."""
    number = os.readlink("/proc/self")
    for name in os.listdir("/proc"):
        if name.isdigit() and name != number:
            cover(f"/proc/{name}".encode())


# Without a cgroup memory is measured ten times a second, so that a submission can take all of the machine's in between.
# Whom the kernel then kills must not be the grader, or another learner's submission would pay for this one.
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


# The supervisor counts what the processes of a submission take together, and says which limit they exceeded; these are
# for each process, and hold in the tenth of a second between two looks, and if the supervisor itself is gone. Processor
# time is ten seconds wider, so that the supervisor is the first to stop it.
def set_limits(limits: SimpleNamespace) -> None:
    seconds = int(limits.cpu_seconds) + 10
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


# The worker may make namespaces and mounts; a submission with that right would uncover what is covered. No set of the
# kernel's may keep it, and no program that it starts may bring it back.
def drop_privileges() -> None:
    for capability in range(64):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails for numbers unknown to the kernel
    must(LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "clear ambient capabilities")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    must(LIBC.capset(header, (ctypes.c_uint32 * 6)()), "drop capabilities")
    must(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "forbid new privileges")


# An inherited descriptor goes through every wall: the worker's control socket would start submissions, that of the
# meter would measure others, and a folder that was opened outside leads to the files outside.
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
    # In the worker's session a signal to the process group would reach the worker, which has the same user.
    os.setsid()
    # In a container, where it has no first process of its own, orphans would go to the supervisor and count no more.
    must(LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "keep orphans")
    wire, started = close_all_but(connection.detach(), started)
    set_limits(limits)
    # The order matters: changing privileges undoes the death with the parent, and the filter forbids all of this. The
    # byte is written last, so that no cell is run before; that fails if the supervisor has died meanwhile.
    drop_privileges()
    die_with_parent()
    refuse(cuda=not limits.address_space)
    os.write(started, b"y")
    os.close(started)
    return socket.socket(fileno=wire)
