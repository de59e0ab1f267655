"""The box made by an account of its own, in a container that serves one submission and is then thrown away.

Where a container may make no namespaces, as on Gradescope, there is neither bubblewrap nor an engine.
What is left is the oldest wall: learners' code runs under a number that owns no file, with the same limits and the same
filter of system calls as everywhere. It sees what the container shows to everybody: public files, other processes,
the network. So it is never chosen unless somebody asks for it by its name.
"""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from autograder.records.job import Limits
from autograder.sandbox.box import ENVIRONMENT, SEARCH, Box, output, run, worker
from autograder.sandbox.containers import share
from autograder.sandbox.errors import SandboxUnavailable

USER = 61_000  # between what distributions give to people and what systemd gives to services: nobody has it


class Shared(tempfile.TemporaryDirectory[str]):
    """What the account may read. Whatever the account has left running ends before the folder is removed."""

    def __init__(self) -> None:
        super().__init__(prefix="autograder-")
        Path(self.name).chmod(0o711)

    def cleanup(self) -> None:
        everything = ["/bin/sh", "-c", "kill -KILL -1"]
        subprocess.run(everything, user=USER, group=USER, extra_groups=(), stderr=subprocess.DEVNULL)
        super().cleanup()


def start(root: Path, given: tuple[str, ...], limits: Limits, cold: bool, gpu: bool = False) -> Box:
    """A box for one submission; raises SandboxUnavailable unless we are root, who alone may change accounts."""
    require_root()
    folder = Shared()
    try:
        shared = Path(folder.name, "shared")
        share(root, given, shared)
        environment = ENVIRONMENT | {"PYTHONPATH": str(shared / "course")}
        control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with control, inner:
            line = ["-P", *worker(str(inner.fileno()), limits, cold)]
            return Box(*started(line, environment, inner.fileno()), control.dup(), left=folder)
    except BaseException:
        folder.cleanup()
        raise


def search(root: Path, source: str, sizes: str) -> str:
    """What the program of autograder.sandbox.search prints under the account."""
    require_root()
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(sizes.encode())
        os.fchmod(file.fileno(), 0o644)  # the account opens it anew
        line = [*SEARCH, source, f"/dev/fd/{file.fileno()}"]
        return output(*started(line, ENVIRONMENT, file.fileno()))


def started(line: list[str], environment: dict[str, str], inherited: int) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Starts Python with these arguments under the account."""
    try:
        return run([sys.executable, *line], environment, [inherited], user=USER)
    except PermissionError:
        why = f"the account may not run {sys.executable}: that and its folders must be open to everybody."
        raise SandboxUnavailable(why, "") from None


def require_root() -> None:
    if user := os.geteuid():
        raise SandboxUnavailable(f"only root can run learners' code under another account; this is user {user}.")
