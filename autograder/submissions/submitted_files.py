"""Finds a class's submissions in nbgrader's folder layout, ``<student>/<assignment>/*.ipynb``."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath

from autograder.notebook_files.bundle import SECRET, TIMESTAMP, beside, files_below, packed
from autograder.notebook_files.content import UNKNOWN, UNSEEN, Content, Exercises, exercise_of, look
from autograder.notebook_files.file_text import MAX_BYTES
from autograder.notebook_files.which_notebook import ITSELF, NOTEBOOK, assignment_of, chosen, is_notebook, listed
from autograder.submissions.student_names import unfit, visible
from autograder.submissions.times import STAMP, Clock, NoTime, stamp

MAX_SUBMISSION = 256 * 2**20  # bytes of one learner's files
HOUSEKEEPING = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")
MAX_SHOWN = 80  # characters of a path that is left out
MAX_TIMESTAMP = 100  # bytes
MAX_SECRET = 1000  # bytes; nbgrader's has 64
NO_FOLDER = "The notebook was handed in without the folder {0}; it was read as if it lay there."
UNNAMED = "neither its name nor its cells say which exercise it is; put it into a folder of the exercise's name"
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
    secret: str = field(default="", repr=False)  # of nbgrader's exchange; empty if there is none

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

    path: str
    reason: str
    assignments: tuple[str, ...] | None = None  # names in it, perhaps assignments; None if unknown

    def __str__(self) -> str:
        path = repr(self.path)
        return f"{path if len(path) < MAX_SHOWN else path[:MAX_SHOWN] + '…'}: {self.reason}"


def submissions_below(
    folder: Path, exercises: Exercises = UNKNOWN, clock: Clock | None = None
) -> Iterator[SubmittedFile | LeftOut]:
    """Every submission below ``folder``, by student and assignment; the folder is only ever read.

    ``exercises``: the course's, by which a notebook is known whatever it is called; ``clock``: how its times are read.
    """
    students: set[str] = set()
    for student in sorted(folder.iterdir()):
        if student.is_file() and NOTEBOOK.search(student.name) and not student.name.startswith("."):
            yield LeftOut(student.name, "it is a file, expected a student's folder")
        if student.name in HOUSEKEEPING or student.is_file() or not (student.is_dir() or student.is_symlink()):
            continue
        if student.is_symlink():
            yield LeftOut(student.name, "it is a link, expected a folder")
            continue
        try:
            entries = sorted(entry for entry in student.iterdir() if entry.name[0] not in "._")
        except OSError as error:
            yield LeftOut(student.name, f"it cannot be read ({error.strerror})")
            continue
        name = visible(student.name)
        if name in exercises:
            yield LeftOut(student.name, "it is called like an exercise, expected a student's folder")
            continue
        reason = unfit(name) or (f"another folder's name looks the same, {name!r}" if name in students else "")
        if reason:
            inside = tuple(entry.name for entry in entries) if all(map(Path.is_dir, entries)) else None
            yield LeftOut(student.name, f"{reason}; rename the folder", inside)
            continue
        students.add(name)
        try:
            yield from _student_submissions(name, student, entries, exercises, clock)
        except OSError as error:
            yield LeftOut(student.name, f"it cannot be read ({error.strerror})")


def _student_submissions(
    student: str, folder: Path, entries: list[Path], exercises: Exercises, clock: Clock | None
) -> Iterator[SubmittedFile | LeftOut]:
    """One student's work: in a folder for each assignment, else notebooks without one, by their cells or names."""
    loose = {entry.name: entry for entry in entries if entry.is_symlink() or not entry.is_dir()}
    look = cache(_looks(loose))
    named = {name: assignment_of(name, look(name), exercises) for name in loose}
    notebooks = [name for name in loose if is_notebook(name, look(name), exercises)]
    folders = {entry.name for entry in entries} - set(loose)
    without = {named[name] for name in notebooks} - folders - {""}
    for entry in entries:
        where, name = f"{student}/{entry.name}", named.get(entry.name, entry.name)
        if entry.name in notebooks and name in folders:
            yield LeftOut(where, f"there is a folder {name} too, which counts; put it there, or remove it", (name,))
        elif entry.name in notebooks and not (name or without):
            yield LeftOut(where, UNNAMED)
        elif entry.name not in notebooks and name and name not in without:
            submission = _folder_submission(student, entry, name, exercises, clock)
            is_beside = without and isinstance(submission, SubmittedFile) and submission.problem
            if name in exercises or not is_beside:
                yield submission
    for name in sorted(without):
        names = [file for file in notebooks if named[file] in (name, "")]
        submitted = submitted_in(folder, student, name, exercises, names, clock)
        yield replace(submitted, notes=(NO_FOLDER.format(name), *submitted.notes))
    if loose and not (folders or notebooks or any(named.values())):
        yield LeftOut(student, f"it holds no notebook, only {listed(list(loose))}: {ITSELF}")


def _folder_submission(
    student: str, folder: Path, name: str, exercises: Exercises, clock: Clock | None
) -> SubmittedFile | LeftOut:
    """What the folder, or a file in its place, holds; ``name``: the assignment that its name says."""
    where = f"{student}/{folder.name}"
    if folder.is_symlink() or not folder.is_dir():
        kind = "a link" if folder.is_symlink() else "a file"
        is_beside = folder.name != name and (folder.parent / name).is_dir()
        return LeftOut(where, f"it is {kind}, expected a folder", () if is_beside else (name,))
    try:
        submitted = submitted_in(folder, student, name, exercises, clock=clock)
        if submitted.path and exercises and name not in exercises:
            exercise = exercise_of(_looks({name: submitted.path})(name), exercises)
            if exercise:
                return LeftOut(where, f"its notebook is of {exercise}; rename the folder to that", (exercise,))
        return submitted
    except OSError as error:
        return LeftOut(where, f"it cannot be read ({error.strerror})", (name,))


def submitted_in(
    folder: Path,
    student: str,
    name: str,
    exercises: Exercises = UNKNOWN,
    notebooks: Sequence[str] = (),
    clock: Clock | None = None,
) -> SubmittedFile:
    """What the folder holds for the assignment ``name``.

    If ``notebooks`` are given, one of these is meant, and the folders of other assignments are not beside it.
    """
    when, notes = timestamp(folder / TIMESTAMP, clock)
    secret = _secret(folder / SECRET)
    files = files_below(folder)
    if notebooks:
        elsewhere = {folder / other for other in exercises}
        files = {path: file for path, file in files.items() if elsewhere.isdisjoint(file.parents)}
    look_at = _looks(files)
    choice = chosen(notebooks or list(files), name, look_at, exercises)
    problem = choice.problem or _unfit(files[choice.name])
    if problem:
        return SubmittedFile(student, name, None, notes, problem, when, secret=secret)
    sizes = {name: path.stat().st_size for name, path in files.items() if stat.S_ISREG(path.lstat().st_mode)}
    names, more = beside(sizes, choice.name)
    if notebooks:  # another script of an exercise is no module of this one, and would be chosen for it when packed
        names = [name for name in names if not _is_work(PurePosixPath(name), look_at, exercises)]
    path, others = files[choice.name], tuple(files[name] for name in names)
    return SubmittedFile(student, name, path, (*notes, *choice.notes, *more), "", when, others, secret)


def _is_work(path: PurePosixPath, look_at: Callable[[str], Content], exercises: Exercises) -> bool:
    """Whether it is a script of an exercise, and by its name no module that a notebook could import."""
    if path.suffix != ".py" or path.stem.isidentifier():
        return False
    return bool(assignment_of(path.name, look_at(path.as_posix()), exercises))


def submitted_at(path: Path, student: str, exercises: Exercises = UNKNOWN, clock: Clock | None = None) -> SubmittedFile:
    """The submission whose notebook nbgrader found at ``path``, read as :func:`submissions_below` would."""
    submitted = submitted_in(path.parent, student, path.parent.name, exercises, clock=clock)
    if submitted.path == path or path.stem == submitted.assignment:
        return submitted
    return submitted_in(path.parent, student, submitted.assignment, exercises, [path.name], clock)


def _looks(files: Mapping[str, Path]) -> Callable[[str], Content]:
    """Looks at one of the files after another, until it has read as much as a learner may hand in."""
    bytes_read = 0

    def look_at(name: str) -> Content:
        nonlocal bytes_read
        status = files[name].lstat()
        bytes_read += status.st_size
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES or bytes_read > MAX_SUBMISSION:
            return UNSEEN
        return look(files[name].read_bytes())

    return look_at


def timestamp(path: Path, clock: Clock | None = None) -> tuple[str, tuple[str, ...]]:
    """The time in nbgrader's ``timestamp.txt``, as nbgrader's exchange writes it; else a note for the learner.

    What cannot be read, or means several times, or that clocks were changed, is noted in ``clock`` for the instructor.
    """
    if not os.path.lexists(path):
        return "", ()
    clock = clock or Clock()
    where = "/".join(path.parts[-3:])
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise ValueError("it is no ordinary file")
        with path.open("rb") as file:
            data = file.read(MAX_TIMESTAMP)
        text = data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig").strip()
        if STAMP.fullmatch(text) and clock.read(text):
            return text, ()
        return stamp(clock.read(text, where=where)), ()
    except NoTime as error:
        clock.notes.append(f"{where}: {text!r} {error}. Until then it does not count as late")
    except (ValueError, OSError) as error:
        clock.notes.append(f"{where} cannot be read: {error}. Until then it does not count as late")
    return "", (UNREAD,)


def _secret(path: Path) -> str:
    """By which nbgrader's exchange knows a submission again when its feedback is released; empty if there is none."""
    if not path.is_file() or path.is_symlink():
        return ""
    with path.open("rb") as file:
        return file.read(MAX_SECRET).decode("ascii", "replace")


def _unfit(path: Path) -> str:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        return "What was handed in is a link, a folder or the like, not an ordinary file."
    if status.st_size > MAX_BYTES:
        return f"The file has {status.st_size >> 20} MiB, more than {MAX_BYTES >> 20}; clear the outputs."
    return ""
