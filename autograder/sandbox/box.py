"""A started box: its process, its control socket and what it printed."""

import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from autograder.records.limits import Limits
from autograder.sandbox.errors import SandboxUnavailable

START_SECONDS = 100.0  # takes seconds on an idle machine, longer when many judges start at once
STOP_SECONDS = 2.0


@dataclass
class Box:
    """Owns its process and everything else that ends with it."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    log: IO[bytes]
    kill: Sequence[str] = ()  # the command that ends the contents as a last resort
    left: tempfile.TemporaryDirectory[str] | None = None  # a folder to remove
    spoiled: str = ""  # why it takes no more submissions

    def wait(self, seconds: float = START_SECONDS) -> "Box":
        """Returns once the worker inside is ready; raises SandboxUnavailable, with what it printed, if it is not."""
        self.control.settimeout(seconds)
        try:
            answer = self.control.recv(64)
        except OSError:
            answer = b""
        if answer != b"ready":
            said = self.stop()
            raise SandboxUnavailable(said or "the worker in the box did not report that it is ready.")
        return self

    def stop(self) -> str:
        """Ends the box and everything in it; returns what it printed."""
        self.control.close()  # the worker ends when this end is closed, and its children with it
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            if self.kill:
                with suppress(OSError, subprocess.TimeoutExpired):
                    subprocess.run(self.kill, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20)
            self.process.kill()
            self.process.wait()
        said = self.said()
        self.log.close()
        if self.left is not None:
            self.left.cleanup()
        return said

    def said(self) -> str:
        """The end of what it printed."""
        if self.log.closed:
            return ""
        printed = os.pread(self.log.fileno(), 2**20, 0)
        return printed[-4000:].decode("utf-8", "replace").strip()


Start = Callable[[Path, tuple[str, ...], Limits], Box]  # root, given modules, limits → a box that may not be ready yet


def run(
    command: Sequence[str], environment: dict[str, str], descriptors: Sequence[int]
) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Starts the box's process and keeps its output in a file."""
    log = tempfile.TemporaryFile()  # noqa: SIM115
    try:
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=descriptors
        ), log
    except BaseException:
        log.close()
        raise
