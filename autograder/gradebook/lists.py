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
from sqlalchemy.orm import contains_eager, joinedload

CELLS, TASKS = GradeCell.__table__, TaskCell.__table__
KINDS = {
    "": CELLS.c.id.is_not(None) | TASKS.c.id.is_not(None),
    "code_": CELLS.c.cell_type == "code",
    "written_": CELLS.c.cell_type == "markdown",
    "task_": TASKS.c.id.is_not(None),
}
MAX_SCORE = func.coalesce(CELLS.c.max_score, TASKS.c.max_score)
FAILED = (CELLS.c.cell_type == "code") & (Grade.auto_score < CELLS.c.max_score)
ZERO: ColumnElement[float] = literal_column("0.0")


def replace_nbgrader_lists() -> None:
    """Make nbgrader use the queries below, in this process from now on."""
    Gradebook.submission_dicts = submission_dicts
    Gradebook.notebook_submission_dicts = notebook_submission_dicts
    Gradebook.notebook_submissions = notebook_submissions
    Gradebook.student_dicts = student_dicts


def submission_dicts(book: Gradebook, assignment_id: str) -> list[dict[str, Any]]:
    """Every submission of an assignment, with its points."""
    about = {
        "id": SubmittedAssignment.id,
        "name": Assignment.name,
        "timestamp": SubmittedAssignment.timestamp,
        "first_name": Student.first_name,
        "last_name": Student.last_name,
        "student": Student.id,
    }
    sums = _sums() | {"needs_manual_grade": _any(Grade.needs_manual_grade)}
    query = _of_assignment(select(*_named(about | sums)).select_from(SubmittedAssignment), assignment_id)
    return _dicts(book, query.group_by(*about.values()))


def notebook_submission_dicts(book: Gradebook, notebook_id: str, assignment_id: str) -> list[dict[str, Any]]:
    """Every submission of a notebook, with its points."""
    about = {
        "id": SubmittedNotebook.id,
        "name": Notebook.name,
        "student": Student.id,
        "first_name": Student.first_name,
        "last_name": Student.last_name,
    }
    sums = _sums() | {"needs_manual_grade": _any(Grade.needs_manual_grade), "failed_tests": _any(FAILED)}
    last = {"flagged": SubmittedNotebook.flagged}
    query = _of_assignment(select(*_named(about | sums | last)).select_from(SubmittedAssignment), assignment_id)
    query = query.join(Notebook, Notebook.id == SubmittedNotebook.notebook_id).where(Notebook.name == notebook_id)
    return _dicts(book, query.group_by(*about.values(), *last.values()))


def notebook_submissions(book: Gradebook, notebook: str, assignment: str) -> list[SubmittedNotebook]:
    """The rows themselves, with their learners and notebook loaded."""
    query = (
        select(SubmittedNotebook)
        .join(SubmittedNotebook.notebook)
        .join(SubmittedNotebook.assignment)
        .join(SubmittedAssignment.assignment)
        .where(Notebook.name == notebook, Assignment.name == assignment)
        .options(
            contains_eager(SubmittedNotebook.notebook),
            contains_eager(SubmittedNotebook.assignment).joinedload(SubmittedAssignment.student),
            joinedload(SubmittedNotebook.assignment, SubmittedAssignment.assignment),
        )
    )
    return list(book.db.scalars(query))


def student_dicts(book: Gradebook) -> list[dict[str, Any]]:
    """Every learner, with total points over all assignments."""
    most = book.db.scalar(select(func.coalesce(func.sum(CELLS.c.max_score), 0.0)))
    most += book.db.scalar(select(func.coalesce(func.sum(TASKS.c.max_score), 0.0)))
    points = (
        select(SubmittedAssignment.student_id, func.sum(Grade.score).label("score"))
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .group_by(SubmittedAssignment.student_id)
        .subquery()
    )
    query = select(
        Student.id,
        Student.first_name,
        Student.last_name,
        Student.email,
        func.coalesce(points.c.score, 0.0).label("score"),
        Student.lms_user_id,
    ).outerjoin(points, points.c.student_id == Student.id)
    return [one | {"max_score": most} for one in _dicts(book, query)]


def _of_assignment(query: Select, name: str) -> Select:
    """Join submissions with their grades and graded cells."""
    return (
        query.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Student, Student.id == SubmittedAssignment.student_id)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .outerjoin(CELLS, CELLS.c.id == Grade.cell_id)
        .outerjoin(TASKS, TASKS.c.id == Grade.cell_id)
        .where(Assignment.name == name)
    )


def _sums() -> dict[str, ColumnElement]:
    found: dict[str, ColumnElement] = {}
    for kind, which in KINDS.items():
        found[f"{kind}score"] = func.sum(case((which, Grade.score), else_=ZERO))
        found[f"max_{kind}score"] = func.sum(case((which, MAX_SCORE), else_=ZERO))
    return found


def _any(which: ColumnElement) -> ColumnElement:
    return func.max(case((which, 1), else_=0)) == 1


def _named(columns: dict[str, ColumnElement]) -> list[ColumnElement]:
    return [column.label(name) for name, column in columns.items()]


def _dicts(book: Gradebook, query: Select) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in book.db.execute(query)]
