"""A class's scores for one assignment, in a fixed number of queries."""

import datetime
from dataclasses import dataclass

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import Integer, Select, case, cast, func, select
from sqlalchemy.orm import joinedload

from autograder.gradebook.book import Book

Scores = dict[str, dict[str, float | None]]  # student → graded cell → automatic points


@dataclass(frozen=True)
class Score:
    """One submission in points, as nbgrader computes them, including manual points and extra credit."""

    points: float
    max_score: float
    automatic: float  # from the checks alone
    penalty: float  # for lateness
    waits: bool  # for manual grading
    timestamp: datetime.datetime | None = None

    @property
    def score(self) -> float:
        """What counts: after the penalty, never below zero."""
        return max(0.0, self.points - self.penalty)

    def record(self) -> dict[str, object]:
        """Plain data, for JSON."""
        return {"score": self.score, "max_score": self.max_score, "penalty": self.penalty, "waits": self.waits}


def current_scores(book: Book, assignment: str) -> dict[str, Score]:
    """The same as :func:`class_scores`; empty if there is no such gradebook."""
    if not book.exists():
        return {}
    with book.open() as gradebook:
        return class_scores(gradebook, assignment)


def class_scores(gradebook: Gradebook, assignment: str) -> dict[str, Score]:
    """Student → score of their submission; empty if there is no such assignment."""
    try:
        most = float(gradebook.find_assignment(assignment).max_score)
    except MissingEntry:
        return {}
    penalties = (
        select(SubmittedNotebook.assignment_id, func.sum(SubmittedNotebook.late_submission_penalty).label("penalty"))
        .group_by(SubmittedNotebook.assignment_id)
        .subquery()
    )
    waiting = func.max(cast(case((Grade.needs_manual_grade, 1), else_=0), Integer))
    sums = (func.sum(Grade.score), func.sum(Grade.auto_score), penalties.c.penalty, waiting)
    query = (
        _submissions(select(Student.id, SubmittedAssignment.timestamp, *sums), assignment)
        .outerjoin(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .outerjoin(penalties, penalties.c.assignment_id == SubmittedAssignment.id)
        .group_by(Student.id, SubmittedAssignment.timestamp, penalties.c.penalty)
    )
    return {
        student: Score(points or 0.0, most, automatic or 0.0, penalty or 0.0, bool(waits), when)
        for student, when, points, automatic, penalty, waits in gradebook.db.execute(query)
    }


def automatic_scores(gradebook: Gradebook, assignment: str) -> Scores:
    """Points given by the checks, by student and cell."""
    query = (
        _submissions(select(Student.id, BaseCell.name, Grade.auto_score), assignment)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
    )
    found: Scores = {}
    for student, cell, points in gradebook.db.execute(query):
        found.setdefault(student, {})[cell] = points
    return found


def seconds_late(gradebook: Gradebook, assignment: str) -> dict[str, float]:
    """Student → seconds between their current due date and their submission; 0 if on time."""
    query = (
        select(SubmittedAssignment)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == assignment)
        .options(joinedload(SubmittedAssignment.assignment))
    )
    return {one.student_id: one.total_seconds_late for one in gradebook.db.scalars(query)}


def _submissions(query: Select, assignment: str) -> Select:
    return (
        query.select_from(SubmittedAssignment)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Student, Student.id == SubmittedAssignment.student_id)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .where(Assignment.name == assignment)
    )
