"""Finds a class's submissions in nbgrader's folder layout, ``<student>/<assignment>/*.ipynb``."""

import hashlib
import stat
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.handed.bundle import beside, files_below, packed
from autograder.handed.content import UNSEEN, Content, Exercises, look
from autograder.handed.file_text import MAX_BYTES
from autograder.handed.which_notebook import chosen
from autograder.submissions.archive import HOUSEKEEPING, MAX_SUBMISSION
from autograder.submissions.students import unfit, visible

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


def collected(folder: Path, exercises: Exercises | None = None) -> list[SubmittedFile]:
    """Every submission below ``folder`` that can be graded, by student and assignment."""
    return [one for one in found(folder, exercises) if isinstance(one, SubmittedFile)]


def found(folder: Path, exercises: Exercises | None = None) -> Iterator[SubmittedFile | LeftOut]:
    """Every submission below ``folder``, by student and assignment; the folder is only ever read.

    ``exercises``: the course's, by which a notebook is known whatever it is called.
    """
    students: set[str] = set()
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
        name = visible(student.name)
        reason = unfit(name) or (f"without invisible characters it is another {name!r}" if name in students else "")
        if reason:
            yield LeftOut(student.name, reason, tuple(place.name for place in places))
            continue
        students.add(name)
        for place in places:
            yield _found(name, place, exercises)


def _found(student: str, folder: Path, exercises: Exercises | None) -> SubmittedFile | LeftOut:
    where, name = f"{student}/{folder.name}", (folder.name,)
    if folder.is_symlink() or not folder.is_dir():
        kind = "a link" if folder.is_symlink() else "a file"
        return LeftOut(where, f"it is {kind}, expected a folder", name)
    try:
        return handed_in(folder, student, folder.name, exercises)
    except OSError as error:
        return LeftOut(where, f"it cannot be read ({error.strerror})", name)


def handed_in(
    folder: Path, student: str, name: str, exercises: Exercises | None = None, notebook: str = ""
) -> SubmittedFile:
    """What the folder holds for the assignment ``name``; if ``notebook`` is given, that one is meant."""
    when, notes = timestamp(folder / "timestamp.txt")
    files = files_below(folder)
    names = [notebook] if notebook else list(files)
    choice = chosen(names, name, _looks(files), exercises)
    problem = choice.problem or _unfit(files[choice.name])
    if problem:
        return SubmittedFile(student, name, None, notes, problem, when)
    sizes = {name: path.stat().st_size for name, path in files.items() if stat.S_ISREG(path.lstat().st_mode)}
    names, more = beside(sizes, choice.name)
    path, others = files[choice.name], tuple(files[name] for name in names)
    return SubmittedFile(student, name, path, (*notes, *choice.notes, *more), timestamp=when, files=others)


def handed_at(path: Path, student: str, exercises: Exercises | None = None) -> SubmittedFile:
    """The submission whose notebook nbgrader found at ``path``, read as :func:`found` would."""
    handed = handed_in(path.parent, student, path.parent.name, exercises)
    if handed.path == path or path.stem == handed.assignment:
        return handed
    return handed_in(path.parent, student, handed.assignment, exercises, path.name)


def _looks(files: Mapping[str, Path]) -> Callable[[str], Content]:
    """Looks at one of the files after another, until it has read as much as a learner may hand in."""
    seen = 0

    def look_at(name: str) -> Content:
        nonlocal seen
        status = files[name].lstat()
        seen += status.st_size
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES or seen > MAX_SUBMISSION:
            return UNSEEN
        return look(files[name].read_bytes())

    return look_at


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


def _unfit(path: Path) -> str:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        return "What was handed in is a link or a folder, not a file."
    if status.st_size > MAX_BYTES:
        return f"The file has {status.st_size >> 20} MiB, more than {MAX_BYTES >> 20}; clear the outputs."
    return ""
