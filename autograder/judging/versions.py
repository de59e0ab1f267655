"""Versions of what verdicts depend on besides submissions and checks: the grader, the library, Python, torch."""

import hashlib
import platform
from importlib.metadata import version
from pathlib import Path

import autograder

GRADER = Path(autograder.__file__).resolve().parent
LIBRARIES = ("torch", "numpy", "ipython", "matplotlib", "nbformat")  # what verdicts depend on besides our own code


def versions(root: Path) -> dict[str, str]:
    """Name → version of Python and its libraries, or digest of the grader and of the course's library at ``root``."""
    found = {"autograder": digest(GRADER), "seq2seq": digest(root / "seq2seq"), "python": platform.python_version()}
    return found | {name: version(name) for name in LIBRARIES}


def differences(here: dict[str, str], there: dict[str, str]) -> list[str]:
    """One text for each version in which two environments differ, such as "torch 2.9.1 here, 2.8.0 there"."""
    names = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    return [f"{name} {here.get(name, 'missing')} here, {there.get(name, 'missing')} there" for name in names]


def digest(package: Path) -> str:
    """A digest of the names and contents of all Python files of a package."""
    found = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        found.update(f"{path.relative_to(package)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:12]
