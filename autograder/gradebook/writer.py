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
from autograder.gradebook import database
from autograder.gradebook.database import GradebookError, Progress
from autograder.gradebook.feedback import KINDS, pages
from autograder.gradebook.graded import graded_notebook
from autograder.gradebook.ledger import Ledger
from autograder.gradebook.register import register
from autograder.judging.store import make_durably, write_durably
from autograder.judging.verdict import Verdict
from autograder.settings import configured
from autograder.submissions.collected import Handed
from autograder.submissions.submission import Submission

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

    def __init__(self, root: Path, output: Path, assignment: Assignment, progress: Progress) -> None:
        """Raises GradebookError where the gradebook cannot be used, or has grades for other cells."""
        self.output, self.assignment = output, assignment
        self.book = output / "gradebook.db"
        database.wait_until_free(self.book, progress)
        database.examine(self.book)
        config = configured(root, output)
        url = f"{config.CourseDirectory.db_url}?timeout={database.WAIT_SECONDS}"  # for whoever locks it from now on
        self.limit = LimitOutput(config=config)
        with self._words():
            register(url, assignment)
            self.ledger = Ledger(url, assignment.name, config)
            self.checksums, self.scores = self.ledger.checksums(), self.ledger.scores()
            self.rules, self.late = self.ledger.rules, self.ledger.late()
        make_durably(self._marks())

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *exception: object) -> None:
        self.ledger.__exit__()

    def has(self, entry: Entry) -> bool:
        """Is everything of this entry written, and as it was written?"""
        points = self.scores.get(entry.handed.student, {})
        if any(points.get(check.cell) != check.points for check in entry.verdict.checks):
            return False
        try:
            return self._mark(entry).read_bytes() == self._state(entry).encode()
        except OSError:
            return False

    def enter(self, entry: Entry) -> None:
        """Gradebook, graded notebook, feedback; the mark that all is there comes last.

        Raises:
            GradebookError: the gradebook refused; nothing of this entry is in it.
        """
        handed = entry.handed
        data = handed.data()
        self._mark(entry).unlink(missing_ok=True)
        self._stage(handed, data)
        notebook = graded_notebook(Submission.read(data, self.assignment), entry.verdict, self.checksums)
        notebook, _ = self.limit.preprocess(notebook, {})
        with self._words():
            self.late[handed.student] = self.ledger.enter(handed.student, notebook, handed.timestamp)
            learner = pages(notebook, self.ledger.gradebook, handed.assignment, handed.student)
        graded = fresh_folder(self._folder("autograded", handed))
        write_file(graded / f"{handed.assignment}.ipynb", v4.writes(notebook) + "\n", READ_ONLY)
        feedback = fresh_folder(self._folder("feedback", handed))
        for kind, text in learner.items():
            write_file(feedback / f"{handed.assignment}.{kind}", text, READABLE)
        if handed.timestamp:
            for folder in (graded, feedback):
                write_file(folder / TIMESTAMP, handed.timestamp + "\n", READABLE)
        write_file(self._mark(entry), self._state(entry), READABLE)

    def _stage(self, handed: Handed, data: bytes) -> None:
        """A copy of what was handed in; one that is there is left, being perhaps the only one."""
        staged = self._folder("staged", handed)
        copy = staged / f"{handed.assignment}.ipynb"
        if not copy.is_file() or copy.read_bytes() != data:
            write_durably(copy, data)  # at no moment is there none: a regrade would take it for an empty submission
            copy.chmod(READABLE)
            for other in staged.iterdir():
                if other.is_dir() and not other.is_symlink():
                    shutil.rmtree(other)
                elif other.name not in (copy.name, TIMESTAMP):
                    other.unlink()
        if handed.timestamp:
            write_file(staged / TIMESTAMP, handed.timestamp + "\n", READABLE)
        else:
            (staged / TIMESTAMP).unlink(missing_ok=True)

    def _state(self, entry: Entry) -> str:
        """What the entry was, and what its files were: one that was lost or cut off does not count as written."""
        handed = entry.handed
        graded = self._folder("autograded", handed) / f"{handed.assignment}.ipynb"
        feedback = self._folder("feedback", handed)
        paths = [graded, *(feedback / f"{handed.assignment}.{kind}" for kind in KINDS)]
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
        lateness = f"{self.late.get(handed.student, 0.0)} s late {self.rules}"
        return "\n".join([entry.key, handed.timestamp, lateness, *digests])

    def _folder(self, kind: str, handed: Handed) -> Path:
        return self.output / kind / handed.student / handed.assignment

    def _marks(self) -> Path:
        return self.output / "written" / self.assignment.name

    def _mark(self, entry: Entry) -> Path:
        return self._marks() / f"{entry.handed.student}.txt"

    @contextmanager
    def _words(self) -> Iterator[None]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # nbgrader builds rows before it adds them; nothing is lost
            try:
                yield
            except (DatabaseError, InvalidEntry) as error:  # the latter is nbgrader's, around the former
                raise GradebookError(database.in_words(self.book, str(getattr(error, "orig", error)))) from None


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
