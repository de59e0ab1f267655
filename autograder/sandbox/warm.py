"""The sandbox: a bubblewrap box around a process warm with torch, from which each submission gets a fork of its own.

The box has no network, no environment, no files but a read-only interpreter, its libraries and the modules that
the exercise gives. Inside, the worker forks once per submission into fresh namespaces without any privilege
(:mod:`autograder.sandbox.worker`). Where any part of this cannot be had, nothing runs: :class:`SandboxUnavailable`
says what failed and how to mend it.
"""

import array
import socket
import subprocess
import tempfile
from pathlib import Path

from autograder.sandbox.bubblewrap import command
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Wire

START_SECONDS = 60.0


class Sandbox:
    """The boxed worker of one exercise: ``with Sandbox(root, given, limits) as sandbox: session = sandbox.open()``."""

    def __init__(self, root: Path, given: tuple[str, ...], limits: Limits) -> None:
        self.root, self.given, self.limits = root, given, limits

    def __enter__(self) -> "Sandbox":
        self.control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.log = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                command(self.root, self.given, self.limits, inner.fileno()),
                env={},  # bwrap stays in the box as pid 1: what is in its environment could be read there
                stdin=subprocess.DEVNULL,
                stdout=self.log,
                stderr=self.log,
                pass_fds=[inner.fileno()],
            )
        except BaseException:
            self.control.close()
            self.log.close()
            raise
        finally:
            inner.close()
        self.control.settimeout(START_SECONDS)
        try:
            ready = self.control.recv(64)
        except OSError:
            ready = b""
        if ready != b"ready":
            self.__exit__()
            raise SandboxUnavailable(self.reason or "the worker in the box did not report that it is ready.")
        return self

    def __exit__(self, *exception: object) -> None:
        self.control.close()  # the worker ends when this end is gone, and its children with it
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.seek(0)
        self.reason = self.log.read(4000).decode("utf-8", "replace").strip()
        self.log.close()

    def open(self, seconds: float = 20.0) -> Session:
        """A fresh fork of the warm worker, in namespaces of its own."""
        wire, inner_wire = socket.socketpair()
        leash, inner_leash = socket.socketpair()
        try:
            self.control.settimeout(seconds)
            rights = array.array("i", [inner_wire.fileno(), inner_leash.fileno()])
            self.control.sendmsg([b"fork"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            leash.settimeout(seconds)
            answer = leash.recv(64)
        except OSError as error:
            answer = str(error).encode()
        finally:
            inner_wire.close()
            inner_leash.close()
        if answer != b"open":
            wire.close()
            leash.close()
            raise SandboxUnavailable(f"a fork of the worker did not start: {answer.decode('utf-8', 'replace')}")
        return Session(Wire(wire), leash)
