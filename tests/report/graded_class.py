"""A verdict in a few words, for a class that no grader has seen."""

from autograder.finding import UNWRITTEN, Finding
from autograder.records.verdict import CheckVerdict, Verdict

NAME = "01_small"
CHECKS = ("first", "second", "third")


def _found(message):
    if not message:
        return Finding()
    mistake = UNWRITTEN if "not written yet" in message else message
    return Finding("t", "", mistake, "x", "3 at [1]", "4", message, "values")


def verdict(points, status=None, messages=None, notes=(), seconds=1.0):
    """A verdict with these points of 1 on the checks, in order; a message is what the check says is wrong."""
    messages = messages or ["" if got == 1 else "the axis is wrong" for got in points]
    checks = [
        CheckVerdict(name, float(got), 1.0, "passed" if got == 1 else "partial" if got else "failed", _found(message))
        for name, got, message in zip(CHECKS, points, messages, strict=True)
    ]
    return Verdict(status or ("ok" if all(p == 1 for p in points) else "failed"), 7, checks, [], list(notes), seconds)
