"""Grades for the exporters: nbgrader's sums, including manual points, extra credit and late penalties."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, Student
from nbgrader.plugins import ExportPlugin

from autograder.exports.spreadsheet import ExportError
from autograder.gradebook.class_scores import Score, class_scores
from autograder.gradebook.learner_report import Report, read_report
from autograder.gradebook.rows import Rows
from autograder.judging.disk import write_durably


@dataclass(frozen=True)
class Line:
    """One student's grade for one assignment."""

    assignment: str
    student: str
    person: Student  # names, address and the LMS's id; each may be None
    duedate: datetime.datetime | None
    grade: Score
    handed_in: bool

    @property
    def name(self) -> str:
        """``Last, First``, or the student's id where the gradebook has no name."""
        return ", ".join(filter(None, (self.person.last_name, self.person.first_name))) or self.student


class GradesExporter(ExportPlugin):
    """What our exporters share; each one also works as ``nbgrader export --exporter …``."""

    default_to = ""  # file or folder if ``to`` is empty

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._rows: dict[str, Rows] = {}  # by assignment

    def export(self, gradebook: Gradebook) -> None:
        """Called by ``nbgrader export``: an error is one line on stderr and exit status 1."""
        try:
            self.deliver(gradebook)
        except ExportError as error:
            raise SystemExit(f"export: {error}") from None

    def deliver(self, gradebook: Gradebook) -> None:
        """Write the export.

        Raises:
            ExportError: it cannot be written; the message says why.
        """
        raise NotImplementedError

    @property
    def destination(self) -> Path:
        return Path(self.to or self.default_to)

    def lines(self, gradebook: Gradebook) -> list[Line]:
        """The requested grades, by assignment and student.

        Raises:
            ExportError: a requested name is not in the gradebook, or the gradebook is empty.
        """
        assignments = {assignment.name: assignment for assignment in gradebook.assignments}
        students = {student.id: student for student in gradebook.students}
        require_known(self.assignment, list(assignments), "assignment")
        require_known(self.student, list(students), "student")
        lines = []
        for name in sorted(set(map(str, self.assignment)) or assignments):
            scores, due = class_scores(gradebook, name), assignments[name].duedate
            nothing = Score(0.0, float(assignments[name].max_score), 0.0, 0.0, waits=False)
            for student in sorted(set(map(str, self.student)) or students):
                grade = scores.get(student, nothing)
                lines.append(Line(name, student, students[student], due, grade, student in scores))
                if grade.waits:
                    self.log.warning("%s/%s is marked for grading by hand: its points may change.", student, name)
        if not lines:
            raise ExportError("the gradebook has no grades yet; grade first.")
        return lines

    def report(self, gradebook: Gradebook, line: Line) -> Report:
        """The learner's report; without messages if the graded notebook is missing."""
        course = self.parent.coursedir
        folder = Path(course.format_path(course.autograded_directory, line.student, line.assignment))
        path = folder / f"{line.assignment}.ipynb"
        notebook = nbformat.v4.reads(path.read_text(encoding="utf-8")) if path.is_file() else new_notebook()
        if line.assignment not in self._rows:
            self._rows[line.assignment] = Rows(gradebook, line.assignment)
        return read_report(notebook, self._rows[line.assignment], line.student)

    def write(self, path: Path, text: str) -> None:
        """Write the file durably, or leave the previous one intact.

        Raises:
            ExportError: the path cannot be written to.
        """
        try:
            write_durably(path, text)
        except OSError as error:
            raise ExportError(f"{path} cannot be written: {error.strerror}.") from None
        self.log.info("Wrote %s", path)


def require_known(names: Sequence[object], known: Sequence[str], kind: str) -> None:
    """Raises ExportError for an unknown name."""
    for name in map(str, names):
        if name not in known:
            there = ", ".join(known[:20]) or "none"
            raise ExportError(f"the gradebook has no {kind} {name!r}; it has {there}.")
