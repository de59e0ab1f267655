"""One submission on its way to a judge, and the verdict where the grader itself failed."""

from collections.abc import Sequence

from autograder.authoring.assignment import Assignment
from autograder.judging.verdict import CheckVerdict, Verdict
from autograder.submissions.submission import Submission


def read(data: bytes, notes: Sequence[str], problem: str, assignment: Assignment) -> Submission:
    """What was handed in, mended; never raises for what is in it."""
    submission = Submission.missing(problem, assignment) if problem else Submission.read(data, assignment)
    return submission.with_notes(*notes)


def fault(assignment: Assignment, seed: int, error: BaseException) -> Verdict:
    """The verdict of status "infrastructure": it is never stored, and nobody loses points by it."""
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    checks = [CheckVerdict(name, 0.0, points, "not run") for name, points in assignment.checks.items()]
    return Verdict("infrastructure", seed, checks, [], [f"The grader failed: {reason}"])
