"""The caller's side of the reader process: starts it (:mod:`autograder.reader.fork_server`), sends requests, ends it.

Replies are plain data, as JSON of bounded length; callers must check its structure.
"""

import atexit
import contextlib
import hashlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PASSED_ON = ("PATH", "HOME", "LANG", "LC_", "TMPDIR")
GRACE_SECONDS = 30.0  # after the wall time of a request, before the process itself counts as lost
KEPT = 4  # how many texts shared by requests the process keeps
EXIT = struct.Struct("!i")  # exit status of a fork, or minus the signal that ended it: the last bytes of each reply
DEEP, FULL, LONG = 3, 4, 5  # exit statuses of a fork that exceeded a limit: nesting, memory, length of its answer


@dataclass(frozen=True)
class RequestLimits:
    """Limits in seconds and bytes on one request, which is handled by its own fork."""

    cpu_seconds: int = 10  # CPU time: what the submission itself costs, however busy the machine is
    wall_seconds: int = 60  # if this is exceeded before the CPU time, the machine is at fault
    address_space: int = 3 * 2**30
    answer: int = 256 * 2**20  # size of the returned data


READ = RequestLimits()
RENDER = RequestLimits(cpu_seconds=5)  # one page; texts that a class has in common are rendered only once


class PassedLimit(Exception):
    """The request exceeded a limit; the message is a predicate without a subject: "took more than 10 s"."""


class ReaderFailed(Exception):
    """A fault of the grader or of the machine; the message says which."""


class Reader:
    """``ask("read", data, common=text)``, from any thread; the process starts on first use and restarts if it dies."""

    def __init__(self, module: str = "autograder.reader.fork_server") -> None:
        self.module = module
        self.process: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.known: deque[str] = deque(maxlen=KEPT)
        self.lock = threading.Lock()
        self.owner = 0

    def prepare(self, *tasks: str) -> None:
        """Starts the process unless it runs, and has it prepare for the tasks, without waiting."""
        with self.lock, contextlib.suppress(ReaderFailed):  # reported by the next request
            self._start()
            for task in tasks:
                self._send({"prepare": task})

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
        """Ends the process and all its forks at once; waiting callers get ReaderFailed."""
        if self.owner == os.getpid():
            end(self.process)

    def close(self) -> None:
        self.kill()
        if self.control is not None:
            self.control.close()

    def _start(self) -> subprocess.Popen[bytes]:
        if self.process is not None and self.owner == os.getpid() and self.process.poll() is None:
            return self.process
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
                process_group=0,  # Ctrl-C goes to the grading process, which then ends this one
            )
        self.owner = os.getpid()
        self.known.clear()
        return self.process

    def _send(self, head: dict[str, Any], *handed_over: int) -> None:
        assert self.control is not None
        assert self.process is not None
        try:
            socket.send_fds(self.control, [json.dumps(head).encode()], handed_over)
        except OSError as error:
            end(self.process)
            raise ReaderFailed(f"the reader process has ended: {error.strerror}") from None

    def _ask(self, task: str, request: bytes, common: str, limits: RequestLimits) -> Any:
        key = hashlib.sha256(common.encode()).hexdigest() if common else ""
        process: subprocess.Popen[bytes] | None = None
        ours, theirs = socket.socketpair()
        with ours:
            ours.settimeout(limits.wall_seconds + GRACE_SECONDS)
            try:
                with self.lock:
                    with theirs:
                        process = self._start()  # another thread may replace it
                        shared = common.encode() if key and key not in self.known else b""
                        head = {"task": task, "limits": asdict(limits), "size": len(request), "common": key}
                        self._send(head | {"shared": len(shared)}, theirs.fileno())
                    if shared:
                        ours.sendall(shared)
                        self.known.append(key)
                with contextlib.suppress(ConnectionError):  # it has ended; its exit status says why
                    ours.sendall(request)
                said = received(ours, limits)
            except OSError as error:
                end(process)
                if isinstance(error, TimeoutError):
                    raise ReaderFailed("the reader process did not answer in time") from None
                raise ReaderFailed(f"the reader process has ended: {error.strerror}") from None
        if len(said) < EXIT.size:
            end(process)
            raise ReaderFailed("the reader process has ended")
        (code,) = EXIT.unpack(said[-EXIT.size :])
        if code:
            raise why_ended(code, limits)
        try:
            return json.loads(said[: -EXIT.size])["answer"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise ReaderFailed(f"the reader process failed: {said[:300].decode(errors='replace')}") from None


def received(connection: socket.socket, limits: RequestLimits) -> bytes:
    """What a fork says, then how it ended; raises TimeoutError after the wall time and GRACE_SECONDS."""
    end = time.monotonic() + limits.wall_seconds + GRACE_SECONDS
    said, most = bytearray(), limits.answer + EXIT.size
    with contextlib.suppress(ConnectionResetError):
        while len(said) < most:
            connection.settimeout(max(0.001, end - time.monotonic()))
            block = connection.recv(min(2**20, most - len(said)))
            if not block:
                break
            said += block
    return bytes(said)


def end(process: subprocess.Popen[bytes] | None) -> None:
    """Kills the process, if it was started, and its forks."""
    if process is not None and process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def why_ended(code: int, limits: RequestLimits) -> Exception:
    """The exception for a fork that ended early, from its exit status or, negative, its signal."""
    if -code in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE):
        return PassedLimit("crashed Python itself")
    passed = {
        -signal.SIGXCPU: f"took more than {limits.cpu_seconds} s of processor time",
        DEEP: "met something that is nested too deeply",
        FULL: f"took more than {limits.address_space >> 20} MiB of memory",
        LONG: f"gave more than {limits.answer >> 20} MiB",
    }
    if code in passed:
        return PassedLimit(passed[code])
    how = f"signal {-code}" if code < 0 else f"status {code}"
    return ReaderFailed(f"the reader process ended with {how}, or did not answer within {limits.wall_seconds} s")


READER = Reader()
atexit.register(READER.close)
