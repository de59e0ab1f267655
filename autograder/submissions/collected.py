"""What a class handed in: a folder in nbgrader's layout, ``<student>/<assignment>/*.ipynb``."""

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path

from autograder.submissions.reading import MAX_BYTES


@dataclass(frozen=True)
class Handed:
    """One student's work for one assignment, not yet read."""

    student: str
    assignment: str
    path: Path | None  # none where there is nothing that can be graded
    notes: tuple[str, ...] = ()
    problem: str = ""  # why there is nothing that can be graded
    timestamp: str = ""  # as nbgrader's exchange wrote it; empty where there is none

    def data(self) -> bytes:
        return b"" if self.path is None else self.path.read_bytes()

    def digest(self) -> str:
        parts = [self.data(), *(text.encode() for text in (*self.notes, self.problem))]
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def collected(folder: Path) -> list[Handed]:
    """Every submission below ``folder``, by student and assignment; the folder is only ever read."""
    found = []
    for student in _folders(folder):
        for assignment in _folders(student):
            found.append(_handed(student.name, assignment))
    return found


def _folders(folder: Path) -> list[Path]:
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return [entry for entry in entries if entry.is_dir() and not entry.is_symlink() and entry.name[0] not in "._"]


def _handed(student: str, folder: Path) -> Handed:
    name = folder.name
    timestamp, notes = _timestamp(folder / "timestamp.txt")
    notebooks = sorted(path for path in folder.iterdir() if path.suffix == ".ipynb")
    right = [path for path in notebooks if path.stem == name]
    problem = ""
    if not notebooks:
        problem = "No notebook was handed in."
    elif right:
        notebooks = right
    elif len(notebooks) == 1:
        notes += (f"The notebook was called {notebooks[0].name!r}; it was read as {name + '.ipynb'!r}.",)
    else:
        names = ", ".join(repr(path.name) for path in notebooks)
        problem = f"None of the notebooks that were handed in is called {name + '.ipynb'!r}: {names}."
    if not problem:
        problem = _unfit(notebooks[0])
    return Handed(student, name, None if problem else notebooks[0], notes, problem, timestamp)


def _unfit(path: Path) -> str:
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        return "What was handed in is a link or a folder, not a file."
    if status.st_size > MAX_BYTES:
        return f"The file has {status.st_size >> 20} MiB, more than {MAX_BYTES >> 20}; clear the outputs."
    return ""


def _timestamp(path: Path) -> tuple[str, tuple[str, ...]]:
    """The time of submission, if it is one that nbgrader can read."""
    if not path.is_file() or path.is_symlink():
        return "", ()
    import dateutil.parser

    try:
        text = path.read_text(encoding="utf-8")[:100].strip()
        words = text.split()
        dateutil.parser.parse(" ".join(words[:2]))
    except (ValueError, OverflowError, OSError):
        return "", ("The time of submission could not be read, so it does not count as late.",)
    return text, ()
