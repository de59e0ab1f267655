"""Verdicts on disk: each one whole and durable before the next step, found again by what it was a verdict on."""

import hashlib
import os
import platform
from importlib.metadata import version
from pathlib import Path

from autograder.authoring.assignment import Assignment
from autograder.judging.verdict import Verdict
from autograder.submissions.collected import Handed


class Store:
    """The verdicts and the seed under the output folder of a grading run."""

    def __init__(self, output: Path) -> None:
        self.output = output

    def path(self, key: str) -> Path:
        return self.output / "verdicts" / f"{key}.json"

    def get(self, key: str) -> Verdict | None:
        """The stored verdict; none where there is none, or where the file is not one."""
        try:
            return Verdict.from_json(self.path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def put(self, key: str, verdict: Verdict) -> None:
        write_durably(self.path(key), verdict.to_json())

    def seed(self) -> int | None:
        try:
            return int((self.output / "seed").read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def keep_seed(self, seed: int) -> None:
        if self.seed() != seed:
            write_durably(self.output / "seed", f"{seed}\n")


def key(handed: Handed, assignment: Assignment, environment: str, seed: int) -> str:
    """What the verdict depends on, as one name: the submission, the instructor's notebook, the grader, the seed."""
    parts = (handed.digest(), assignment.name, assignment.text, environment, str(seed))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def environment(root: Path) -> str:
    """The library, the checks, the grader, and the versions that numbers depend on."""
    digest = hashlib.sha256()
    for package in ("autograder", "seq2seq"):
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    for name in ("torch", "numpy"):
        digest.update(f"{name}={version(name)}\0".encode())
    digest.update(platform.python_version().encode())
    return digest.hexdigest()


def write_durably(path: Path, text: str) -> None:
    """After this returns the file is whole on disk; a crash before that leaves the old one, or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
