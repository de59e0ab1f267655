"""Has learners' files read, and pages rendered, in a box (:mod:`autograder.sandbox.reading`).

Without bubblewrap, as where another sandbox is chosen, the same process is started outside a box: its forks have the
same limits, no privileges and the same few system calls, and no network where the machine lets us leave it; but they
could look at files of this user.

Replies are plain data, as JSON of bounded length; callers must check its structure.
"""

import atexit
import contextlib
import hashlib
import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.records.job import Limits
from autograder.sandbox import bubblewrap
from autograder.sandbox.box import PAGES, READING, Box, Purpose, run, worker
from autograder.sandbox.errors import KILLED, SandboxUnavailable
from autograder.sandbox.reading import DEEP, FULL, LONG, TEXTS
from autograder.sandbox.session import start

# Task → module that does it in the box.
TASKS = {"read": "autograder.submissions.limited_reading", "render": "autograder.gradebook.html"}
ROOT = Path(__file__).resolve().parents[2]
PASSED_ON = ("PATH", "HOME", "LANG", "LC_", "TMPDIR")
# Beyond the wall time of a request, for its fork to start, which waits for imports; then the process counts as lost.
GRACE_SECONDS = 30.0
CRASHES = {int(number) for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE)}


@dataclass(frozen=True)
class RequestLimits:
    """Limits in seconds and bytes on one request, which is handled by its own fork."""

    cpu_seconds: int = 10  # CPU time: what the submission itself costs, however busy the machine is
    wall_seconds: int = 60  # if this is exceeded before the CPU time, the machine is at fault
    address_space: int = 3 * 2**30
    answer: int = 256 * 2**20  # size of the returned data


READ = RequestLimits()
RENDER = RequestLimits(cpu_seconds=5)  # one page; texts that a class has in common are rendered only once
# Of the box. A fork writes nothing and starts nothing; as it is one process, its address space bounds its memory.
LIMITS = Limits(
    cpu_seconds=600.0, memory=2**50, address_space=READ.address_space, file=0, disk=2**20, files=16, processes=1,
    open_files=64,
)  # fmt: skip


class PassedLimit(Exception):
    """The request exceeded a limit; the message is a predicate without a subject: "took more than 10 s"."""


class ReaderFailed(Exception):
    """A fault of the grader or of the machine; the message says which."""


class Reader:
    """``ask("read", data, common=text)``, from any thread; the box starts on first use, and another if it ends."""

    def __init__(self, purpose: Purpose = READING) -> None:
        self.purpose = purpose
        self.box: Box | None = None
        self.is_ready = False
        self.tasks: set[str] = set()  # what the box is prepared for
        self.texts: deque[str] = deque(maxlen=TEXTS)  # keys of the texts that it has
        self.lock = threading.Lock()
        self.owner = 0

    def prepare(self, *tasks: str) -> None:
        """Starts the box unless there is one, and has it prepare for the tasks, without waiting."""
        with self.lock, contextlib.suppress(OSError, SandboxUnavailable):  # reported by the next request
            self._prepared(self._started(), *tasks)

    def ask(self, task: str, request: bytes, common: str = "", limits: RequestLimits = READ) -> Any:
        """The answer to one request; ``common`` is a text shared by many requests, which is sent once.

        Raises:
            PassedLimit: the request exceeded a limit.
            ReaderFailed: two attempts failed for a reason other than the request.
        """
        try:
            return self._ask(task, request, common, limits)
        except ReaderFailed:
            return self._ask(task, request, common, limits)

    def kill(self) -> None:
        """Ends the box and all its forks at once; waiting callers get ReaderFailed."""
        if self.owner == os.getpid():
            end(self.box)

    def close(self) -> None:
        self.kill()
        if self.box is not None:
            self.box.control.close()
            self.box.log.close()

    def _started(self) -> Box:
        """The box, another one if it has ended; it may not be ready yet."""
        box = self.box
        if box is None or self.owner != os.getpid() or box.spoiled or box.process.poll() is not None:
            self.close()
            try:
                box = self._begun(bubblewrap.start(ROOT, (), LIMITS, cold=False, purpose=self.purpose))
            except SandboxUnavailable:  # it is not installed
                box = self._begun(outside(self.purpose))
        return box

    def _begun(self, box: Box) -> Box:
        self.box, self.owner, self.is_ready = box, os.getpid(), False
        self.tasks.clear()
        self.texts.clear()
        return box

    def _waited_for(self) -> Box:
        """The box, once it is ready."""
        box = self._started()
        if not self.is_ready:
            try:
                box.wait()
            except SandboxUnavailable as error:
                if error.remedy == KILLED:
                    raise
                self.close()
                box = self._begun(outside(self.purpose)).wait()  # the machine lets bubblewrap make no namespaces
            self.is_ready = True
        return box

    def _prepared(self, box: Box, *tasks: str) -> None:
        """Has the box import what tasks need, once: a fork would do so for itself alone."""
        for task in tasks:
            if task not in self.tasks:
                box.control.send(TASKS[task].encode())
                self.tasks.add(task)

    def _ask(self, task: str, request: bytes, common: str, limits: RequestLimits) -> Any:
        key = hashlib.sha256(common.encode()).hexdigest() if common else ""
        box: Box | None = None
        try:
            with self.lock:
                box = self._waited_for()
                self._prepared(box, task)
                if key and key not in self.texts:
                    share(box, task, key, common)
                    self.texts.append(key)
            session = start(box, LIMITS, limits.wall_seconds + GRACE_SECONDS)
        except (OSError, SandboxUnavailable) as error:
            end(box)
            why = error.strerror if isinstance(error, OSError) else getattr(error, "reason", "")
            raise ReaderFailed(f"the reader process has ended: {why}") from None
        line = json.dumps({"task": TASKS[task], "common": key, **asdict(limits)}).encode()
        text = b""
        try:
            with contextlib.suppress(ConnectionError):  # it has ended; how, the supervisor says
                session.connection.settimeout(limits.wall_seconds)
                session.connection.sendall(line + b"\n" + request)
                session.connection.shutdown(socket.SHUT_WR)
                text = received(session.connection, limits)
        except TimeoutError:
            pass
        finally:
            how = session.end()
        if how != "exit 0":
            raise why_ended(how, limits)
        try:
            return json.loads(text)["answer"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise ReaderFailed(f"the reader process failed: {text[:300].decode(errors='replace')}") from None


def outside(purpose: Purpose) -> Box:
    """The process that reads, started outside a box."""
    environment = {key: value for key, value in os.environ.items() if key.startswith(PASSED_ON)}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "1", **PAGES}
    control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with control, inner:
        program = worker(str(inner.fileno()), LIMITS, cold=False, purpose=purpose)
        return Box(*run([sys.executable, "-P", *program], environment, [inner.fileno()], 0), control.dup())


def share(box: Box, task: str, key: str, text: str) -> None:
    """Gives the box a text that many requests share, before the first of them."""
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(text.encode())
        file.seek(0)
        socket.send_fds(box.control, [f"{TASKS[task]} {key}".encode()], [file.fileno()])


def received(connection: socket.socket, limits: RequestLimits) -> bytes:
    """All that a fork says; raises TimeoutError after the wall time."""
    deadline = time.monotonic() + limits.wall_seconds
    text = bytearray()
    while len(text) <= limits.answer:
        connection.settimeout(max(0.001, deadline - time.monotonic()))
        block = connection.recv(2**20)
        if not block:
            break
        text += block
    return bytes(text)


def end(box: Box | None) -> None:
    """Kills the box's process, if it was started, and with it all that is in the box.

    If that process is killed while it starts, what is in the box may not have asked to end with it yet: the worker in
    there ends when nobody is left to ask it.
    """
    if box is None:
        return
    if box.process.returncode is None:
        box.process.kill()
        box.process.wait()
    with contextlib.suppress(OSError):  # it is closed
        box.control.shutdown(socket.SHUT_RDWR)


def why_ended(how: str, limits: RequestLimits) -> Exception:
    """The exception for a fork that ended early, from what its supervisor says."""
    if how in {f"signal {number}" for number in CRASHES}:
        return PassedLimit("crashed Python itself")
    passed = {
        f"signal {int(signal.SIGXCPU)}": f"took more than {limits.cpu_seconds} s of processor time",
        f"exit {DEEP}": "met something that is nested too deeply",
        f"exit {FULL}": f"took more than {limits.address_space >> 20} MiB of memory",
        f"exit {LONG}": f"gave more than {limits.answer >> 20} MiB",
    }
    if how in passed:
        return PassedLimit(passed[how])
    return ReaderFailed(f"the reader process ended with {how}, or did not answer within {limits.wall_seconds} s")


READER = Reader()
atexit.register(READER.close)
