"""Brings what arrives in nbgrader's exchange into the class's folder, by nbgrader's own ``collect``."""

import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from autograder.errors import UsageError


def collect_inbound(root: Path, inbound: Path, assignments: Collection[str]) -> str:
    """Collects what is new for these assignments; returns nbgrader's warnings, such as of somebody else's name.

    Raises:
        UsageError: nbgrader could not collect.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    environment, warnings = os.environ | {"PATH": path}, []  # nbgrader calls ``alembic`` by name
    for name in sorted(handed_in(inbound) & set(assignments)):
        line = [sys.executable, "-m", "nbgrader", "collect", name, "--update", "--log-level", "WARN"]
        done = subprocess.run(line, cwd=root, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        warnings += [text for text in done.stderr.splitlines() if text.strip()]
        if done.returncode:
            raise UsageError(f"`nbgrader collect {name}` failed: {' '.join(warnings[-3:]) or done.stdout.strip()}")
    return "\n".join(warnings)


def handed_in(inbound: Path) -> set[str]:
    """The assignments of what lies there, in folders that nbgrader calls ``student+assignment+time+secret``."""
    parts = [path.name.rsplit("+", 3) for path in inbound.iterdir() if path.is_dir()]
    return {part[1] for part in parts if len(part) > 2}
