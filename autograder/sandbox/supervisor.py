"""The supervisor: outside the submission's namespaces, it monitors the submission's resource use and kills it.

It kills the whole process tree when the judge closes the control socket or the tree exceeds a limit.
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

from autograder.sandbox.memory_meter import MemoryMeter

CHECK_SECONDS = 0.1
RETRIES = 10
LOWEST = 19  # the nice value of the lowest priority
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Process:
    """A process as read from /proc: its identity, parent and resource use."""

    number: int
    parent: int
    state: str  # R: running or runnable; D: waiting in the kernel, or for a vfork child
    started: str
    cpu_seconds: float  # including its reaped descendants
    threads: int


class Tree:
    """The processes below ``root``, seen from outside their namespaces."""

    def __init__(self, meter: socket.socket) -> None:
        # Opened before the submission mounts over /proc, which hides it from the supervisor as well.
        self.proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        self.root = 0
        self.cpu_seconds = 0.0  # of all processes so far
        # Seconds in which a process of the tree was runnable and none ran: time that a busy machine owes it. And their
        # maximum so far, as several processes at once use more time than passes, which must not offset later waiting.
        self.waited = self.most_waited = 0.0
        self.looked, self.counted = time.monotonic(), 0.0
        self.memory = MemoryMeter(meter, self.read)

    def look(self) -> list[Process]:
        """The root and its descendants: orphans are reparented to a namespace's first process, so none escapes."""
        everyone = {process.number: process for name in os.listdir(self.proc) if (process := self.process(name))}
        tree = [process for process in everyone.values() if self.belongs(process, everyone)]
        if len(tree) > 1:
            tree = self.reread(tree)
        self.cpu_seconds = max(self.cpu_seconds, sum(process.cpu_seconds for process in tree))
        now = time.monotonic()
        if is_runnable(tree):
            self.waited += now - self.looked - (self.cpu_seconds - self.counted)
            self.most_waited = max(self.most_waited, self.waited)
            self.waited = max(self.waited, self.most_waited - 2 * CHECK_SECONDS)
        self.looked, self.counted = now, self.cpu_seconds
        return tree

    def reread(self, tree: list[Process]) -> list[Process]:
        """Rereads each process after its parent, which takes over its CPU time at its end: none is counted twice.

        None is lost either, because no process can ignore SIGCHLD (:mod:`autograder.sandbox.syscalls`).
        """
        known = {process.number: process for process in tree}

        def generation(process: Process) -> int:
            for count in range(len(known)):
                above = known.get(process.parent)
                if process.number == self.root or above is None:
                    return count
                process = above
            return len(known)

        pairs = ((process, self.process(str(process.number))) for process in sorted(tree, key=generation))
        return [new for old, new in pairs if new is not None and new.started == old.started]

    def process(self, name: str) -> Process | None:
        try:
            fields = self.read(f"{int(name)}/stat").rpartition(")")[2].split()
            used = sum(map(int, fields[11:15])) / TICKS
            return Process(int(name), int(fields[1]), fields[0], fields[19], used, int(fields[17]))
        except (OSError, ValueError, IndexError):  # it has ended, or is not a process
            return None

    def belongs(self, process: Process, everyone: dict[int, Process]) -> bool:
        """Whether its chain of parents leads to the root; a chain that cannot be followed to its end counts as ours.

        A parent that ended or started during the scan is looked up again: other submissions start and end in the
        same box, and their processes must not be counted for this one.
        """
        for _ in range(len(everyone) + RETRIES):
            if process.number == self.root:
                return True
            if process.parent == 0:
                return False
            above = everyone.get(process.parent) or self.process(str(process.parent))
            if above is None:
                above = self.process(str(process.number))
                if above is None:
                    return False
            process = above
        return True

    def renice(self, processes: list[Process]) -> None:
        """Gives all threads but the first the lowest priority: even many then get less CPU than one other process.

        That is what shares a processor where the submission is in a group of its machine's, as under systemd. Where the
        kernel goes by sessions, priorities count within one alone: there the pretended setsid does it (syscalls.py).
        """
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
        with open(os.open(path, os.O_RDONLY, dir_fd=self.proc), errors="replace") as file:  # names may be any bytes
            return file.read()


def is_runnable(processes: list[Process]) -> bool:
    """Whether one of them is runnable; D counts only for a lone thread: others may wait for one of their own."""
    alone = len(processes) == 1 and processes[0].threads == 1
    return any(process.state == "R" or (alone and process.state == "D") for process in processes)


def exceeded_limit(tree: Tree, limits: SimpleNamespace) -> str:
    """The limit that the tree exceeds; empty if none."""
    processes = tree.look()
    threads = sum(process.threads for process in processes)
    # A fork bomb first: it exceeds the other two as well, and its learner should be told the cause. Memory before
    # processor time, which filling memory takes: on a busy machine both may be exceeded by the next look.
    if threads > limits.processes:
        return "processes"
    if tree.memory.over([process.number for process in processes], limits.memory):
        return "memory"
    if tree.cpu_seconds > limits.cpu_seconds:
        return "cpu"
    if threads > 1:
        tree.renice(processes)
    return ""


def watch(
    start: Callable[[socket.socket, int], None],
    connection: socket.socket,
    control_socket: socket.socket,
    limits: SimpleNamespace,
    meter: socket.socket,
) -> str:
    """Forks the submission, which runs ``start(connection, descriptor)``, monitors it and returns how it ended.

    ``start`` writes a byte to the descriptor once the submission is confined; without it, OSError is raised.
    """
    tree = Tree(meter)
    # This message carries our process id, which the judge adds to a cgroup. Nothing of the submission may start before,
    # or it would start outside.
    control_socket.send(b"here")
    if control_socket.recv(16) != b"go":
        return "killed"
    ready, started = os.pipe()
    tree.root = child = os.fork()
    if not child:
        try:
            control_socket.close()
            os.close(ready)
            start(connection, started)
        except BaseException:
            # Of a confinement that failed this is logged; a confined process prints into /dev/null.
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(started)
    connection.close()
    # Without the byte it is not shut in: what it would do is unknown, so that nothing is asked of it.
    if os.read(ready, 1) != b"y":
        raise OSError("a submission could not be confined")
    control_socket.send(b"open")
    pidfd = os.pidfd_open(child)
    watched: list[socket.socket | int] = [control_socket, pidfd]
    ended = ""
    while not ended:
        readable, _, _ = select.select(watched, [], [], CHECK_SECONDS)
        if pidfd in readable:
            break
        if control_socket in readable and control_socket.recv(16) != b"waited":
            ended = "killed"
        elif not (ended := exceeded_limit(tree, limits)) and control_socket in readable:
            control_socket.send(f"waited {max(0.0, tree.waited):.3f}".encode())
    if ended:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    # The wire closes before a process has ended, so the judge may ask to kill one that was ending by itself: then its
    # own status counts.
    if ended and (ended != "killed" or code == -signal.SIGKILL):
        return ended
    return f"exit {code}" if code >= 0 else f"signal {-code}"
