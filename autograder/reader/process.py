"""The caller's side of the process that reads: starts it (:mod:`autograder.reader.server`), asks it, and ends it.

Nothing but plain data comes back, as JSON of bounded length; its shape is for the caller to look at.
"""

import atexit
import contextlib
import hashlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.reader.limits import READ, Limits

PASSED_ON = ("PATH", "HOME", "LANG", "LC_", "TMPDIR")
GRACE_SECONDS = 30.0  # beyond the wall time of a request, before the process itself counts as lost
KEPT = 4  # texts that many requests have in common; the process has these at hand
LENGTH = struct.Struct("!Q")
FATE = struct.Struct("!ii")  # signal and exit status with which a fork ended
DEEP, FULL, LONG = 3, 4, 5  # exit statuses of a fork that passed a limit: of depth, of memory, of its answer's length


class PassedLimit(Exception):
    """The request used more than it may; the message is what it did, without a subject: "took more than 10 s"."""


class ReaderFailed(Exception):
    """A fault of ours, or of the machine; the message says which."""


class Reader:
    """``ask("read", data, common=text)``, from any thread; started when it is first needed, and again if it dies."""

    def __init__(self, module: str = "autograder.reader.server") -> None:
        self.module = module
        self.process: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.known: deque[str] = deque(maxlen=KEPT)
        self.lock = threading.Lock()
        self.owner = 0

    def prepare(self, *tasks: str) -> None:
        """Starts the process unless it runs, and has it make ready for the tasks; does not wait until it is."""
        with self.lock, contextlib.suppress(ReaderFailed):  # told where something is asked
            self._start()
            for task in tasks:
                self._send({"prepare": task})

    def ask(self, task: str, request: bytes, common: str = "", limits: Limits = READ) -> Any:
        """The answer to one request; ``common`` is what many requests have in common, and sent once.

        Raises:
            PassedLimit: the request used more than it may.
            ReaderFailed: twice there was no answer, for a reason that is not the request's.
        """
        try:
            return self._ask(task, request, common, limits)
        except ReaderFailed:
            return self._ask(task, request, common, limits)

    def kill(self) -> None:
        """Ends the process and all its forks at once; whoever waits for an answer gets ReaderFailed."""
        if self.process is not None and self.owner == os.getpid():
            end(self.process)

    def close(self) -> None:
        self.kill()
        if self.control is not None:
            self.control.close()

    def _start(self) -> None:
        if self.owner == os.getpid() and self.process.poll() is None:
            return
        self.close()
        package = Path(__file__).resolve().parents[2]
        environment = {key: value for key, value in os.environ.items() if key.startswith(PASSED_ON)}
        environment |= {"PYTHONPATH": str(package), "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "1"}
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", self.module, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment,
                pass_fds=(theirs.fileno(),),
                process_group=0,  # Ctrl-C is for the process that grades, which then ends this one
            )
        self.owner = os.getpid()
        self.known.clear()

    def _send(self, head: dict[str, Any], *handed_over: int) -> None:
        try:
            socket.send_fds(self.control, [json.dumps(head).encode()], handed_over)
        except OSError as error:
            end(self.process)
            raise ReaderFailed(f"the process that reads has ended: {error.strerror}") from None

    def _ask(self, task: str, request: bytes, common: str, limits: Limits) -> Any:
        key = hashlib.sha256(common.encode()).hexdigest() if common else ""
        ours, theirs = socket.socketpair()
        fate, telling = os.pipe()
        with ours, os.fdopen(fate, "rb", buffering=0) as fate:
            ours.settimeout(limits.wall_seconds + GRACE_SECONDS)
            try:
                with self.lock:
                    with theirs, os.fdopen(telling, "wb"):
                        self._start()
                        process = self.process  # by now, another thread may have started another in its place
                        shared = common.encode() if key and key not in self.known else b""
                        head = {"task": task, "limits": asdict(limits), "size": len(request), "common": key}
                        self._send(head | {"shared": len(shared)}, theirs.fileno(), telling)
                    if shared:
                        ours.sendall(shared)
                        self.known.append(key)
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has ended; its fate says why
                    ours.sendall(request)
                said = received(ours, limits)
                told = fate.read(FATE.size) if said is None and select.select([fate], [], [], GRACE_SECONDS)[0] else b""
            except TimeoutError:
                end(process)
                raise ReaderFailed("the process that reads did not answer in time") from None
            except OSError as error:
                end(process)
                raise ReaderFailed(f"the process that reads has ended: {error.strerror}") from None
        if said is None and not told:
            end(process)
            raise ReaderFailed("the process that reads has ended")
        if said is None:
            raise why_ended(*FATE.unpack(told), limits)
        try:
            return json.loads(said)["answer"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise ReaderFailed(f"the process that reads failed: {said[:300].decode(errors='replace')}") from None


def received(connection: socket.socket, limits: Limits) -> bytes | None:
    """The whole answer; none where it broke off. Raises TimeoutError after the wall time and some grace."""
    end = time.monotonic() + limits.wall_seconds + GRACE_SECONDS
    said, size = bytearray(), None
    while size is None or len(said) < size:
        connection.settimeout(max(0.001, end - time.monotonic()))
        try:
            block = connection.recv(2**20)
        except ConnectionResetError:
            return None
        if not block:
            return None
        said += block
        if size is None and len(said) >= LENGTH.size:
            (size,) = LENGTH.unpack(said[: LENGTH.size])
            del said[: LENGTH.size]
            if size > limits.answer:
                return None
    return bytes(said)


def end(process: subprocess.Popen[bytes]) -> None:
    """And its forks."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def why_ended(number: int, code: int, limits: Limits) -> Exception:
    """Of a fork that broke off, by its signal and its exit status."""
    if number == signal.SIGXCPU:
        return PassedLimit(f"took more than {limits.cpu_seconds} s of processor time")
    if number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE):
        return PassedLimit("crashed Python itself")
    passed = {
        DEEP: "met something that is nested too deeply",
        FULL: f"took more than {limits.address_space >> 20} MiB of memory",
        LONG: f"gave more than {limits.answer >> 20} MiB",
    }
    if not number and code in passed:
        return PassedLimit(passed[code])
    how = f"signal {number}" if number else f"status {code}"
    return ReaderFailed(f"the process that reads ended with {how}, or had not answered in {limits.wall_seconds} s")


READER = Reader()
atexit.register(READER.close)
