"""What a class handed in: a folder in nbgrader's layout, ``<student>/<assignment>/*.ipynb``."""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from autograder.submissions.choice import chosen
from autograder.submissions.decoding import MAX_BYTES
from autograder.submissions.parcels import beside, packed

MAX_DEPTH = 3  # folders within a submission's folder
MAX_LOOKED_AT = 5000  # files of one submission


@dataclass(frozen=True)
class Handed:
    """One student's work for one assignment, not yet read."""

    student: str
    assignment: str
    path: Path | None  # none where there is nothing that can be graded
    notes: tuple[str, ...] = ()
    problem: str = ""  # why there is nothing that can be graded
    timestamp: str = ""  # as nbgrader's exchange wrote it; empty where there is none
    files: tuple[Path, ...] = ()  # small ones beside the notebook, which it may need

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
    files = _files(folder)
    choice = chosen(list(files), name)
    problem = choice.problem or _unfit(files[choice.name])
    if problem:
        return Handed(student, name, None, notes, problem, timestamp)
    sizes = {name: path.stat().st_size for name, path in files.items() if _is_plain(path)}
    names, more = beside(sizes, choice.name)
    path, others = files[choice.name], tuple(files[name] for name in names)
    return Handed(student, name, path, (*notes, *choice.notes, *more), timestamp=timestamp, files=others)


def handed_at(path: Path, student: str) -> Handed:
    """The submission whose notebook nbgrader found at ``path``, as if its folder had been collected."""
    handed = _handed(student, path.parent)
    return handed if handed.path == path else Handed(student, path.parent.name, path, timestamp=handed.timestamp)


def _files(folder: Path) -> dict[str, Path]:
    """Every file below the folder by its path with slashes; what a link leads to is not looked at."""
    found: dict[str, Path] = {}
    for place, inner, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        inner[:] = sorted(inner) if depth < MAX_DEPTH else []
        for name in sorted(names):
            if len(found) < MAX_LOOKED_AT:
                path = Path(place, name)
                found[path.relative_to(folder).as_posix()] = path
    return found


def _is_plain(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


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
