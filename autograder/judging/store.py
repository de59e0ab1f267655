"""Verdicts on disk: each one whole and durable before the next step, found again by what it was a verdict on."""

import errno
import hashlib
import os
import platform
import re
import stat
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import autograder
from autograder.authoring.assignment import Assignment
from autograder.judging.soundness import fits, is_sound
from autograder.judging.verdict import Verdict
from autograder.submissions.collected import Handed

MAX_BYTES = 256 * 2**20  # of a verdict's file: the outputs of some hundred cells
DEPENDENCIES = ("torch", "numpy", "ipython", "matplotlib", "nbformat")  # what verdicts depend on besides our own code
UNFINISHED = re.compile(r"\..+\.\d+(-journal)?")  # see write_durably


class StoreError(Exception):
    """What lies under the output folder cannot be used or added to; the message says why and what to do."""


class Store:
    """The verdicts and the seed under the output folder of a grading run."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.broken: list[str] = []  # files in the place of a verdict that are none

    def path(self, key: str) -> Path:
        return self.output / "verdicts" / f"{key}.json"

    def shown(self, key: str) -> Path:
        """What the cells showed lies beside the verdict: it may differ from run to run."""
        return self.output / "shown" / f"{key}.json"

    def get(self, key: str) -> Verdict | None:
        """The stored verdict; none where there is none, or where the file is not one: ``broken`` then names it.

        Raises:
            PermissionError: there is a file, but another user's.
        """
        path = self.path(key)
        try:
            status = path.lstat()
        except FileNotFoundError:
            return None
        if stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES:
            try:
                verdict = Verdict.from_record(path.read_text("utf-8"), self.shown(key).read_text("utf-8"))
                if is_sound(verdict):
                    return verdict
            except PermissionError:
                raise
            except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
                pass
        self.broken.append(path.name)
        return None

    def find(self, key: str, assignment: Assignment, seed: int) -> Verdict | None:
        """The stored verdict, if it is one on this assignment's checks under this seed; like :meth:`get`."""
        verdict = self.get(key)
        if verdict is not None and not fits(verdict, assignment.checks, seed):
            self.broken.append(self.path(key).name)
            return None
        return verdict

    def put(self, key: str, verdict: Verdict) -> None:
        """Durable when this returns: what the cells showed first, so that no verdict is without it."""
        write_durably(self.shown(key), verdict.shown())
        write_durably(self.path(key), verdict.to_record())

    def seed(self) -> int | None:
        """The seed of the runs before; none where there were none.

        Raises:
            StoreError: there was a seed, and it is lost. A fresh one would give other inputs to the same checks.
        """
        path = self.output / "seed"
        try:
            text = path.read_bytes()[:100].decode("ascii", "replace")
        except FileNotFoundError:
            text = ""
        if re.fullmatch(r"-?\d{1,30}\n", text):
            return int(text)
        seeds = sorted({verdict.seed for key in self.keys() if (verdict := self.get(key)) is not None})
        if not text and not seeds and not path.exists():
            return None
        found = f"{path} holds {text[:40]!r}, expected a number" if path.exists() else f"{path} is gone"
        if not seeds:
            raise StoreError(f"{found}; no verdict depends on it: delete it and run the same command.")
        known = " or ".join(f"--seed {seed}" for seed in seeds)
        raise StoreError(
            f"{found}, and a fresh seed would give the checks other inputs than the verdicts in "
            f"{self.output / 'verdicts'} had; go on with {known}, or grade into a fresh --output."
        )

    def keep_seed(self, seed: int) -> None:
        path, text = self.output / "seed", f"{seed}\n"
        if not path.is_file() or path.read_bytes() != text.encode():
            write_durably(path, text)

    def keys(self) -> list[str]:
        """Of everything that lies in the place of a verdict."""
        return sorted(path.stem for path in (self.output / "verdicts").glob("[!.]*.json"))

    def sweep(self) -> None:
        """Removes what a killed run was just writing; only for who holds the lock on the output folder."""
        folders = [self.output / name for name in ("", "verdicts", "shown")]
        for folder in (*folders, *(self.output / "written").glob("*")):
            for path in folder.glob(".*"):
                if UNFINISHED.fullmatch(path.name) and path.is_file():
                    path.unlink()


def key(handed: Handed, assignment: Assignment, environment: str, seed: int) -> str:
    """What the verdict depends on, as one name: the submission, the instructor's notebook, the grader, the seed."""
    parts = (handed.digest(), assignment.name, assignment.text, environment, str(seed))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def environment(root: Path, given: Iterable[str] = ()) -> str:
    """The grader, the course's library with the modules that it gives, and the versions that numbers depend on."""
    digest = hashlib.sha256()
    places = {"autograder": Path(autograder.__file__).parent, "seq2seq": root / "seq2seq"}
    files = {f"{name}/{path}": top / path for name, top in places.items() for path in _modules(top)}
    files |= {name: root / name for name in given if (root / name).is_file()}
    for name, path in sorted(files.items()):
        digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    for name in DEPENDENCIES:
        digest.update(f"{name}={version(name)}\0".encode())
    digest.update(platform.python_version().encode())
    return digest.hexdigest()


def _modules(top: Path) -> list[str]:
    """Every module below ``top``; unlike rglob, through links to folders too."""
    found = [Path(folder, name) for folder, _, names in os.walk(top, followlinks=True) for name in names]
    return sorted(path.relative_to(top).as_posix() for path in found if path.suffix == ".py")


def write_durably(path: Path, text: str | bytes) -> None:
    """After this returns the file is whole on disk; a crash before that leaves the old one, or none."""
    make_durably(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync(path.parent)


def make_durably(folder: Path) -> None:
    """The folder and those above it: a power cut must not take a new folder away with the files in it."""
    if not folder.is_dir():
        make_durably(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def sync(path: Path) -> None:
    """Waits until a file's bytes, or a folder's entries, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


MENDED_BY = {
    errno.ENOSPC: "the disk is full: make room",
    errno.EDQUOT: "your quota on this disk is used up: make room",
    errno.EROFS: "it can only be read: choose another --output",
    errno.EACCES: "it is not yours to write: choose another --output, or ask its owner",
    errno.EPERM: "it is not yours to write: choose another --output, or ask its owner",
    errno.EIO: "the disk reports an error: save what is there, and choose another --output",
    errno.ENOTDIR: "a file lies where a folder is expected: move it away",
    errno.EISDIR: "a folder lies where a file is expected: move it away",
}


def mishap(error: OSError, output: Path) -> StoreError | None:
    """The error of the disk below ``output`` in words, with what to do about it; none for an error from elsewhere."""
    name = error.filename2 or error.filename  # of a renaming, where to
    place = Path(os.fsdecode(name)) if name else output
    if error.errno not in MENDED_BY or not place.resolve().is_relative_to(output.resolve()):
        return None
    return StoreError(
        f"{place}: {MENDED_BY[error.errno]}; what was judged is kept, the same command goes on from there."
    )
