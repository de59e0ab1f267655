"""What is known of a class's work for one assignment: stored verdicts beside the gradebook's scores."""

import json
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.gradebook.book import Book
from autograder.gradebook.scores import class_scores
from autograder.gradebook.summary import RECORD
from autograder.judging.circumstances import Circumstances
from autograder.judging.staged import Staged, key_of
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


def assignments(output: Path, book: Book | None = None) -> list[str]:
    """The assignments that were graded into ``output``, whose gradebook is a file there unless it is ``book``.

    Raises:
        NothingGraded: there is no such folder, or nothing was graded into it.
    """
    if not output.is_dir():
        raise NothingGraded(f"there is no folder {output}; expected the --output of `python -m autograder grade`.")
    with Store(output) as store:
        names = set(Staged(store.state).assignments())
    gradebook = _gradebook(output, book)
    if gradebook is not None:
        with gradebook:
            names |= {assignment.name for assignment in gradebook.assignments if assignment.num_submissions}
    if not names:
        raise NothingGraded(f"nothing was graded into {output}; run `python -m autograder grade` first.")
    return sorted(names)


def classwork(output: Path, assignment: str, book: Book | None = None) -> Classwork:
    """The class's work, read from ``output``, whose gradebook is a file there unless it is ``book``.

    Raises:
        NothingGraded: there is no work for this assignment.
    """
    known = assignments(output, book)
    if assignment not in known:
        raise NothingGraded(f"nothing was graded for {assignment!r} in {output}; there is {', '.join(known)}.")
    verdicts = _verdicts(output, assignment)
    scores, enrolled = _scores(output, assignment, book)
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
    found = {}
    with Store(output) as store:
        for student, mark in Staged(store.state).marks(assignment).items():
            verdict = store.get(key_of(mark), shown=False)
            if verdict is not None:
                found[student] = verdict, store.circumstances(key_of(mark))
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


def _scores(output: Path, assignment: str, place: Book | None) -> tuple[dict[str, Score], set[str]]:
    book = _gradebook(output, place)
    if book is None:
        return {}, set()
    with book:
        enrolled = {student.id for student in book.students}
        try:
            most = book.find_assignment(assignment).max_score
        except MissingEntry:
            return {}, enrolled
        scores = {
            student: Score(max(0.0, one.points - one.penalty), most, one.automatic, one.penalty, one.waiting)
            for student, one in class_scores(book, assignment).items()
        }
    return scores, enrolled


def _gradebook(output: Path, book: Book | None) -> Gradebook | None:
    """None where there is none: nbgrader would make an empty one.

    Raises:
        GradebookError: what is there is no gradebook.
    """
    book = book or Book.below(output)
    return book.open() if book.examine() else None
