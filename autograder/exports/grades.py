"""Grades for the exporters: nbgrader's sums, including manual points, extra credit and late penalties."""

import datetime
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, List
from traitlets.config import LoggingConfigurable

from autograder.errors import UsageError, nearest, several
from autograder.gradebook.book import Book
from autograder.gradebook.class_scores import Score, class_scores
from autograder.gradebook.learner_report import Report, read_report
from autograder.gradebook.rows import Rows
from autograder.settings import Log, configured
from autograder.store.disk import write_durably
from autograder.submissions.times import zone_for_learners


@dataclass(frozen=True)
class Line:
    """One student's grade for one assignment."""

    assignment: str
    student: str
    person: Student  # names, address and the LMS's id; each may be None
    duedate: datetime.datetime | None
    grade: Score
    submitted: bool

    @property
    def name(self) -> str:
        """``Last, First``, or the student's id where the gradebook has no name."""
        return ", ".join(filter(None, (self.person.last_name, self.person.first_name))) or self.student


class GradesExporter(ExportPlugin):
    """What our exporters share; each one also works as ``nbgrader export --exporter …``."""

    default_to = ""  # file or folder if ``to`` is empty
    notices: "List[str]" = List()  # what the instructor may want to know; what is left out is logged as a warning
    beside: "Dict[Path, bytes]" = Dict()  # files that are written with the export
    _rows: "Dict[str, Rows]" = Dict()  # by assignment

    def export(self, gradebook: Gradebook) -> None:
        """Called by ``nbgrader export``: an error is one line on stderr and exit status 1."""
        try:
            self.deliver(gradebook)
        except UsageError as error:
            raise SystemExit(f"export: {error}") from None
        for notice in self.notices:
            self.log.info(notice)

    def deliver(self, gradebook: Gradebook) -> None:
        """Write the export; raises UsageError if it cannot be written."""
        raise NotImplementedError

    @property
    def destination(self) -> Path:
        return Path(self.to or self.default_to)

    def lines(self, gradebook: Gradebook) -> list[Line]:
        """The requested grades, by assignment and student; raises UsageError if there are none, or an unknown name."""
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
        if not lines:
            raise UsageError("the gradebook has no grades yet; grade first.")
        if waiting := [f"{line.student}/{line.assignment}" for line in lines if line.grade.waits]:
            what = f"{several(waiting, 5)} {'is' if len(waiting) == 1 else 'are'} still to be graded by hand"
            self.notices.append(f"{what}: export again when that is done.")
        return lines

    def report(self, gradebook: Gradebook, line: Line) -> Report:
        """The learner's report; without messages if the graded notebook is missing."""
        course = self.parent.coursedir
        folder = Path(course.format_path(course.autograded_directory, line.student, line.assignment))
        path = folder / f"{line.assignment}.ipynb"
        notebook = nbformat.v4.reads(path.read_text(encoding="utf-8")) if path.is_file() else new_notebook()
        if line.assignment not in self._rows:
            self._rows[line.assignment] = Rows(gradebook, line.assignment)
        return read_report(notebook, self._rows[line.assignment], line.student, zone_for_learners(self.parent.config))

    def write(self, path: Path, text: str | bytes) -> None:
        """Write the file durably, or leave the previous one intact and raise UsageError."""
        if path.is_dir():
            raise UsageError(f"{path} is a folder, expected a file, such as {path / Path(self.default_to).name}.")
        try:
            write_durably(path, text)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
        self.log.info("Wrote %s", path)


def require_known(names: Sequence[object], known: Sequence[str], kind: str) -> None:
    """Raises UsageError for an unknown name."""
    for name in map(str, names):
        if name not in known:
            instead = nearest(name, known) or f"; it has {several(sorted(known)) or 'none'}"
            raise UsageError(f"the gradebook has no {kind} {name!r}{instead}.")


class CourseOfExports(LoggingConfigurable):
    """What an exporter needs from its parent, without nbgrader's application: the course's folders, and a log."""

    coursedir: CourseDirectory


@contextmanager
def open_gradebook(root: Path, output: Path, book: Book) -> Iterator[tuple[Gradebook, CourseOfExports, list[str]]]:
    """The gradebook of ``output``, a parent for exporters, and the warnings that they log.

    Raises:
        GradebookError: the file is not a gradebook, is damaged, or cannot be read.
    """
    book.examine()
    config, log = configured(root, output.resolve()), Log()
    config.CourseDirectory.db_url = book.url
    course = CourseOfExports(config=config, log=log.logger)
    course.coursedir = CourseDirectory(parent=course)
    with book.open() as gradebook:
        yield gradebook, course, log.lines
