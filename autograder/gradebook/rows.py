"""The gradebook's rows on one submission or a whole class, in three queries either way."""

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import select
from sqlalchemy.orm import contains_eager, joinedload, selectinload, undefer

NO_RESPONSE = "No response."  # nbgrader's comment on an answer left as it came


class Rows:
    """The rows on one assignment, whose notebook has the same name; for one student, or for all."""

    def __init__(self, gradebook: Gradebook, assignment: str, student: str | None = None) -> None:
        self.assignment = assignment
        query = (
            select(SubmittedNotebook)
            .join(SubmittedNotebook.notebook)
            .join(SubmittedNotebook.assignment)
            .join(SubmittedAssignment.assignment)
            .where(Assignment.name == assignment, Notebook.name == assignment)
            .options(
                contains_eager(SubmittedNotebook.assignment).contains_eager(SubmittedAssignment.assignment),
                selectinload(SubmittedNotebook.grades).options(joinedload(Grade.cell), undefer(Grade.max_score)),
                selectinload(SubmittedNotebook.comments).joinedload(Comment.cell),
            )
        )
        if student is not None:
            query = query.where(SubmittedAssignment.student_id == student)
        self.notebooks = {notebook.assignment.student_id: notebook for notebook in gradebook.db.scalars(query)}

    def notebook(self, student: str) -> SubmittedNotebook:
        """Raises nbgrader.api.MissingEntry if there is none."""
        if student not in self.notebooks:
            raise MissingEntry(f"No such notebook: {self.assignment}/{self.assignment} for {student}")
        return self.notebooks[student]
