"""The grader itself fails."""

from autograder.assignments.assignment import Assignment
from autograder.records.verdict import Verdict


def fault(assignment: Assignment, seed: int, error: BaseException) -> Verdict:
    """A verdict of status "infrastructure": it is never stored and costs nobody points."""
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return Verdict.without_points("infrastructure", seed, assignment.checks, f"The grader failed: {reason}")
