"""Grades as the exporters need them: nbgrader's sums, with points by hand, extra credit and late penalties in them."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.exports.spreadsheet import ExportError
from autograder.gradebook.report import Report, read_report
from autograder.judging.store import write_durably


@dataclass(frozen=True)
class Line:
    """One student and one assignment; ``score`` is what counts, after the late penalty and never below zero."""

    assignment: str
    student: str
    first_name: str
    last_name: str
    email: str
    lms_user_id: str
    duedate: datetime.datetime | None
    timestamp: datetime.datetime | None
    handed_in: bool
    points: float
    penalty: float
    score: float
    max_score: float
    waiting: bool  # for points by hand

    @property
    def name(self) -> str:
        """``Last, First``, or the student's id where the gradebook has no name."""
        return ", ".join(filter(None, (self.last_name, self.first_name))) or self.student


class GradesExporter(ExportPlugin):
    """What our exporters share; each one also works as ``nbgrader export --exporter …``."""

    default_to = ""  # file or folder, where ``to`` is empty

    def export(self, gradebook: Gradebook) -> None:
        """What ``nbgrader export`` calls: an error is one line on stderr and exit status 1."""
        try:
            self.deliver(gradebook)
        except ExportError as error:
            raise SystemExit(f"export: {error}") from None

    def deliver(self, gradebook: Gradebook) -> None:
        """Write what is exported.

        Raises:
            ExportError: it cannot be; the message says why.
        """
        raise NotImplementedError

    @property
    def destination(self) -> Path:
        return Path(self.to or self.default_to)

    def lines(self, gradebook: Gradebook) -> list[Line]:
        """The grades that were asked for, by assignment and student.

        Raises:
            ExportError: a name that was asked for is not in the gradebook, or nothing is.
        """
        known = [assignment.name for assignment in gradebook.assignments]
        asked(self.assignment, known, "assignment")
        asked(self.student, [student.id for student in gradebook.students], "student")
        lines = [
            _line(gradebook, assignment, student)
            for assignment in sorted(gradebook.assignments, key=lambda assignment: assignment.name)
            if not self.assignment or assignment.name in map(str, self.assignment)
            for student in sorted(gradebook.students, key=lambda student: student.id)
            if not self.student or student.id in map(str, self.student)
        ]
        if not lines:
            raise ExportError("the gradebook has no grades yet; grade first.")
        for line in lines:
            if line.waiting:
                self.log.warning(
                    "%s/%s is marked for grading by hand: its points may change.", line.student, line.assignment
                )
        return lines

    def report(self, gradebook: Gradebook, line: Line) -> Report:
        """What the learner was told; without messages where the graded notebook is gone."""
        course = self.parent.coursedir
        folder = Path(course.format_path(course.autograded_directory, line.student, line.assignment))
        path = folder / f"{line.assignment}.ipynb"
        notebook = nbformat.read(path, as_version=4) if path.is_file() else new_notebook()
        return read_report(notebook, gradebook, line.assignment, line.student)

    def write(self, path: Path, text: str) -> None:
        """The file whole and on disk, or the one that was there before.

        Raises:
            ExportError: the place cannot be written to.
        """
        try:
            write_durably(path, text)
        except OSError as error:
            raise ExportError(f"{path} cannot be written: {error.strerror}.") from None
        self.log.info("Wrote %s", path)


def asked(names: Sequence[object], known: Sequence[str], kind: str) -> None:
    """Raises ExportError for a name that is not known."""
    for name in map(str, names):
        if name not in known:
            there = ", ".join(known[:20]) or "none at all"
            raise ExportError(f"the gradebook has no {kind} {name!r}; there is {there}.")


def _line(gradebook: Gradebook, assignment: object, student: object) -> Line:
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        submission = None
    gained = float(submission.score) if submission else 0.0
    penalty = float(submission.late_submission_penalty or 0.0) if submission else 0.0
    return Line(
        assignment=assignment.name,
        student=student.id,
        first_name=student.first_name or "",
        last_name=student.last_name or "",
        email=student.email or "",
        lms_user_id=student.lms_user_id or "",
        duedate=assignment.duedate,
        timestamp=submission.timestamp if submission else None,
        handed_in=submission is not None,
        points=gained,
        penalty=penalty,
        score=max(0.0, gained - penalty),
        max_score=float(assignment.max_score),
        waiting=bool(submission and submission.needs_manual_grade),
    )
