"""Verdicts in a few words, for a class that no grader has seen."""

from dataclasses import replace

from autograder.finding import UNWRITTEN, Finding
from autograder.records.verdict import CheckVerdict, Verdict

NAME = "01_small"
CHECKS = ("first", "second", "third")
BLANK = ["first: not written yet.", "x (other sizes): not written yet.", "x: not written yet."]


def _finding(message):
    if not message:
        return Finding()
    mistake = UNWRITTEN if "not written yet" in message else message
    return Finding("t", "", mistake, "x", "3 at [1]", "4", message, "values")


def verdict(points, status=None, messages=None, notes=(), seconds=1.0):
    """A verdict with these points of 1 on the checks, in order; a message is what the check says is wrong."""
    messages = messages or ["" if got == 1 else "the axis is wrong" for got in points]
    checks = [
        CheckVerdict(name, float(got), 1.0, "passed" if got == 1 else "partial" if got else "failed", _finding(message))
        for name, got, message in zip(CHECKS, points, messages, strict=True)
    ]
    return Verdict(status or ("ok" if all(p == 1 for p in points) else "failed"), 7, checks, [], list(notes), seconds)


def by_other_checks():
    old = verdict([1, 1, 1])
    return replace(old, checks=[CheckVerdict("older", 1.0, 2.0, "partial"), *old.checks[1:]])


VERDICTS = {
    "ada": verdict([1, 1, 1], notes=["cell 3 was lost."], seconds=0.5),
    "ben": verdict([0.5, 0, 1], seconds=0),
    "cy": verdict([1, 0, 1], messages=["", "y: not written yet.", ""], notes=["cell 3 was lost."]),
    "dee": verdict([0, 0, 0], "unreadable", notes=["The file is empty."]),
    "eve": verdict([0, 0, 0], "tampered", notes=["It reached out."]),
    "gil": verdict([1, 1, 1]),
    "hal": verdict([1, 1, 1]),
    "ian": by_other_checks(),
    "omar": verdict([0, 0, 0], messages=BLANK),
}
