"""The verdict when the grader itself fails."""

from autograder.authoring.assignment import Assignment
from autograder.records.verdict import CheckVerdict, Verdict


def fault(assignment: Assignment, seed: int, error: BaseException) -> Verdict:
    """A verdict of status "infrastructure": it is never stored and costs nobody points."""
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    checks = [CheckVerdict(name, 0.0, points, "not run") for name, points in assignment.checks.items()]
    return Verdict("infrastructure", seed, checks, [], [f"The grader failed: {reason}"])
