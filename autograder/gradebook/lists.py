"""Formgrader's lists of a whole class, in one query each: nbgrader's own take minutes for two thousand learners.

nbgrader joins every submission with every cell of every assignment, and looks up each learner with a separate query;
there is no setting for it. These return the same as the methods they replace.
"""

from typing import Any

from nbgrader.api import (
    Assignment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import ColumnElement, Select, case, func, literal_column, select
from sqlalchemy.orm import joinedload

CELLS, TASKS = GradeCell.__table__, TaskCell.__table__
KINDS = {
    "": CELLS.c.id.is_not(None) | TASKS.c.id.is_not(None),
    "code_": CELLS.c.cell_type == "code",
    "written_": CELLS.c.cell_type == "markdown",
    "task_": TASKS.c.id.is_not(None),
}
MAX_SCORE = func.coalesce(CELLS.c.max_score, TASKS.c.max_score)
FAILED = (CELLS.c.cell_type == "code") & (Grade.auto_score < CELLS.c.max_score)
PERSON = {"first_name": Student.first_name, "last_name": Student.last_name, "student": Student.id}
SUMS = {
    f"{most}{kind}score": func.sum(case((which, points), else_=literal_column("0.0")))
    for kind, which in KINDS.items()
    for most, points in (("", Grade.score), ("max_", MAX_SCORE))
}


def replace_nbgrader_lists() -> None:
    """Make nbgrader use the queries below, in this process from now on."""
    Gradebook.submission_dicts = submission_dicts
    Gradebook.notebook_submission_dicts = notebook_submission_dicts
    Gradebook.notebook_submissions = notebook_submissions
    Gradebook.student_dicts = student_dicts


def submission_dicts(book: Gradebook, assignment_id: str) -> list[dict[str, Any]]:
    """Every submission of an assignment, with its points."""
    work = {"id": SubmittedAssignment.id, "name": Assignment.name, "timestamp": SubmittedAssignment.timestamp}
    flags = {"needs_manual_grade": _any(Grade.needs_manual_grade)}
    return _by_submission(book, work | PERSON, flags, Assignment.name == assignment_id)


def notebook_submission_dicts(book: Gradebook, notebook_id: str, assignment_id: str) -> list[dict[str, Any]]:
    """Every submission of a notebook, with its points."""
    work = {"id": SubmittedNotebook.id, "name": Notebook.name, "flagged": SubmittedNotebook.flagged}
    flags = {"needs_manual_grade": _any(Grade.needs_manual_grade), "failed_tests": _any(FAILED)}
    return _by_submission(book, work | PERSON, flags, Assignment.name == assignment_id, Notebook.name == notebook_id)


def notebook_submissions(book: Gradebook, notebook: str, assignment: str) -> list[SubmittedNotebook]:
    """The rows themselves, with their learners loaded."""
    query = (
        select(SubmittedNotebook)
        .join(SubmittedNotebook.notebook)
        .join(Notebook.assignment)
        .where(Notebook.name == notebook, Assignment.name == assignment)
        .options(joinedload(SubmittedNotebook.assignment).joinedload(SubmittedAssignment.student))
    )
    return list(book.db.scalars(query))


def student_dicts(book: Gradebook) -> list[dict[str, Any]]:
    """Every learner, with total points over all assignments."""
    points = (
        select(SubmittedAssignment.student_id, func.sum(Grade.score).label("score"))
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .group_by(SubmittedAssignment.student_id)
        .subquery()
    )
    person = (Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id, Student.max_score)
    score = func.coalesce(points.c.score, 0.0).label("score")
    return _dicts(book, select(*person, score).outerjoin(points, points.c.student_id == Student.id))


def _by_submission(
    book: Gradebook, about: dict[str, Any], flags: dict[str, ColumnElement], *which: ColumnElement
) -> list[dict[str, Any]]:
    """The submissions with any grades, each with what is about it, and what is found in or summed over its grades."""
    query = (
        select(*(column.label(name) for name, column in (about | flags | SUMS).items()))
        .select_from(Grade)
        .join(Grade.notebook)
        .join(SubmittedNotebook.notebook)
        .join(SubmittedNotebook.assignment)
        .join(SubmittedAssignment.assignment)
        .join(SubmittedAssignment.student)
        .outerjoin(CELLS, CELLS.c.id == Grade.cell_id)
        .outerjoin(TASKS, TASKS.c.id == Grade.cell_id)
        .where(*which)
        .group_by(*about.values())
    )
    return _dicts(book, query)


def _any(which: ColumnElement) -> ColumnElement:
    return func.max(case((which, 1), else_=0)) == 1


def _dicts(book: Gradebook, query: Select) -> list[dict[str, Any]]:
    return [dict(row) for row in book.db.execute(query).mappings()]
