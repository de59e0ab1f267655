"""The one writer of a grading run: verdicts in; gradebook, graded notebooks and feedback pages out."""

import hashlib
import os
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nbformat import v4
from nbgrader.api import InvalidEntry
from nbgrader.preprocessors import LimitOutput
from sqlalchemy.exc import DatabaseError, SAWarning

from autograder.authoring.assignment import Assignment
from autograder.gradebook.book import Book
from autograder.gradebook.database import GradebookError, Progress
from autograder.gradebook.feedback import pages
from autograder.gradebook.graded import graded_notebook
from autograder.gradebook.ledger import Ledger
from autograder.gradebook.made import made_of
from autograder.gradebook.register import keep_source, register
from autograder.gradebook.report import read_report
from autograder.gradebook.rows import Rows
from autograder.judging.staged import Staged
from autograder.judging.state import State
from autograder.judging.verdict import Verdict
from autograder.settings import configured
from autograder.submissions.collected import Handed
from autograder.submissions.limited import read

READ_ONLY, READABLE = 0o444, 0o644
TIMESTAMP = "timestamp.txt"


@dataclass(frozen=True)
class Entry:
    """One line of the gradebook: a submission, its verdict, and the key that the verdict is stored under."""

    handed: Handed
    verdict: Verdict
    key: str


class Writer:
    """Writes graded submissions of one assignment below ``output``, one after the other, each as one step."""

    def __init__(
        self, root: Path, output: Path, assignment: Assignment, progress: Progress, database: str = ""
    ) -> None:
        """Raises GradebookError where the gradebook cannot be used, or has grades for other cells."""
        self.output, self.assignment = output, assignment
        self.book = Book.of(root, output, database)
        self.book.wait_until_free(progress)
        self.book.examine()
        config, url = configured(root, output), self.book.patient_url
        self.limit = LimitOutput(config=config)
        with self._words():
            keep_source(root, assignment.name)
            register(url, assignment)
            self.ledger = Ledger(url, assignment.name, config)
            self.checksums, self.scores = self.ledger.checksums(), self.ledger.scores()
            self.rules, self.late = self.ledger.rules, self.ledger.late()
        self.state = State(output)
        self.staged = Staged(self.state)
        self.marks = self.staged.marks(assignment.name)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *exception: object) -> None:
        self.state.close()
        self.ledger.__exit__()

    def has(self, entry: Entry) -> bool:
        """Is everything of this entry written, and as it was written?"""
        points = self.scores.get(entry.handed.student, {})
        if any(points.get(check.cell) != check.points for check in entry.verdict.checks):
            return False
        try:
            return self.marks.get(entry.handed.student) == self._state(entry)
        except OSError:
            return False

    def enter(self, entry: Entry) -> None:
        """Gradebook, graded notebook, feedback; the mark that all is there comes last.

        Raises:
            GradebookError: the gradebook refused; nothing of this entry is in it.
        """
        handed = entry.handed
        data = handed.data()
        self.staged.stage(handed, data)
        notebook = graded_notebook(read(data, self.assignment), entry.verdict, self.checksums)
        notebook, _ = self.limit.preprocess(notebook, {})
        with self._words():
            self.late[handed.student] = self.ledger.enter(handed.student, notebook, handed.timestamp)
            report = read_report(
                notebook, Rows(self.ledger.gradebook, handed.assignment, handed.student), handed.student
            )
        page, text = pages(notebook, report)["html"], v4.writes(notebook) + "\n"
        graded = fresh_folder(self._folder("autograded", handed))
        write_file(graded / f"{handed.assignment}.ipynb", text, READ_ONLY)
        feedback = fresh_folder(self._folder("feedback", handed))
        write_file(feedback / f"{handed.assignment}.html", page, READABLE)
        if handed.timestamp:
            for folder in (graded, feedback):
                write_file(folder / TIMESTAMP, handed.timestamp + "\n", READABLE)
        self.marks[handed.student] = self._state(entry)
        made = made_of(report, text.encode())
        self.staged.mark(handed.assignment, handed.student, self.marks[handed.student], made)

    def _state(self, entry: Entry) -> str:
        """What the entry was, and what its files were: one that was lost or cut off does not count as written."""
        handed = entry.handed
        graded = self._folder("autograded", handed) / f"{handed.assignment}.ipynb"
        page = self._folder("feedback", handed) / f"{handed.assignment}.html"
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (graded, page)]
        lateness = f"{self.late.get(handed.student, 0.0)} s late {self.rules}"
        return "\n".join([entry.key, handed.timestamp, lateness, *digests])

    def _folder(self, kind: str, handed: Handed) -> Path:
        return self.output / kind / handed.student / handed.assignment

    @contextmanager
    def _words(self) -> Iterator[None]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # nbgrader builds rows before it adds them; nothing is lost
            try:
                yield
            except (DatabaseError, InvalidEntry) as error:  # the latter is nbgrader's, around the former
                raise GradebookError(self.book.in_words(str(getattr(error, "orig", error)))) from None


def fresh_folder(path: Path) -> Path:
    """An empty folder; what was there is gone."""
    if path.exists():
        shutil.rmtree(path)
    path.mkdir(parents=True)
    return path


def write_file(path: Path, text: str, mode: int) -> None:
    """The file appears whole or not at all; whether it outlived a power cut, its mark tells."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(mode)
    os.replace(fresh, path)
