"""Versions of what verdicts depend on besides submissions and checks: the grader, the library, Python, torch."""

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import autograder

GRADER = Path(autograder.__file__).resolve().parent
LIBRARIES = ("torch", "numpy", "ipython", "matplotlib", "nbformat")


def versions(root: Path) -> dict[str, str]:
    """Name → version of Python and its libraries, or digest of the grader and of the course's library at ``root``."""
    own = {"autograder": digest(Path(autograder.__file__).parent), "seq2seq": digest(root / "seq2seq")}
    return own | {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}


def environment(root: Path, given: Iterable[str] = ()) -> str:
    """One digest of all versions and of the given files, which are modules and the weights that these read."""
    files = {name: _hash(root / name) for name in sorted(given) if (root / name).is_file()}
    return hashlib.sha256(json.dumps([versions(root), files], sort_keys=True).encode()).hexdigest()


def differences(here: dict[str, str], there: dict[str, str]) -> list[str]:
    """One text for each version in which two environments differ, such as "torch 2.9.1 here, 2.8.0 there"."""
    names = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    return [f"{name} {here.get(name, 'missing')} here, {there.get(name, 'missing')} there" for name in names]


def digest(package: Path) -> str:
    """A digest of the names and contents of all Python files of a package; unlike rglob, this follows links."""
    found = hashlib.sha256()
    paths = [Path(folder, name) for folder, _, names in os.walk(package, followlinks=True) for name in names]
    for path in sorted(path for path in paths if path.suffix == ".py"):
        found.update(f"{path.relative_to(package)} {_hash(path)}\n".encode())
    return found.hexdigest()[:16]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
