"""The gradebook's rows on one submission or a whole class, in four queries either way."""

from collections import defaultdict

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy.orm import Query, contains_eager


class Rows:
    """The rows on one assignment, whose notebook has the same name; for one student, or for all."""

    def __init__(self, gradebook: Gradebook, assignment: str, student: str | None = None) -> None:
        self.gradebook, self.assignment, self.student = gradebook, assignment, student
        notebooks = self._of_class(gradebook.db.query(SubmittedNotebook)).options(
            contains_eager(SubmittedNotebook.assignment).contains_eager(SubmittedAssignment.assignment)
        )
        self.notebooks = {one.assignment.student_id: one for one in notebooks}
        self._grades: dict[str, dict[str, tuple[Grade, float]]] = defaultdict(dict)
        for kind in (GradeCell, TaskCell):
            query = gradebook.db.query(kind.name, kind.max_score, Grade).join(Grade, Grade.cell_id == kind.id)
            query = query.join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
            for name, most, grade in self._of_class(query):
                self._grades[grade.notebook_id][name] = (grade, float(most))
        self._comments: dict[str, dict[str, str]] = defaultdict(dict)
        query = gradebook.db.query(BaseCell.name, Comment.comment, Comment.notebook_id)
        query = query.join(Comment, Comment.cell_id == BaseCell.id)
        query = query.join(SubmittedNotebook, Comment.notebook_id == SubmittedNotebook.id)
        for name, text, of in self._of_class(query):
            if text:
                self._comments[of][name] = text

    def _of_class(self, query: Query) -> Query:
        query = (
            query.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
            .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
            .filter(Assignment.name == self.assignment, Notebook.name == self.assignment)
        )
        return query if self.student is None else query.filter(SubmittedAssignment.student_id == self.student)

    def notebook(self, student: str) -> SubmittedNotebook:
        """Raises nbgrader.api.MissingEntry if there is none."""
        if student not in self.notebooks:
            raise MissingEntry(f"No such notebook: {self.assignment}/{self.assignment} for {student}")
        return self.notebooks[student]

    def grades(self, student: str) -> dict[str, tuple[Grade, float]]:
        """Graded cell → its grade and maximum points."""
        return self._grades[self.notebook(student).id]

    def comments(self, student: str) -> dict[str, str]:
        """Cell → comment."""
        return self._comments[self.notebook(student).id]
