"""The warden: outside the submission's namespaces, it watches what the submission uses and ends it.

It kills the whole tree when the judge lets go of the leash, or when the tree uses more than it may.
"""

import contextlib
import os
import select
import signal
import socket
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

from autograder.sandbox.scales import Scales

CHECK_SECONDS = 0.1
RETRIES = 10
LOWEST = 19  # the politest a process can be
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Process:
    """One line of /proc: what it is, whose child, and what it has used."""

    number: int
    parent: int
    state: str  # R: it runs or is ready to, D: it waits for the kernel, or for a child that has its memory
    started: str
    cpu_seconds: float  # those of children that it has buried included, and theirs
    threads: int


class Tree:
    """The processes below ``root``, seen from outside their namespaces."""

    def __init__(self, weigher: socket.socket) -> None:
        self.proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)  # the submission will cover /proc for both of us
        self.root = 0
        self.cpu_seconds = 0.0  # of all processes that there ever were
        self.waited = 0.0  # seconds for which something of the tree could have gone on, and nothing of it ran
        self.most = 0.0  # of them: what several do at once is no debt that later waiting has to pay
        self.looked, self.counted = time.monotonic(), 0.0
        self.scales = Scales(weigher, self.read)

    def look(self) -> list[Process]:
        """The root and all below it: orphans fall to the first process of a namespace, so nobody gets away."""
        everyone = {process.number: process for name in os.listdir(self.proc) if (process := self.process(name))}
        found = [process for process in everyone.values() if self.belongs(process, everyone)]
        if len(found) > 1:
            found = self.again(found)
        self.cpu_seconds = max(self.cpu_seconds, sum(process.cpu_seconds for process in found))
        now = time.monotonic()
        if could_go_on(found):
            self.waited += now - self.looked - (self.cpu_seconds - self.counted)
            self.most = max(self.most, self.waited)
            self.waited = max(self.waited, self.most - 2 * CHECK_SECONDS)
        self.looked, self.counted = now, self.cpu_seconds
        return found

    def again(self, found: list[Process]) -> list[Process]:
        """Each read anew after its parent, to whom its time goes in the moment of its end: none is counted twice.

        None is lost either, for no process can ignore the end of a child (:mod:`autograder.sandbox.syscalls`).
        """
        known = {process.number: process for process in found}

        def generation(process: Process) -> int:
            for count in range(len(known)):
                above = known.get(process.parent)
                if process.number == self.root or above is None:
                    return count
                process = above
            return len(known)

        read = ((one, self.process(str(one.number))) for one in sorted(found, key=generation))
        return [new for old, new in read if new is not None and new.started == old.started]

    def process(self, name: str) -> Process | None:
        try:
            fields = self.read(f"{int(name)}/stat").rpartition(")")[2].split()
            used = sum(map(int, fields[11:15])) / TICKS
            return Process(int(name), int(fields[1]), fields[0], fields[19], used, int(fields[17]))
        except (OSError, ValueError, IndexError):  # gone meanwhile, or not a process
            return None

    def belongs(self, process: Process, everyone: dict[int, Process]) -> bool:
        """Whether the chain of its parents leads to the root; one that cannot be followed to its end counts as ours.

        Where a parent has died, or was born, while we looked, it is looked up anew: in the same box other
        submissions begin and end, whose processes must not be counted for this one.
        """
        for _ in range(len(everyone) + RETRIES):
            if process.number == self.root:
                return True
            if process.parent == 0:
                return False
            above = everyone.get(process.parent) or self.process(str(process.parent))
            if above is None:
                process = self.process(str(process.number))
                if process is None:
                    return False
            else:
                process = above
        return True

    def make_polite(self, processes: list[Process]) -> None:
        """All threads but the first run only when nobody else wants to: many of them weigh less than one neighbour."""
        for process in processes:
            with contextlib.suppress(OSError):
                folder = os.open(f"{process.number}/task", os.O_RDONLY, dir_fd=self.proc)
                threads = [int(name) for name in os.listdir(folder)]
                os.close(folder)
                for thread in threads:
                    with contextlib.suppress(OSError):
                        if thread != self.root and os.getpriority(os.PRIO_PROCESS, thread) != LOWEST:
                            os.setpriority(os.PRIO_PROCESS, thread, LOWEST)

    def read(self, path: str) -> str:
        with open(os.open(path, os.O_RDONLY, dir_fd=self.proc), errors="replace") as file:  # of any bytes
            return file.read()


def could_go_on(processes: list[Process]) -> bool:
    """Whether one of them runs or would if it could; who waits for the kernel may have asked another one to be slow."""
    alone = len(processes) == 1 and processes[0].threads == 1
    return any(process.state == "R" or (alone and process.state == "D") for process in processes)


def too_much(tree: Tree, limits: SimpleNamespace) -> str:
    """Which limit the tree has passed, if any."""
    processes = tree.look()
    threads = sum(process.threads for process in processes)
    if threads > limits.processes:
        return "processes"
    if tree.cpu_seconds > limits.cpu_seconds:
        return "cpu"
    if tree.scales.over([process.number for process in processes], limits.memory):
        return "memory"
    if threads > 1:
        tree.make_polite(processes)
    return ""


def watch(
    start: Callable[[socket.socket, int], None],
    connection: socket.socket,
    leash: socket.socket,
    limits: SimpleNamespace,
    weigher: socket.socket,
) -> str:
    """Forks the submission, which is ``start(connection, descriptor)``, watches over it, and returns how it ended.

    ``start`` writes a byte to the descriptor once the submission is shut in; without it, OSError is raised.
    """
    tree = Tree(weigher)
    leash.send(b"here")  # the message carries our process id, by which the judge puts us into a cgroup
    if leash.recv(16) != b"go":
        return "killed"
    ready, started = os.pipe()
    tree.root = child = os.fork()
    if not child:
        try:
            leash.close()
            os.close(ready)
            start(connection, started)
        except BaseException:
            traceback.print_exc()  # read where a submission could not be shut in; afterwards it leads nowhere
        finally:
            os._exit(0)
    os.close(started)
    connection.close()
    if os.read(ready, 1) != b"y":
        raise OSError("a submission could not be shut in")
    leash.send(b"open")
    pidfd = os.pidfd_open(child)
    ended = ""
    while not ended:
        readable, _, _ = select.select([leash, pidfd], [], [], CHECK_SECONDS)
        if pidfd in readable:
            break
        if leash in readable and leash.recv(16) != b"waited":
            ended = "killed"
        elif not (ended := too_much(tree, limits)) and leash in readable:
            leash.send(f"waited {max(0.0, tree.waited):.3f}".encode())
    if ended:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return ended or (f"exit {code}" if code >= 0 else f"signal {-code}")
