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
    digests = {"autograder": digest(Path(autograder.__file__).parent), "seq2seq": digest(root / "seq2seq")}
    return digests | {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}


def environment(root: Path, given: Iterable[str] = ()) -> str:
    """One digest of all versions and of the given files, which are modules and the weights that these read."""
    files = {name: _hash(root / name) for name in sorted(given) if (root / name).is_file()}
    return hashlib.sha256(json.dumps([versions(root), files], sort_keys=True).encode()).hexdigest()


def differences(local: dict[str, str], remote: dict[str, str]) -> list[str]:
    """One text for each version in which two environments differ, such as "torch 2.9.1 here, 2.8.0 there"."""
    names = [name for name in sorted({*local, *remote}) if local.get(name) != remote.get(name)]
    return [f"{name} {local.get(name, 'missing')} here, {remote.get(name, 'missing')} there" for name in names]


def digest(package: Path) -> str:
    """A digest of the names and contents of all Python files of a package; unlike rglob, this follows links."""
    combined = hashlib.sha256()
    paths = [Path(folder, name) for folder, _, names in os.walk(package, followlinks=True) for name in names]
    for path in sorted(path for path in paths if path.suffix == ".py"):
        combined.update(f"{path.relative_to(package)} {_hash(path)}\n".encode())
    return combined.hexdigest()[:16]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
