"""The reader process: it imports everything once, then forks for each request; forks that exceed limits are killed.

Forks read hostile input, so they drop privileges that they do not need; they run no learner's code.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import selectors
import signal
import socket
import sys
from collections import OrderedDict
from functools import cache
from typing import Any

from autograder.reader.process import DEEP, EXIT, FULL, KEPT, LENGTH, LONG
from autograder.sandbox.confinement import LIBC, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS
from autograder.sandbox.syscalls import refuse

# Task → module with `prepare(common)`, whose result the forks inherit, and `answer(ready, request)`.
TASKS = {"read": "autograder.submissions.plain_data", "render": "autograder.gradebook.html"}
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000
READS_ALL = 0b110  # capabilities that let root read other users' files, perhaps our own modules
SHARED_SECONDS = 30.0  # time limit for receiving a text shared by many requests
OPEN_FILES = 64


class Server:
    """Serves requests until the peer closes ``control``."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.ready: OrderedDict[str, Any] = OrderedDict()  # key of a common text → result of `prepare`
        self.forks: dict[
            int, tuple[int, int]
        ] = {}  # pidfd of a fork → its process id, and the pipe for its exit status
        self.selector = selectors.DefaultSelector()

    def serve(self) -> None:
        self.selector.register(self.control, selectors.EVENT_READ)
        while True:
            for key, _ in self.selector.select():
                if key.fileobj is not self.control:
                    self.report_exit(key.fd)
                elif not self.receive():
                    return

    def receive(self) -> bool:
        """Handles one message; returns False at the end of the input."""
        message, descriptors, _, _ = socket.recv_fds(self.control, 2**16, 2)
        if not message:
            return False
        head = json.loads(message)
        if "prepare" in head:
            module(head["prepare"])
            return True
        connection, exit_pipe = socket.socket(fileno=descriptors[0]), descriptors[1]
        with connection:
            task = module(head["task"])
            try:
                self.share(task, head["common"], connection, head["shared"])
            except (OSError, EOFError):  # the caller is gone
                os.close(exit_pipe)
                return True
            number = os.fork()
            if not number:
                answer(task, self.ready.get(head["common"]), connection, head)
        pidfd = os.pidfd_open(number)
        self.forks[pidfd] = number, exit_pipe
        self.selector.register(pidfd, selectors.EVENT_READ)
        return True

    def share(self, task: Any, key: str, connection: socket.socket, size: int) -> None:
        if size:
            connection.settimeout(SHARED_SECONDS)
            self.ready[key] = task.prepare(read_exactly(connection, size).decode())
            connection.settimeout(None)
            if len(self.ready) > KEPT:
                self.ready.popitem(last=False)
            gc.freeze()

    def report_exit(self, pidfd: int) -> None:
        """Reports how a fork ended."""
        number, exit_pipe = self.forks.pop(pidfd)
        self.selector.unregister(pidfd)
        os.close(pidfd)
        code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
        with contextlib.suppress(OSError):  # the caller no longer waits
            os.write(exit_pipe, EXIT.pack(max(0, -code), max(0, code)))
        os.close(exit_pipe)

    def end(self) -> None:
        for number, _ in self.forks.values():
            os.kill(number, signal.SIGKILL)


@cache
def module(task: str) -> Any:
    """The module of a task, imported and prepared."""
    made = importlib.import_module(TASKS[task])
    made.prepare("")
    gc.freeze()  # else garbage collection in a fork would copy the pages of all earlier objects
    return made


def read_exactly(connection: socket.socket, size: int) -> bytes:
    """Reads exactly ``size`` bytes; raises EOFError if fewer arrive."""
    data = bytearray()
    while len(data) < size:
        block = connection.recv(min(2**20, size - len(data)))
        if not block:
            raise EOFError
        data += block
    return bytes(data)


def answer(task: Any, ready: Any, connection: socket.socket, head: dict[str, Any]) -> None:
    """Answers one request; never returns."""
    code = 1
    try:
        connection = confine(connection, head["limits"])
        try:
            said: dict[str, Any] = {"answer": task.answer(ready, read_exactly(connection, head["size"]))}
            text = json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")
        except (MemoryError, RecursionError):
            raise
        except Exception as error:
            text = json.dumps({"fault": f"{type(error).__name__}: {error}"[:300]}).encode()
        if len(text) > head["limits"]["answer"]:
            os._exit(LONG)
        connection.sendall(LENGTH.pack(len(text)) + text)
        code = 0
    except MemoryError:
        code = FULL
    except RecursionError:
        code = DEEP
    finally:
        os._exit(code)


def confine(connection: socket.socket, limits: dict[str, int]) -> socket.socket:
    """Leaves a fork little but its connection; the kernel enforces the time limits."""
    signal.setitimer(signal.ITIMER_REAL, limits["wall_seconds"])
    connection = socket.socket(fileno=os.dup2(connection.detach(), 3, inheritable=False))
    os.closerange(4, 2**12)
    os.dup2(1, 2)
    for which, value in (
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_AS, limits["address_space"]),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(which, (value, value + (which == resource.RLIMIT_CPU)))
    gc.disable()
    keep_capabilities(0)
    return connection


def keep_capabilities(kept: int) -> None:
    LIBC.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(kept, kept))


def drop_privileges() -> None:
    """Drops what this process and its forks do not need: the network, privileges and unused system calls.

    Where the machine does not allow this, they merely keep more than they need.
    """
    if LIBC.unshare(NEW_NETWORK) < 0:
        LIBC.unshare(NEW_USER | NEW_NETWORK)
    for capability in range(64):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    keep_capabilities(READS_ALL if os.geteuid() == 0 else 0)
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    with contextlib.suppress(OSError):  # a machine with other system call numbers
        refuse(cuda=False)


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    drop_privileges()
    server = Server(control)
    try:
        server.serve()
    finally:
        server.end()


if __name__ == "__main__":
    main()
    os._exit(0)
