"""The process inside the sandbox: warm with torch, it forks one child per submission and serves its answers.

Three roles, one after another in a fork's life:

* the *worker* waits for a pair of file descriptors and forks; it never reads a notebook or a check;
* the *warden* puts the submission into namespaces of its own, watches its memory and its processes, and kills
  the whole tree when the judge lets go of the leash;
* the *submission* drops every privilege, runs the learner's cells and answers calls over the wire.

Only :mod:`autograder.sandbox.answers` and :mod:`autograder.sandbox.wire` are imported from the project:
whatever is here, the learner's code can read.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import select
import signal
import socket
import sys
from types import SimpleNamespace

from autograder.sandbox.answers import Answers
from autograder.sandbox.wire import Wire

LIBC = ctypes.CDLL(None, use_errno=True)
NEW_NAMESPACES = 0x00020000 | 0x20000000 | 0x08000000 | 0x04000000 | 0x40000000  # mount, pid, ipc, uts, net
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 0x4000, 0x40000
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, PR_SET_PDEATHSIG = 24, 38, 47, 4, 1
CHECK_SECONDS = 0.1


def must(result: int, what: str) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def drop_privileges() -> None:
    for capability in range(64):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails for numbers that the kernel does not know
    must(LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "clear ambient capabilities")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    must(LIBC.capset(header, (ctypes.c_uint32 * 6)()), "drop capabilities")
    must(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "forbid new privileges")


def set_limits(limits: SimpleNamespace) -> None:
    seconds = int(limits.total_seconds) + 10
    for which, value in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, limits.file),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(which, (value, value))


def submission(connection: socket.socket, limits: SimpleNamespace, started: int) -> None:
    """The learner's process: pid 1 of its own world, so that its end is the end of all that it started.

    It writes to ``started`` once it is shut in; an end before that is a fault of ours, not of the learner's code.
    """
    must(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "die with the warden")
    must(LIBC.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    options = f"size={limits.file},mode=1777".encode()
    for place in (b"/tmp", b"/dev/shm"):  # the only places that can be written to: fresh for each submission
        must(LIBC.mount(b"tmpfs", place, b"tmpfs", MS_NOSUID | MS_NODEV, options), "fresh tmpfs")
    # /proc would show the worker's processes; an empty folder shows nothing.
    must(LIBC.mount(b"tmpfs", b"/proc", b"tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, None), "empty /proc")
    os.chdir("/tmp")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    started, wire = (fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (started, connection.detach()))
    wire = os.dup2(wire, 3, inheritable=False)
    os.closerange(4, started)
    os.closerange(started + 1, 4096)
    set_limits(limits)
    drop_privileges()
    os.write(started, b"y")
    os.close(started)
    Answers(Wire(socket.socket(fileno=wire)), limits.output).serve()


class Tree:
    """The processes of one submission, seen from outside its namespaces."""

    def __init__(self, known: set[int]) -> None:
        self.known = known
        self.proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)  # the submission will cover /proc for both of us

    def processes(self) -> list[int]:
        return [int(entry) for entry in os.listdir(self.proc) if entry.isdigit() and int(entry) not in self.known]

    def memory(self, processes: list[int]) -> int:
        """Their memory in bytes, shared pages counted once."""
        total = 0
        for process in processes:
            try:
                lines = self.read(f"{process}/smaps_rollup").splitlines()
                total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
            except OSError:  # gone, or hiding: then what it has resident counts in full
                with contextlib.suppress(OSError):
                    total += int(self.read(f"{process}/statm").split()[1]) * resource.getpagesize()
        return total

    def read(self, path: str) -> str:
        with open(os.open(path, os.O_RDONLY, dir_fd=self.proc)) as file:
            return file.read()


def warden(connection: socket.socket, leash: socket.socket, limits: SimpleNamespace, known: set[int]) -> str:
    """Starts the submission, watches over it, and returns how it ended."""
    must(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "die with the worker")
    tree = Tree(known | {os.getpid()})
    must(LIBC.unshare(NEW_NAMESPACES), "unshare")
    ready, started = os.pipe()
    child = os.fork()
    if not child:
        try:
            leash.close()
            os.close(ready)
            submission(connection, limits, started)
        finally:
            os._exit(0)
    os.close(started)
    connection.close()
    if os.read(ready, 1) != b"y":
        raise OSError("a submission could not be shut in")
    leash.send(b"open")
    pidfd = os.pidfd_open(child)
    ended = ""
    while True:
        readable, _, _ = select.select([leash, pidfd], [], [], CHECK_SECONDS)
        if pidfd in readable:
            break
        if leash in readable:
            ended = "killed"
        else:
            processes = tree.processes()
            if len(processes) > limits.processes:
                ended = "processes"
            elif tree.memory(processes) > limits.memory:
                ended = "memory"
        if ended:
            os.kill(child, signal.SIGKILL)
            break
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return ended or (f"exit {code}" if code >= 0 else f"signal {-code}")


def worker(control: socket.socket, limits: SimpleNamespace) -> None:
    """Forks one warden per pair of descriptors that arrives, until the other end of ``control`` is gone."""
    known = {int(entry) for entry in os.listdir("/proc") if entry.isdigit()}
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # wardens need no burial
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 64, 2)
        if not message:
            return
        connection, leash = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            try:
                leash.send(warden(connection, leash, limits, known).encode())
            except OSError as error:
                leash.send(f"failed: {error}".encode()[:64])
            finally:
                os._exit(0)
        connection.close()
        leash.close()


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    Answers.warm_up()
    worker(socket.socket(fileno=int(sys.argv[1])), SimpleNamespace(**json.loads(sys.argv[2])))
    os._exit(0)  # an interpreter that has loaded torch takes half a second to end in order
