"""A class's scores for one assignment, in a fixed number of queries."""

import datetime
from dataclasses import dataclass

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import func, select


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


def class_scores(gradebook: Gradebook, assignment: str) -> dict[str, Score]:
    """Student → score of their submission; empty if there is no such assignment."""
    try:
        most = float(gradebook.find_assignment(assignment).max_score)
    except MissingEntry:
        return {}
    work = SubmittedAssignment
    points = select(func.sum(Grade.auto_score)).join(Grade.notebook)
    automatic = points.where(SubmittedNotebook.assignment_id == work.id).scalar_subquery()
    sums = (work.score, automatic, work.late_submission_penalty, work.needs_manual_grade)
    query = select(work.student_id, *sums, work.timestamp).join(work.assignment).where(Assignment.name == assignment)
    return {
        student: Score(points, most, automatic or 0.0, penalty, waits, when)
        for student, points, automatic, penalty, waits, when in gradebook.db.execute(query)
    }


def automatic_scores(gradebook: Gradebook, assignment: str) -> dict[tuple[str, str], float | None]:
    """Points given by the checks, by student and cell."""
    query = (
        select(SubmittedAssignment.student_id, BaseCell.name, Grade.auto_score)
        .select_from(Grade)
        .join(Grade.cell)
        .join(Grade.notebook)
        .join(SubmittedNotebook.assignment)
        .join(SubmittedAssignment.assignment)
        .where(Assignment.name == assignment)
    )
    return {(student, cell): points for student, cell, points in gradebook.db.execute(query)}


def seconds_late(gradebook: Gradebook, assignment: str) -> dict[str, float]:
    """Student → seconds between their current due date and their submission; 0 if on time."""
    submissions = gradebook.find_assignment(assignment).submissions
    return {submission.student_id: submission.total_seconds_late for submission in submissions}
