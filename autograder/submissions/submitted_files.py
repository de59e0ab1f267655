"""Finds a class's submissions in nbgrader's folder layout, ``<student>/<assignment>/*.ipynb``."""

import hashlib
import os
import stat
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.submissions.archive import HOUSEKEEPING
from autograder.submissions.bundle import beside, packed
from autograder.submissions.file_text import MAX_BYTES
from autograder.submissions.students import unfit
from autograder.submissions.which_notebook import chosen

MAX_DEPTH = 3  # folders within a submission's folder
MAX_LOOKED_AT = 5000  # files of one submission
MAX_SHOWN = 80  # characters of a path that is left out
MAX_TIMESTAMP = 100  # bytes
UNREAD = "The time of submission could not be read, so it does not count as late."


@dataclass(frozen=True)
class SubmittedFile:
    """One student's work for one assignment, not yet read."""

    student: str
    assignment: str
    path: Path | None  # None if there is nothing to grade
    notes: tuple[str, ...] = ()
    problem: str = ""  # why there is nothing to grade
    timestamp: str = ""  # as nbgrader's exchange wrote it; empty if there is none
    files: tuple[Path, ...] = ()  # small files beside the notebook that it may need

    def data(self) -> bytes:
        """The notebook's bytes; with files beside it, a zip of all of them."""
        if self.path is None:
            return b""
        if not self.files:
            return self.path.read_bytes()
        folder, name = self.path.parent, f"{self.assignment}.ipynb"
        beside = [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in self.files]
        return packed(name, [(name, self.path.read_bytes()), *beside])

    def digest(self) -> str:
        parts = [self.data(), *(text.encode("utf-8", "surrogatepass") for text in (*self.notes, self.problem))]
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


@dataclass(frozen=True)
class LeftOut:
    """A path in the class's folder that should hold someone's work, but is skipped."""

    place: str
    reason: str
    assignments: tuple[str, ...] | None = None  # names in it, perhaps assignments; None if unknown

    def __str__(self) -> str:
        place = repr(self.place)
        return f"{place if len(place) < MAX_SHOWN else place[:MAX_SHOWN] + '…'}: {self.reason}"


def collected(folder: Path) -> list[SubmittedFile]:
    """Every submission below ``folder`` that can be graded, by student and assignment."""
    return [one for one in found(folder) if isinstance(one, SubmittedFile)]


def found(folder: Path) -> Iterator[SubmittedFile | LeftOut]:
    """Every submission below ``folder``, by student and assignment; the folder is only ever read."""
    for student in sorted(folder.iterdir()):
        if student.name in HOUSEKEEPING or student.is_file() or not (student.is_dir() or student.is_symlink()):
            continue
        if student.is_symlink():
            yield LeftOut(student.name, "it is a link, expected a folder")
            continue
        try:
            places = sorted(place for place in student.iterdir() if place.name[0] not in "._")
        except OSError as error:
            yield LeftOut(student.name, f"it cannot be read ({error.strerror})")
            continue
        if reason := unfit(student.name):
            yield LeftOut(student.name, reason, tuple(place.name for place in places))
            continue
        for place in places:
            yield _found(student.name, place)


def _found(student: str, folder: Path) -> SubmittedFile | LeftOut:
    where, name = f"{student}/{folder.name}", (folder.name,)
    if folder.is_symlink() or not folder.is_dir():
        kind = "a link" if folder.is_symlink() else "a file"
        return LeftOut(where, f"it is {kind}, expected a folder", name)
    try:
        return _handed(student, folder)
    except OSError as error:
        return LeftOut(where, f"it cannot be read ({error.strerror})", name)


def _handed(student: str, folder: Path) -> SubmittedFile:
    name = folder.name
    when, notes = timestamp(folder / "timestamp.txt")
    files = _files(folder)
    choice = chosen(list(files), name)
    problem = choice.problem or _unfit(files[choice.name])
    if problem:
        return SubmittedFile(student, name, None, notes, problem, when)
    sizes = {name: path.stat().st_size for name, path in files.items() if stat.S_ISREG(path.lstat().st_mode)}
    names, more = beside(sizes, choice.name)
    path, others = files[choice.name], tuple(files[name] for name in names)
    return SubmittedFile(student, name, path, (*notes, *choice.notes, *more), timestamp=when, files=others)


def handed_at(path: Path, student: str) -> SubmittedFile:
    """The submission whose notebook nbgrader found at ``path``, read as :func:`found` would."""
    handed = _handed(student, path.parent)
    return handed if handed.path == path else SubmittedFile(student, path.parent.name, path, timestamp=handed.timestamp)


def timestamp(path: Path) -> tuple[str, tuple[str, ...]]:
    """The text of nbgrader's ``timestamp.txt`` if it is a time that nbgrader can read, else a note for the learner."""
    if not path.is_file() or path.is_symlink():
        return "", ()
    from nbgrader.utils import parse_utc  # a second to import

    try:
        with path.open("rb") as file:
            text = file.read(MAX_TIMESTAMP).decode("utf-8").strip()
        zone = text.rpartition(" ")[2]
        is_path = zone.startswith(("/", ":")) or ".." in zone  # nbgrader would open it as a file
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about unknown time zones
            if text.isprintable() and not is_path and parse_utc(text):
                return text, ()
    except (ValueError, OverflowError, OSError):
        pass
    return "", (UNREAD,)


def _files(folder: Path) -> dict[str, Path]:
    """Every file below the folder, by its path with slashes; links are not followed."""
    found: dict[str, Path] = {}
    for place, inner, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        inner[:] = sorted(inner) if depth < MAX_DEPTH else []
        for name in sorted(names):
            if len(found) < MAX_LOOKED_AT:
                path = Path(place, name)
                found[path.relative_to(folder).as_posix()] = path
    return found


def _unfit(path: Path) -> str:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        return "What was handed in is a link or a folder, not a file."
    if status.st_size > MAX_BYTES:
        return f"The file has {status.st_size >> 20} MiB, more than {MAX_BYTES >> 20}; clear the outputs."
    return ""
