"""The class report as plain numbers and sentences: what the page shows and what ``--json`` prints."""

import json
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from autograder.finding import UNWRITTEN, Finding
from autograder.records.verdict import CheckVerdict, Verdict
from autograder.report import statistics
from autograder.report.classwork import Classwork, GradedWork
from autograder.report.mistakes import SharedMistake, grouped

UNCOUNTED = {  # such work says nothing about the checks; a person must look at it
    "unreadable": "could not be read",
    "infrastructure": "not graded (internal error), run it again",
    "tampered": "sent something other than answers",
}
NO_VERDICT = "no stored verdict"
BY_HAND = "needs a manual grade."


@dataclass(frozen=True)
class Item:
    """One check over all counted work: numbers of students, statistics and mistakes."""

    check: str
    max_points: float
    passed: int
    partial: int
    failed: int
    unwritten: int
    difficulty: float
    item_rest: float
    interval: tuple[float, float]
    point_biserial: float
    upper_lower: float
    reading: str
    suspect: bool
    mistakes: tuple[SharedMistake, ...]

    @property
    def lost(self) -> int:
        return self.partial + self.failed + self.unwritten


@dataclass(frozen=True)
class ClassReport:
    """The report on one assignment."""

    assignment: str
    people: dict[str, str]  # student in the gradebook → first and last name, empty if it has none
    submissions: int
    statuses: dict[str, int]  # the most frequent first
    missing: tuple[str, ...]
    scores: dict[str, float]  # student → points that count
    max_score: float
    counted: int  # submissions in the checks' statistics
    blank: tuple[str, ...]  # who wrote no code
    items: tuple[Item, ...]
    mistakes: tuple[SharedMistake, ...]  # over all checks
    reliability: float
    attention: tuple[tuple[str, str], ...]  # student, why a person must look at the work
    notes: tuple[SharedMistake, ...]  # repairs and incidents
    seconds: dict[str, float]  # student → judging time
    slowest: dict[str, str]  # student → the cell that took longest

    @property
    def reasons(self) -> dict[str, list[str]]:
        """Why a person must look → the students; what awaits a manual grade last, as that may be the whole class."""
        students: dict[str, list[str]] = defaultdict(list)
        for student, reason in sorted(self.attention, key=lambda pair: pair[1] == BY_HAND):
            students[reason].append(student)
        return students

    def record(self) -> dict[str, Any]:
        """As JSON types; undefined values become None."""
        return json.loads(json.dumps(asdict(self)), parse_constant=lambda _: None)


def class_report(classwork: Classwork) -> ClassReport:
    verdicts = {work.student: work.verdict for work in classwork.works if work.verdict is not None}
    # The most frequent set of checks: verdicts on other versions of the exercise are not counted.
    checks: Signature = Counter(map(_signature, verdicts.values())).most_common(1)[0][0] if verdicts else ()
    sound = {name: v for name, v in verdicts.items() if v.status not in UNCOUNTED and _signature(v) == checks}
    blank = tuple(name for name, verdict in sound.items() if is_blank(verdict))
    counted = {name: verdict for name, verdict in sound.items() if name not in blank}
    points = np.array([[_share(check) for check in verdict.checks] for verdict in counted.values()])
    points = points.reshape(len(counted), len(checks))
    weights = np.array([most for _, most in checks])
    statuses = Counter(NO_VERDICT if work.verdict is None else work.verdict.status for work in classwork.works)
    everything = [(name, c.finding) for name, v in counted.items() for c in v.checks if c.points < c.max_points]
    readable = [(name, v) for name, v in verdicts.items() if v.status != "unreadable"]
    notes = [(name, Finding(got=note)) for name, v in readable for note in v.notes]  # grouped by their text
    scores = {work.student: _points(work) for work in classwork.works}
    times = {work.student: work.circumstances.cells for work in classwork.works}
    return ClassReport(
        classwork.assignment,
        classwork.people,
        len(classwork.works),
        dict(statuses.most_common()),
        classwork.missing,
        scores,
        max([work.score.max_score for work in classwork.works if work.score], default=float(weights.sum())),
        len(counted),
        blank,
        tuple(_items(counted, checks, points, weights)),
        tuple(mistake for mistake in grouped(everything) if mistake.id != UNWRITTEN),
        statistics.reliability(points, weights),
        tuple((work.student, reason) for work in classwork.works for reason in _reasons(work, checks)),
        tuple(grouped(notes)),
        {work.student: work.circumstances.seconds for work in classwork.works if work.circumstances.seconds > 0},
        {name: max(cells, key=cells.__getitem__) for name, cells in times.items() if cells},
    )


def is_blank(verdict: Verdict) -> bool:
    """Whether there is no code for the checks to try; of answers in words they know nothing."""
    return all(check.points == 0 and check.finding.mistake == UNWRITTEN for check in verdict.checks)


Signature = tuple[tuple[str, float], ...]  # name and maximum points of each check


def _signature(verdict: Verdict) -> Signature:
    return tuple((check.cell, check.max_points) for check in verdict.checks)


def _share(check: CheckVerdict) -> float:
    return check.points / check.max_points if check.max_points else 0.0


def _points(work: GradedWork) -> float:
    return work.score.score if work.score else work.verdict.points if work.verdict else 0.0


def _items(
    counted: dict[str, Verdict], checks: Signature, points: statistics.Array, weights: statistics.Array
) -> list[Item]:
    weighted = (statistics.item_rest, statistics.point_biserial, statistics.upper_lower)
    computed = (statistics.difficulty(points), *(statistic(points, weights) for statistic in weighted))
    items = []
    for index, (name, most) in enumerate(checks):
        given = {student: verdict.checks[index] for student, verdict in counted.items()}
        kinds = Counter(_kind(check) for check in given.values())
        wrong = [(student, c.finding) for student, c in given.items() if _kind(c) in ("partial", "failed")]
        counts = (kinds["passed"], kinds["partial"], kinds["failed"], kinds["unwritten"])
        p, r, whole, ends = (float(statistic[index]) for statistic in computed)
        interval = statistics.interval(r, len(points))
        reading, suspect = statistics.reading(p, r)
        shared = tuple(grouped(wrong))
        items.append(Item(name, most, *counts, p, r, interval, whole, ends, reading, suspect, shared))
    return items


def _kind(check: CheckVerdict) -> str:
    if check.points >= check.max_points:
        return "passed"
    if check.points > 0:
        return "partial"
    return "unwritten" if check.status == "not run" or check.finding.mistake == UNWRITTEN else "failed"


def _reasons(work: GradedWork, checks: Signature) -> list[str]:
    """Why a person must look at this work."""
    reasons, verdict, score = [], work.verdict, work.score
    notes = " ".join(verdict.notes) if verdict else ""
    if verdict is None:
        reasons.append("graded outside `python -m autograder grade`: only the points are known, no messages.")
    elif verdict.status in UNCOUNTED:
        reasons.append(f"{UNCOUNTED[verdict.status]}: {notes or 'see the feedback page.'}")
    elif _signature(verdict) != checks:
        reasons.append("judged by different checks than the rest of the class: grade it again.")
    if score is None:
        reasons.append("has a verdict, but no gradebook entry: run `python -m autograder grade` again.")
    elif score.waits:
        reasons.append(BY_HAND)
    if verdict and score and abs(score.automatic - verdict.points) > 1e-9:
        reasons.append(
            f"the gradebook has {score.automatic:g} automatic points, the stored verdict {verdict.points:g}: "
            "it was graded again later, or the gradebook was edited."
        )
    return reasons
