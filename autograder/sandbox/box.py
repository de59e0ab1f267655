"""A box: what it is for, what of the project is in it, and once started its process and its control socket."""

import json
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from autograder.folders import file_of
from autograder.records.job import Limits
from autograder.sandbox.errors import KILLED, SandboxUnavailable

# Whatever is here, learners' code can read, so that no module that knows a task, a reference or a check is.
ENGINE = (
    *(f"autograder/{name}.py" for name in ("__init__", "vjp", "tracebacks", "finding")),
    *(f"autograder/checking/{name}.py" for name in ("__init__", "devices", "equal", "observation", "play", "program")),
    *(f"autograder/checking/{name}.py" for name in ("surroundings", "values", "way", "wording")),
    *(f"autograder/sandbox/{name}.py" for name in ("__init__", "worker", "supervisor", "memory_meter", "confinement")),
    *(f"autograder/sandbox/{name}.py" for name in ("allowed_calls", "syscalls", "answers", "shell")),
    *(f"autograder/sandbox/{name}.py" for name in ("objects", "wire")),
)


@dataclass(frozen=True)
class Purpose:
    """What a box is for: the module that serves in it, and the files of ours and the packages that this needs."""

    service: str
    modules: tuple[str, ...]
    packages: tuple[str, ...] = ()  # empty: what learners may import


ANSWERS = Purpose("autograder.sandbox.answers", ENGINE)
# No learner's code runs where files are read, so that more of ours may be there; no task or reference is.
READING = Purpose(
    "autograder.sandbox.reading",
    (
        *(f"autograder/{name}.py" for name in ("__init__", "class_table", "errors", "finding", "folders", "settings")),
        "autograder/unreadable_cells.py",
        *(f"autograder/{room}" for room in ("assignments", "notebook_files", "records", "sandbox", "submissions")),
        *(f"autograder/gradebook/{name}.py" for name in ("__init__", "html", "syntax")),
    ),
    ("accessible-pygments", "bleach", "docutils", "nbconvert", "nbformat", "PyYAML"),
)
# Of each process that is forked for every submission: in huge pages, where the system gives them, half as much is to be
# copied for a fork and taken down at its end, which is what a submission without any cells costs.
PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "USER": "nobody",
    "LOGNAME": "nobody",
    "COLUMNS": "80",
    "LINES": "24",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONBREAKPOINT": "0",  # `breakpoint()` does nothing: there is nobody to type, and the debugger would raise
    "PYTHONPATH": "/course",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "IPYTHONDIR": "/tmp/ipython",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    **PAGES,
}

SEARCH = ("-I", "-S", "-c")  # Python's options for the search: it must start at once
START_SECONDS = 100.0  # takes seconds on an idle machine, longer when many judges start at once
STOP_SECONDS = 2.0
ENDED = (-signal.SIGKILL, -signal.SIGTERM, 128 + signal.SIGKILL, 128 + signal.SIGTERM)  # of bwrap, or of what it ran


@dataclass
class Box:
    """Owns its process and everything else that ends with it."""

    process: subprocess.Popen[bytes]
    log: IO[bytes]
    control: socket.socket
    kill: Sequence[str] = ()  # the command that ends the contents as a last resort
    left: tempfile.TemporaryDirectory[str] | None = None  # a folder to remove
    spoiled: str = ""  # why it takes no more submissions

    def wait(self, seconds: float = START_SECONDS) -> "Box":
        """Returns once the worker inside is ready; raises SandboxUnavailable, with what it printed, if it is not."""
        self.control.settimeout(seconds)
        try:
            answer = self.control.recv(64)
        except OSError:
            answer = b"too late"
        if answer != b"ready":
            printed = self.stop()
            if not answer and self.process.returncode in ENDED:
                raise SandboxUnavailable("its process was ended from outside while it started.", KILLED)
            raise SandboxUnavailable(printed or "the worker in the box did not report that it is ready.")
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
        printed = self.printed()
        self.log.close()
        if self.left is not None:
            self.left.cleanup()
        return printed

    def printed(self) -> str:
        """The end of what it printed."""
        if self.log.closed:
            return ""
        text = os.pread(self.log.fileno(), 2**20, 0)
        return text[-4000:].decode("utf-8", "replace").strip()


def output(process: subprocess.Popen[bytes], log: IO[bytes]) -> str:
    """All that a box prints until it ends."""
    with log:
        try:
            process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return os.pread(log.fileno(), os.fstat(log.fileno()).st_size, 0).decode("utf-8", "replace")


# Root, given modules, limits, whether for one submission alone → a box that may not be ready yet.
Start = Callable[[Path, tuple[str, ...], Limits, bool], Box]


def run(
    command: Sequence[str],
    environment: dict[str, str],
    descriptors: Sequence[int],
    group: int | None = None,
    user: int | None = None,
) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Starts the box's process and keeps its output in a file; ``group`` 0: in a process group of its own.

    ``user``: under this account, which only root can choose.
    """
    log = tempfile.TemporaryFile()  # noqa: SIM115
    try:
        return subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=descriptors,
            process_group=group,
            user=user,
            group=user,
            extra_groups=None if user is None else (),
        ), log
    except BaseException:
        log.close()
        raise


def modules(root: Path, given: tuple[str, ...], purpose: Purpose = ANSWERS) -> dict[str, Path]:
    """Maps each path below /course to what is mounted there; raises SandboxUnavailable for what does not exist."""
    paths = {}
    for module in dict.fromkeys(purpose.modules + given):
        paths[module] = file_of(root, module).resolve()
        if not paths[module].exists():
            raise SandboxUnavailable(f"the given module {module} does not exist in {root}.")
    return paths


def worker(path: str, limits: Limits, cold: bool, purpose: Purpose = ANSWERS) -> list[str]:
    """The arguments of Python that start the worker; ``path`` is where it finds its control connection."""
    program = ["-s", "-m", "autograder.sandbox.worker", purpose.service, path]
    return [*program, "cold" if cold else "warm", json.dumps(asdict(limits))]
