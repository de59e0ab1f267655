"""A cgroup for each submission, if this machine delegates one to us (cgroup v2).

The kernel then bounds the submission's processes and its memory, including pages that belong to no process. Otherwise
only the supervisor checks, ten times a second.
"""

import os
import time
import uuid
from contextlib import suppress
from pathlib import Path

from autograder.records.job import Limits

VARIABLE = "AUTOGRADER_CGROUP"
CONTROLLERS = {"memory", "pids"}
SPARE = 4  # the cgroup holds the supervisor too


class Cgroup:
    """One submission's cgroup below ``parent``, which must delegate the controllers memory and pids."""

    def __init__(self, parent: Path, limits: Limits) -> None:
        self.path = parent / f"submission-{uuid.uuid4().hex[:12]}"
        self.path.mkdir()
        self.write("memory.max", limits.memory)
        self.write("pids.max", limits.processes + SPARE)
        with suppress(OSError):  # not every kernel has these two
            self.write("memory.swap.max", 0)
        with suppress(OSError):
            self.write("memory.oom.group", 1)

    def write(self, name: str, value: int) -> None:
        (self.path / name).write_text(str(value))

    def add(self, process: int) -> None:
        self.write("cgroup.procs", process)

    def end(self) -> str:
        """Kills what is left in it and removes it; returns "memory" if the kernel killed for that, else ""."""
        killed = 0
        with suppress(OSError, ValueError):
            events = dict(line.split() for line in (self.path / "memory.events").read_text().splitlines())
            killed = int(events.get("oom_kill", 0))
        with suppress(OSError):
            self.write("cgroup.kill", 1)
        for _ in range(100):
            with suppress(OSError):
                self.path.rmdir()
            if not self.path.exists():
                break
            time.sleep(0.01)  # its last process has not ended yet
        return "memory" if killed else ""


def delegated() -> Path | None:
    """Where we may make cgroups: the one named by AUTOGRADER_CGROUP, else the parent of our own; None if there is none.

    Raises OSError if AUTOGRADER_CGROUP names one that cannot be used.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not is_usable(Path(named)):
            raise OSError(f"{VARIABLE}={named} is not a writable cgroup v2 folder with memory and pids.")
        return Path(named)
    current = current_cgroup()
    return current.parent if current is not None and is_usable(current.parent) else None


def is_usable(folder: Path) -> bool:
    try:
        handed_down = set((folder / "cgroup.subtree_control").read_text().split())
    except OSError:
        return False
    return handed_down >= CONTROLLERS and os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)


def current_cgroup() -> Path | None:
    """Our current cgroup; None if we are in none of v2."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::"):
                return Path("/sys/fs/cgroup", line.removeprefix("0::/"))
    return None
