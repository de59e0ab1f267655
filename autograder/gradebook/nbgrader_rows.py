"""Enters graded submissions into an open gradebook, each in one transaction.

nbgrader's own converter opens the database ten times a submission and commits after each cell; using its API, as here,
gives the same rows in a tenth of the time, and a submission is entered completely or not at all.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from nbformat import NotebookNode, v4
from nbgrader import utils
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, Student, SubmittedNotebook
from traitlets.config import Config

from autograder.class_table import read
from autograder.gradebook.book import wait_for_others
from autograder.gradebook.deadlines import enter_deadlines
from autograder.gradebook.penalties import Penalties
from autograder.gradebook.rows import NO_RESPONSE
from autograder.gradebook.transaction import transaction
from autograder.submissions.class_roster import class_roster
from autograder.submissions.roster_table import people
from autograder.submissions.student_names import folder_name

Row = TypeVar("Row", Grade, Comment)


class NbgraderRows:
    """Rows of one assignment, to be closed, as by :func:`contextlib.closing`.

    A class's deadlines and people are entered first.
    """

    def __init__(self, url: str, assignment: str, config: Config) -> None:
        self.assignment = assignment
        self.gradebook = Gradebook(url)
        self.table = read(Path(config.CourseDirectory.get("root", "")))
        self.people: dict[str, dict[str, str]] = {}
        if self.table is not None:
            enter_deadlines(self.gradebook, self.table, assignment)
            self._enter_people(class_roster(Path(config.CourseDirectory.root)))
        self.penalties = Penalties(config)

    def _enter_people(self, roster: Path | None) -> None:
        """Everybody on the class's roster, with their names, whether they have handed in or not.

        Under the name that `collect` gives a folder, unless one was made by hand with the id itself.
        """
        if roster is None:
            return
        known = {student.id: student for student in self.gradebook.students}
        with transaction(self.gradebook.db):
            wait_for_others(self.gradebook.db)
            self.people = people(roster)
            for student, person in self.people.items():
                name = student if student in known else folder_name(student)
                if name not in known or any(getattr(known[name], key) != text for key, text in person.items()):
                    self.gradebook.update_or_create_student(name, **person)

    def close(self) -> None:
        self.gradebook.close()

    def checksums(self) -> dict[str, str]:
        """Grade id → checksum of the instructor's cell."""
        notebook = self.gradebook.find_notebook(self.assignment, self.assignment)
        return {cell.name: cell.checksum for cell in notebook.source_cells}

    def enter(self, student: str, notebook: NotebookNode, timestamp: str, before: Mapping[str, str]) -> float:
        """Enter a graded notebook's points and comments, as nbgrader reads them from it; manual points stay.

        They are to be looked at again where the answer is not the one before, or the checks say otherwise.
        ``before``: the learner's cells as they were entered last, by name.
        Returns how many seconds late it was.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: the database refused; nothing of this submission was entered.
        """
        when = {"timestamp": timestamp} if timestamp else {}
        with transaction(self.gradebook.db):
            wait_for_others(self.gradebook.db)
            self.gradebook.update_or_create_student(student, **self.people.get(student, {}))
            self._forget(folder_name(student), student)
            submission = self.gradebook.update_or_create_submission(self.assignment, student, **when)
            if self.table is not None and self.assignment in self.table.exercises:
                submission.extension = self.table.extension(student, self.assignment)
            row = self.gradebook.find_submission_notebook(self.assignment, self.assignment, student)
            grades, comments = self._rows(Grade, row), self._rows(Comment, row)
            changed = {name for name, source in answers(notebook).items() if before.get(name) != source}
            for cell in notebook.cells:
                name = cell.metadata.get("nbgrader", {}).get("grade_id")
                if utils.is_grade(cell):
                    grade = grades[name]
                    automatic, (grade.auto_score, _) = grade.auto_score, utils.determine_grade(cell)
                    is_written = utils.is_solution(cell) or utils.is_task(cell)
                    has_changed = name in changed if is_written else bool(changed)
                    if grade.manual_score is None:
                        grade.needs_manual_grade = grade.auto_score is None
                    elif has_changed or grade.auto_score != automatic:
                        grade.needs_manual_grade = True
                if utils.is_solution(cell) or utils.is_task(cell):
                    same = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
                    comments[name].auto_comment = NO_RESPONSE if same and not utils.is_task(cell) else None
            self.gradebook.db.flush()
            self.gradebook.db.refresh(row)  # its score is a sum computed by the database
            row.late_submission_penalty = self.penalties.of(student, row)
            return row.assignment.total_seconds_late

    def _forget(self, name: str, student: str) -> None:
        """What was entered for a learner under a folder's name before a folder of another name turned up."""
        if name == student or student not in self.people or name in self.people:
            return
        for row in self.gradebook.db.query(Student).filter(Student.id == name):
            if not row.submissions:
                self.gradebook.db.delete(row)

    def _rows(self, kind: type[Row], row: SubmittedNotebook) -> dict[str, Row]:
        query = self.gradebook.db.query(BaseCell.name, kind).join(kind, kind.cell_id == BaseCell.id)
        return {name: entry for name, entry in query.filter(kind.notebook_id == row.id)}


def answers(notebook: NotebookNode) -> dict[str, str]:
    """The cells that learners write, by name."""
    cells = [cell for cell in notebook.cells if utils.is_solution(cell) or utils.is_task(cell)]
    return {cell.metadata.nbgrader["grade_id"]: cell.source for cell in cells}


def answers_before(path: Path) -> dict[str, str]:
    """What a learner had written when the work was entered last, from the graded notebook at ``path``."""
    try:
        return answers(v4.reads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, AttributeError, KeyError):  # there is none, or it is damaged
        return {}
