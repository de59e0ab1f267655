"""Feedback of graded submissions once more, from what grading stored and from what the gradebook says by now."""

import hashlib
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import DatabaseError, SAWarning

from autograder.gradebook.feedback import pages

READABLE = 0o644  # as nbgrader writes feedback


class NothingGraded(Exception):
    """There is nothing to tell; the message says what is missing."""


@dataclass
class Again:
    """What came of it, by ``student/assignment``."""

    written: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # name → reason


def write_again(
    output: Path,
    student: str | None,
    assignment: str | None,
    endings: Sequence[str],
    step: Callable[[str, int, int], None],
) -> Again:
    """Write the feedback of the graded notebooks below ``output``, in the formats with these file endings.

    One that cannot be read does not keep the others from being written.

    Raises:
        NothingGraded: no gradebook, or no graded notebook of that student and assignment.
    """
    book = output / "gradebook.db"
    if not book.is_file():
        raise NothingGraded(f"there is no gradebook {book}; grade first, or say where by --output.")
    graded = [path for path in sorted((output / "autograded").glob("*/*/*.ipynb")) if path.stem == path.parent.name]
    asked = [path for path in graded if student in (None, _student(path)) and assignment in (None, path.stem)]
    if not asked:
        what = " of ".join(filter(None, (assignment, student)))
        there = sorted({_student(path) if student else path.stem for path in graded})
        raise NothingGraded(f"nothing graded {f'for {what} ' if what else ''}in {output}; there is {_listed(there)}.")
    done = Again()
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{book.resolve()}") as gradebook:
        warnings.simplefilter("ignore", SAWarning)
        for number, path in enumerate(asked, 1):
            name = f"{_student(path)}/{path.stem}"
            try:
                _write(output, path, gradebook, endings)
            except (MissingEntry, DatabaseError, nbformat.ValidationError, ValueError, OSError) as error:
                done.failed[name] = " ".join(str(error).split())
            else:
                done.written.append(name)
            step("feedback", number, len(asked))
    return done


def _write(output: Path, path: Path, gradebook: Gradebook, endings: Sequence[str]) -> None:
    told = pages(nbformat.read(path, as_version=4), gradebook, path.stem, _student(path))
    folder = output / "feedback" / _student(path) / path.stem
    folder.mkdir(parents=True, exist_ok=True)
    mark = output / "written" / path.stem / f"{_student(path)}.txt"
    state = mark.read_text(encoding="utf-8") if mark.is_file() else ""
    for ending in endings:
        page = folder / f"{path.stem}.{ending}"
        if page.is_file():
            state = state.replace(_digest(page.read_bytes()), _digest(told[ending].encode()))
        _replace(page, told[ending])
    if mark.is_file():  # else the next grading run would take these pages for damaged, and enter the grades anew
        _replace(mark, state)


def _digest(data: bytes) -> str:
    """As in the marks of :mod:`autograder.gradebook.writer`."""
    return hashlib.sha256(data).hexdigest()


def _replace(path: Path, text: str) -> None:
    """The file is whole, or as it was."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(READABLE)
    os.replace(fresh, path)


def _student(path: Path) -> str:
    return path.parent.parent.name


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:20]) or "nothing at all"
