"""The only writer of a grading run: verdicts in; gradebook, graded notebooks and feedback pages out."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbformat import v4
from nbgrader.api import InvalidEntry
from nbgrader.preprocessors import LimitOutput
from sqlalchemy.exc import DatabaseError, SAWarning

from autograder.assignments.assignment import Assignment
from autograder.gradebook.book import Book
from autograder.gradebook.class_scores import automatic_scores, seconds_late
from autograder.gradebook.database import GradebookError, Step, explain
from autograder.gradebook.feedback import fresh_folder, inputs_digest, pages, sha256, write_file
from autograder.gradebook.full_points import faulty_tasks, with_full_points
from autograder.gradebook.graded_notebook import graded_notebook
from autograder.gradebook.learner_report import read_report
from autograder.gradebook.nbgrader_rows import NbgraderRows, answers_before
from autograder.gradebook.register import keep_source, register
from autograder.gradebook.rows import Rows
from autograder.notebook_files.bundle import SECRET, TIMESTAMP
from autograder.records.verdict import Verdict
from autograder.settings import configured
from autograder.store.state import GradedCopies, State
from autograder.submissions.limited_reading import read
from autograder.submissions.submitted_files import SubmittedFile
from autograder.submissions.times import zone_for_learners

READ_ONLY, PRIVATE = 0o444, 0o600


class Writer:
    """Writes the graded submissions of one assignment below ``output``, one at a time."""

    def __init__(self, root: Path, output: Path, assignment: Assignment, progress: Step, database: str = "") -> None:
        """Opens the gradebook and registers the assignment.

        Raises:
            GradebookError: the gradebook cannot be used, or has grades for other cells.
            UsageError: the class's table gives the points of a task that there is not.
        """
        self.output, self.assignment = output, assignment
        self.book = Book.of(root, output, database)
        config, url = configured(root, output), self.book.when_free(progress)
        self.book.examine()
        self.limit, self.zone = LimitOutput(config=config), zone_for_learners(config)
        with self._database_errors():
            keep_source(root, assignment.name)
            register(url, assignment)
            self.rows = NbgraderRows(url, assignment.name, config)
            self.faulty = faulty_tasks(self.rows.table, assignment)
            self.checksums, gradebook = self.rows.checksums(), self.rows.gradebook
            self.scores = automatic_scores(gradebook, assignment.name)
            self.late = seconds_late(gradebook, assignment.name)
            renewed = self.rows.penalties.renew(gradebook, assignment.name)  # their pages say so, too
        self.state = State(output)
        self.copies = GradedCopies(self.state)
        marks = self.copies.marks(assignment.name)
        self.marks = {student: mark for student, mark in marks.items() if student not in renewed}

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *exception: object) -> None:
        self.state.close()
        self.rows.close()

    def has(self, submitted: SubmittedFile, verdict: Verdict, key: str) -> bool:
        """Whether this verdict, stored under ``key``, is written completely, and unchanged since."""
        checks = with_full_points(verdict, self.assignment, self.faulty).checks
        if any(self.scores.get((submitted.student, check.cell)) != check.points for check in checks):
            return False
        try:
            return self.marks.get(submitted.student) == self._state(submitted, key)
        except OSError:
            return False

    def enter(self, submitted: SubmittedFile, verdict: Verdict, key: str) -> None:
        """Write gradebook, graded notebook and feedback, then the mark that the entry is complete.

        Raises:
            GradebookError: the gradebook refused the entry; none of it was entered.
        """
        data = submitted.data()
        self.copies.stage(submitted, data)
        entered = with_full_points(verdict, self.assignment, self.faulty)
        notebook = graded_notebook(read(data, self.assignment), entered, self.checksums)
        notebook, _ = self.limit.preprocess(notebook, {})
        with self._database_errors():
            before = answers_before(self._folder("autograded", submitted) / f"{submitted.assignment}.ipynb")
            self.late[submitted.student] = self.rows.enter(submitted.student, notebook, submitted.timestamp, before)
            rows = Rows(self.rows.gradebook, submitted.assignment, submitted.student)
            report = read_report(notebook, rows, submitted.student, self.zone)
        page, text = pages(notebook, report)["html"], v4.writes(notebook) + "\n"
        secret = submitted.secret or self._secret_before(submitted)
        graded = fresh_folder(self._folder("autograded", submitted))
        write_file(graded / f"{submitted.assignment}.ipynb", text, READ_ONLY)
        feedback = fresh_folder(self._folder("feedback", submitted))
        write_file(feedback / f"{submitted.assignment}.html", page)
        for folder in (graded, feedback):
            for name, line in ((TIMESTAMP, submitted.timestamp and f"{submitted.timestamp}\n"), (SECRET, secret)):
                if line:
                    write_file(folder / name, line, PRIVATE)
        self.marks[submitted.student] = self._state(submitted, key)
        inputs = inputs_digest(report, text.encode())
        self.copies.mark(submitted.assignment, submitted.student, self.marks[submitted.student], inputs)

    def _state(self, submitted: SubmittedFile, key: str) -> str:
        """The entry and its files' digests: an entry with a lost or truncated file does not count as written."""
        graded = self._folder("autograded", submitted) / f"{submitted.assignment}.ipynb"
        page = self._folder("feedback", submitted) / f"{submitted.assignment}.html"
        digests = [sha256(path.read_bytes()) for path in (graded, page)]
        lateness = f"{self.late.get(submitted.student, 0.0)} s late {self.rows.penalties.rules}"
        return "\n".join([key, submitted.timestamp, lateness, *self.faulty, *digests])

    def _secret_before(self, submitted: SubmittedFile) -> str:
        """Of a submission that is graded again from its copy, which has lost the exchange's file."""
        path = self._folder("feedback", submitted) / SECRET
        return path.read_text(encoding="ascii") if submitted.path is None and path.is_file() else ""

    def _folder(self, kind: str, submitted: SubmittedFile) -> Path:
        return self.output / kind / submitted.student / submitted.assignment

    @contextmanager
    def _database_errors(self) -> Iterator[None]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # nbgrader builds rows before it adds them; harmless
            try:
                yield
            except (DatabaseError, InvalidEntry) as error:  # nbgrader wraps the former in the latter
                raise GradebookError(explain(str(self.book), str(getattr(error, "orig", error)))) from None
