"""The reader process: it imports everything once, then forks for each request; forks that exceed limits are killed.

Forks read hostile input, so they drop privileges that they do not need; they run no learner's code.
"""

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
from functools import cache
from typing import Any, NoReturn

from autograder.reader.process import DEEP, EXIT, FULL, KEPT, LONG
from autograder.sandbox.confinement import PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS
from autograder.sandbox.syscalls import LIBC, refuse

# Task → module with `prepare(common)`, whose result the forks inherit, and `answer(ready, request)`.
TASKS = {"read": "autograder.submissions.limited_reading", "render": "autograder.gradebook.html"}
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000
READS_ALL = 0b110  # capabilities that let root read other users' files, perhaps our own modules
SHARED_SECONDS = 30.0  # time limit for receiving a text shared by many requests
OPEN_FILES = 64


def serve(control: socket.socket) -> None:
    """Serves requests until the peer closes ``control``."""
    ready: dict[str, Any] = {}  # key of a common text → result of `prepare`
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 2**16, 1)
        if not message:
            return
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # guards that have ended
                pass
        head = json.loads(message)
        if "prepare" in head:
            module(head["prepare"])
            continue
        with socket.socket(fileno=descriptors[0]) as connection:
            task = module(head["task"])
            try:
                share(ready, task, head["common"], connection, head["shared"])
            except (OSError, EOFError):  # the caller is gone
                continue
            if not os.fork():
                control.close()
                guard(task, ready.get(head["common"]), connection, head)


def share(ready: dict[str, Any], task: Any, key: str, connection: socket.socket, size: int) -> None:
    if size:
        connection.settimeout(SHARED_SECONDS)
        ready[key] = task.prepare(read_exactly(connection, size).decode())
        connection.settimeout(None)
        if len(ready) > KEPT:
            del ready[next(iter(ready))]
        gc.freeze()


def guard(task: Any, ready: Any, connection: socket.socket, head: dict[str, Any]) -> NoReturn:
    """Has a fork answer one request, and reports after the answer how it ended."""
    try:
        number = os.fork()
        if not number:
            answer(task, ready, connection, head)
        connection.sendall(EXIT.pack(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])))
    finally:
        os._exit(0)


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


def answer(task: Any, ready: Any, connection: socket.socket, head: dict[str, Any]) -> NoReturn:
    """Answers one request."""
    code = 1
    try:
        confine(connection, head["limits"])
        try:
            said = {"answer": task.answer(ready, read_exactly(connection, head["size"]))}
            text = json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")
        except (MemoryError, RecursionError):
            raise
        except Exception as error:
            text = json.dumps({"fault": f"{type(error).__name__}: {error}"[:300]}).encode()
        if len(text) > head["limits"]["answer"]:
            os._exit(LONG)
        connection.sendall(text)
        code = 0
    except MemoryError:
        code = FULL
    except RecursionError:
        code = DEEP
    finally:
        os._exit(code)


def confine(connection: socket.socket, limits: dict[str, int]) -> None:
    """Leaves a fork little but its connection; the kernel enforces the time limits."""
    signal.setitimer(signal.ITIMER_REAL, limits["wall_seconds"])
    os.closerange(3, connection.fileno())
    os.closerange(connection.fileno() + 1, 2**12)
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
    atexit.register(os.killpg, os.getpid(), signal.SIGKILL)  # this process and every fork
    serve(control)


if __name__ == "__main__":
    main()
