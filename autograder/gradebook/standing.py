"""What the gradebook says of each learner's work by now: points by hand and late penalties are in it."""

from dataclasses import dataclass

from nbgrader.api import MissingEntry

from autograder.gradebook.book import Book
from autograder.gradebook.scores import class_scores


@dataclass(frozen=True)
class Standing:
    """One submission, in points."""

    score: float  # what counts
    max_score: float
    penalty: float  # taken off for lateness
    waits: bool  # for a person


def standings(book: Book, assignment: str) -> dict[str, Standing]:
    """Student → standing; empty where the gradebook has nothing."""
    if not book.exists():
        return {}
    with book.open() as gradebook:
        try:
            most = gradebook.find_assignment(assignment).max_score
        except MissingEntry:
            return {}
        found = class_scores(gradebook, assignment)
        return {
            student: Standing(max(0.0, one.points - one.penalty), most, one.penalty, one.waiting)
            for student, one in found.items()
        }
