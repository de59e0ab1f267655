"""The process that reads: warm, it forks for each request, and the fork answers within limits or is ended.

What a fork reads is hostile, so it gives up what it does not need; no code of learners runs in it.
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

from autograder.reader.process import DEEP, FATE, FULL, KEPT, LENGTH, LONG
from autograder.sandbox.confinement import LIBC, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS
from autograder.sandbox.syscalls import refuse

# Task → module with `prepare(common)`, which makes ready what forks then have, and `answer(ready, request)`.
TASKS = {"read": "autograder.submissions.plain", "render": "autograder.gradebook.prose"}
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000
READS_ALL = 0b110  # capabilities by which root reads what is not its own: our own modules, perhaps
SHARED_SECONDS = 30.0  # for a text that many requests have in common to arrive
OPEN_FILES = 64


class Server:
    """Serves requests until the other end of ``control`` is closed."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.ready: OrderedDict[str, Any] = OrderedDict()  # key of a common text → what was made of it
        self.forks: dict[int, tuple[int, int]] = {}  # descriptor of a fork → its number, and where its fate is told
        self.selector = selectors.DefaultSelector()

    def serve(self) -> None:
        self.selector.register(self.control, selectors.EVENT_READ)
        while True:
            for key, _ in self.selector.select():
                if key.fileobj is not self.control:
                    self.tell(key.fd)
                elif not self.take():
                    return

    def take(self) -> bool:
        """One message; whether there was one."""
        message, descriptors, _, _ = socket.recv_fds(self.control, 2**16, 2)
        if not message:
            return False
        head = json.loads(message)
        if "prepare" in head:
            module(head["prepare"])
            return True
        connection, fate = socket.socket(fileno=descriptors[0]), descriptors[1]
        with connection:
            task = module(head["task"])
            try:
                self.share(task, head["common"], connection, head["shared"])
            except (OSError, EOFError):  # who asked has gone
                os.close(fate)
                return True
            number = os.fork()
            if not number:
                answer(task, self.ready.get(head["common"]), connection, head)
        watch = os.pidfd_open(number)
        self.forks[watch] = number, fate
        self.selector.register(watch, selectors.EVENT_READ)
        return True

    def share(self, task: Any, key: str, connection: socket.socket, size: int) -> None:
        if size:
            connection.settimeout(SHARED_SECONDS)
            self.ready[key] = task.prepare(whole(connection, size).decode())
            connection.settimeout(None)
            if len(self.ready) > KEPT:
                self.ready.popitem(last=False)
            gc.freeze()

    def tell(self, watch: int) -> None:
        """How a fork ended."""
        number, fate = self.forks.pop(watch)
        self.selector.unregister(watch)
        os.close(watch)
        code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
        with contextlib.suppress(OSError):  # nobody waits for it any more
            os.write(fate, FATE.pack(max(0, -code), max(0, code)))
        os.close(fate)

    def end(self) -> None:
        for number, _ in self.forks.values():
            os.kill(number, signal.SIGKILL)


@cache
def module(task: str) -> Any:
    """The module of a task, warm."""
    made = importlib.import_module(TASKS[task])
    made.prepare("")
    gc.freeze()  # a fork that collects garbage would copy the pages of everything that was made before it
    return made


def whole(connection: socket.socket, size: int) -> bytes:
    """So many bytes; raises EOFError where fewer come."""
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
            said: dict[str, Any] = {"answer": task.answer(ready, whole(connection, head["size"]))}
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
    """Leaves a fork its connection and little else; limits of time are the kernel's to keep."""
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


def give_up() -> None:
    """What this process and its forks can do without: the network, privileges, system calls that nobody needs here.

    Where the machine does not let us, they have no more than they have no use for.
    """
    if LIBC.unshare(NEW_NETWORK) < 0:
        LIBC.unshare(NEW_USER | NEW_NETWORK)
    for capability in range(64):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    keep_capabilities(READS_ALL if os.geteuid() == 0 else 0)
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    with contextlib.suppress(OSError):  # a machine whose system calls have other numbers
        refuse(cuda=False)


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    give_up()
    server = Server(control)
    try:
        server.serve()
    finally:
        server.end()


if __name__ == "__main__":
    main()
    os._exit(0)
