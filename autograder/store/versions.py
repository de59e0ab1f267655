"""Versions of what verdicts depend on besides submissions and checks: the grader, the library, Python, torch."""

import hashlib
import json
import os
import platform
import tomllib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import autograder
from autograder.folders import COURSE, TASKS, file_of, is_class

GRADER = Path(autograder.__file__).resolve().parent
LIBRARIES = ("torch", "numpy", "ipython", "matplotlib", "nbformat")


def versions(root: Path) -> dict[str, str]:
    """Name → version of Python and its libraries, or digest of the grader and of the course's library at ``root``."""
    project = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    digests = {"autograder": digest(Path(autograder.__file__).parent), "seq2seq": digest(file_of(root, "seq2seq"))}
    if is_class(root):
        digests["tasks"] = digest(root / "tasks")
    libraries = {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}
    return {project["name"]: project["version"]} | digests | libraries


def of_checks(root: Path, modules: Iterable[str]) -> dict[str, str]:
    """Name → digest of the files of ``autograder/tasks/``, or of a class's ``tasks/``, with these modules' checks."""
    files = {name: file_of(root, f"{TASKS}{name.rpartition('.')[2]}.py") for name in modules}
    return {name: _hash(path)[:16] for name, path in files.items() if path.is_file()}


def changes(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """What differs between two environments, in words; what one of them does not know is left out."""
    lines = []
    for name in (name for name in now if before.get(name, now[name]) != now[name]):
        if name.startswith("autograder.tasks."):
            lines.append(f"different checks in tasks/{name.rpartition('.')[2]}.py")
        elif name in ("autograder", "seq2seq", "tasks"):
            lines.append(f"different {name}")
        else:
            lines.append(f"{name} {before[name]} → {now[name]}")
    return lines


def environment(root: Path, given: Iterable[str] = ()) -> str:
    """One digest of all versions and of the given files, which are modules and the weights that these read."""
    paths = {name: file_of(root, name) for name in sorted(given)}
    files = {name: _hash(path) for name, path in paths.items() if path.is_file()}
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
