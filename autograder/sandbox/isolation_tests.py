"""The sandbox's promises, each as a learner's cell that tries to break it: the cells are in isolation_tests.toml.

A cell of ``ASKED`` prints True if the promise is kept, and what it saw. ``ENDED`` gives limits, a cell that must be
stopped under them, and the possible reasons.
"""

import tomllib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from autograder.records.limits import Limits
from autograder.sandbox.mounts import ENGINE, ENVIRONMENT
from autograder.sandbox.syscalls import REFUSED

MB = 2**20
# Small enough to be reached quickly; but a virtual machine may take seconds of CPU time for each new GB.
TIGHT = Limits(
    total_seconds=120, cpu_seconds=30.0, memory=800 * MB, file=4 * MB, disk=8 * MB, files=200, output=10_000,
    processes=24, open_files=64,
)  # fmt: skip
BRIEF = replace(TIGHT, cpu_seconds=1.0)

CELLS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
ASKED: dict[str, str] = CELLS["asked"]
ENDED = {
    promise: ({"tight": TIGHT, "brief": BRIEF}[ended["limits"]], ended["cell"], ended["ends"])
    for promise, ended in CELLS["ended"].items()
}
ENDLESS, VFORK, LONG = CELLS["endless"], CELLS["vfork"], CELLS["long"]


def preamble(canaries: list[str], secret: str) -> str:
    """Definitions for the cells of ``ASKED``."""
    known = {
        "LIMITS": asdict(TIGHT),
        "SYSCALLS": REFUSED,
        "FILES": sorted(Path(module).name for module in ENGINE),
        "VARIABLES": {*ENVIRONMENT, "PWD", "HOSTNAME", "TERM", "container"},  # the last three are a container engine's
        "CANARIES": canaries,
        "SECRET": secret,
    }
    return "\n".join([CELLS["start"], *(f"{name} = {value!r}" for name, value in known.items())])
