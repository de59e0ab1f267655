"""Feedback of graded submissions once more, from what grading stored and from what the gradebook says by now."""

import hashlib
import os
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import DatabaseError, SAWarning

from autograder.gradebook.book import Book
from autograder.gradebook.feedback import KINDS, pages
from autograder.gradebook.made import made_of
from autograder.gradebook.report import read_report
from autograder.gradebook.rows import Rows
from autograder.judging.staged import Staged
from autograder.judging.state import State

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
    book: Book,
) -> Again:
    """Write the feedback of the graded notebooks below ``output`` in the formats with these file endings or as a page.

    One that cannot be read does not keep the others from being written.

    Raises:
        NothingGraded: no gradebook, or no graded notebook of that student and assignment.
    """
    if not book.examine():
        raise NothingGraded(f"there is no gradebook {book}; grade first, or say where by --output.")
    graded = [path for path in sorted((output / "autograded").glob("*/*/*.ipynb")) if path.stem == path.parent.name]
    asked = [path for path in graded if student in (None, _student(path)) and assignment in (None, path.stem)]
    if not asked:
        what = " of ".join(filter(None, (assignment, student)))
        there = sorted({_student(path) if student else path.stem for path in graded})
        raise NothingGraded(f"nothing graded {f'for {what} ' if what else ''}in {output}; there is {_listed(there)}.")
    done, state = Again(), State(output)
    with warnings.catch_warnings(), closing(state), book.open() as gradebook:
        warnings.simplefilter("ignore", SAWarning)
        classes = {name: _Class(output, name, gradebook, Staged(state)) for name in sorted({p.stem for p in asked})}
        for number, path in enumerate(asked, 1):
            name = f"{_student(path)}/{path.stem}"
            try:
                classes[path.stem].write(path, endings)
            except (MissingEntry, DatabaseError, nbformat.ValidationError, ValueError, OSError) as error:
                done.failed[name] = " ".join(str(error).split())
            else:
                done.written.append(name)
            step("feedback", number, len(asked))
    return done


class _Class:
    """All that was graded of one assignment."""

    def __init__(self, output: Path, assignment: str, gradebook: Gradebook, staged: Staged) -> None:
        self.output, self.assignment, self.staged = output, assignment, staged
        self.rows = Rows(gradebook, assignment)
        self.marks, self.made = staged.marks(assignment), staged.made(assignment)

    def write(self, path: Path, endings: Sequence[str]) -> None:
        """In these formats; in none of them: as a page, if it is not current, and in those that lie there."""
        student, data = _student(path), path.read_bytes()
        folder = self.output / "feedback" / student / self.assignment
        mark = state = self.marks.get(student, "")
        notebook = nbformat.v4.reads(data.decode())
        report = read_report(notebook, self.rows, student)
        made, page = made_of(report, data), folder / f"{self.assignment}.html"
        kinds = list(endings) or [kind for kind in KINDS if (folder / f"{self.assignment}.{kind}").is_file()]
        if not endings:
            current = page.is_file() and made == self.made.get(student) and _digest(page.read_bytes()) in mark
            kinds = [*([] if current else ["html"]), *(kind for kind in kinds if kind != "html")]
        if not kinds:
            return
        nbformat.validate(notebook)
        folder.mkdir(parents=True, exist_ok=True)
        for kind, text in pages(notebook, report, kinds).items():
            if kind == "html" and page.is_file():
                state = state.replace(_digest(page.read_bytes()), _digest(text.encode()))
            _replace(folder / f"{self.assignment}.{kind}", text)
        if mark and "html" in kinds:  # else the next grading run would take the page for damaged, and enter all anew
            self.staged.mark(self.assignment, student, state, made)


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
