"""Each learner's current grade in the gradebook, including manual points and late penalties."""

from dataclasses import dataclass

from nbgrader.api import MissingEntry

from autograder.gradebook.book import Book
from autograder.gradebook.class_scores import class_scores


@dataclass(frozen=True)
class CurrentGrade:
    """One submission, in points."""

    score: float  # after the penalty
    max_score: float
    penalty: float  # for lateness
    waits: bool  # for manual grading


def current_grades(book: Book, assignment: str) -> dict[str, CurrentGrade]:
    """Student → current grade; empty if the gradebook has none."""
    if not book.exists():
        return {}
    with book.open() as gradebook:
        try:
            most = gradebook.find_assignment(assignment).max_score
        except MissingEntry:
            return {}
        found = class_scores(gradebook, assignment)
        return {
            student: CurrentGrade(max(0.0, one.points - one.penalty), most, one.penalty, one.waiting)
            for student, one in found.items()
        }
