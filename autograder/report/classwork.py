"""What is known of a class's work for one assignment: stored verdicts beside the gradebook's scores."""

import json
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.gradebook.database import examine
from autograder.gradebook.summary import RECORD
from autograder.judging.circumstances import Circumstances
from autograder.judging.store import Store
from autograder.judging.verdict import CheckVerdict, Verdict

SLACK = 1e-9  # points are sums of floats


class NothingGraded(Exception):
    """There is nothing to report on; the message is one clear line that says what to do."""


@dataclass(frozen=True)
class Score:
    """A line of the gradebook, in points."""

    score: float  # what counts: manual scores and late penalties included
    max_score: float
    automatic: float  # what the checks gave
    penalty: float
    needs_manual_grade: bool


@dataclass(frozen=True)
class Work:
    """One student's work; at least one of verdict and score is there."""

    student: str
    verdict: Verdict | None
    circumstances: Circumstances
    score: Score | None


@dataclass(frozen=True)
class Classwork:
    """All that was handed in for one assignment, by student; and who in the gradebook handed in nothing."""

    assignment: str
    works: tuple[Work, ...]
    missing: tuple[str, ...]


def assignments(output: Path) -> list[str]:
    """The assignments that were graded into ``output``.

    Raises:
        NothingGraded: there is no such folder, or nothing was graded into it.
    """
    if not output.is_dir():
        raise NothingGraded(f"there is no folder {output}; expected the --output of `python -m autograder grade`.")
    names = {path.name for path in (output / "written").glob("*") if path.is_dir()}
    book = _gradebook(output)
    if book is not None:
        with book:
            names |= {assignment.name for assignment in book.assignments if assignment.num_submissions}
    if not names:
        raise NothingGraded(f"nothing was graded into {output}; run `python -m autograder grade` first.")
    return sorted(names)


def classwork(output: Path, assignment: str) -> Classwork:
    """The class's work, read from ``output``.

    Raises:
        NothingGraded: there is no work for this assignment.
    """
    known = assignments(output)
    if assignment not in known:
        raise NothingGraded(f"nothing was graded for {assignment!r} in {output}; there is {', '.join(known)}.")
    verdicts = _verdicts(output, assignment)
    scores, enrolled = _scores(output, assignment)
    for student, score in scores.items():
        stored = verdicts.get(student)
        if stored is None or abs(stored[0].points - score.automatic) > SLACK:
            later = _shown(output, assignment, student)
            if later is not None and abs(later.points - score.automatic) <= SLACK:
                verdicts[student] = later, Circumstances()
    works = [
        Work(name, *verdicts.get(name, (None, Circumstances())), scores.get(name))
        for name in sorted({*verdicts, *scores})
    ]
    return Classwork(assignment, tuple(works), tuple(sorted(enrolled - set(verdicts) - set(scores))))


def _verdicts(output: Path, assignment: str) -> dict[str, tuple[Verdict, Circumstances]]:
    """Student → the verdict that the gradebook's line was written from, and how it came about."""
    store, found = Store(output), {}
    for mark in sorted((output / "written" / assignment).glob("*.txt")):
        words = mark.read_text(encoding="utf-8", errors="replace").split()
        verdict = store.get(words[0]) if words and words[0].isalnum() else None
        if verdict is not None:
            found[mark.name.removesuffix(".txt")] = verdict, Circumstances.get(output, words[0])
    return found


def _shown(output: Path, assignment: str, student: str) -> Verdict | None:
    """The verdict that the graded notebook shows: where formgrader or ``nbgrader autograde`` graded, the only one."""
    path = output / "autograded" / student / assignment / f"{assignment}.ipynb"
    try:
        told = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["metadata"][RECORD]
        checks = [CheckVerdict.of(check) for check in told["checks"]]
        return Verdict(told["status"], 0, checks, [], list(told["notes"]))
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _scores(output: Path, assignment: str) -> tuple[dict[str, Score], set[str]]:
    book = _gradebook(output)
    if book is None:
        return {}, set()
    with book:
        enrolled = {student.id for student in book.students}
        try:
            submissions = book.assignment_submissions(assignment)
        except MissingEntry:
            return {}, enrolled
        scores = {
            one.student.id: Score(
                max(0.0, one.score - one.late_submission_penalty),
                one.max_score,
                sum(grade.auto_score or 0.0 for notebook in one.notebooks for grade in notebook.grades),
                one.late_submission_penalty,
                bool(one.needs_manual_grade),
            )
            for one in submissions
        }
    return scores, enrolled


def _gradebook(output: Path) -> Gradebook | None:
    """None where there is none: nbgrader would make an empty one.

    Raises:
        GradebookError: what is there is no gradebook.
    """
    path = output / "gradebook.db"
    examine(path)
    return Gradebook(f"sqlite:///{path.resolve()}") if path.is_file() else None
