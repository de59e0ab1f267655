"""A class's work for one assignment: stored verdicts together with the gradebook's scores."""

import json
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.gradebook.book import Book
from autograder.gradebook.class_scores import Score, class_scores
from autograder.gradebook.summary import RECORD
from autograder.records.plain_data import typed
from autograder.records.verdict import CheckVerdict, Verdict
from autograder.store.state import GradedCopies
from autograder.store.verdicts import Provenance, Store, Stored

SLACK = 1e-9  # points are sums of floats


@dataclass(frozen=True)
class GradedWork:
    """One student's work, with a verdict, a score or both."""

    student: str
    verdict: Verdict | None
    circumstances: Provenance
    score: Score | None


@dataclass(frozen=True)
class Classwork:
    """All work for one assignment, by student, and the students in the gradebook who submitted nothing."""

    assignment: str
    works: tuple[GradedWork, ...]
    missing: tuple[str, ...]
    people: dict[str, str]  # student in the gradebook → first and last name, empty if it has none


def assignments(output: Path, book: Book | None = None) -> list[str]:
    """The assignments graded into ``output``; the gradebook is ``book``, by default a file there.

    Raises:
        UsageError: there is no such folder, or nothing was graded into it.
        GradebookError: the file is not a gradebook.
    """
    if not output.is_dir():
        raise UsageError(f"there is no folder {output}; expected the --output of `python -m autograder grade`.")
    with Store(output) as store:
        names = set(GradedCopies(store.state).assignments())
    book = book or Book.below(output)
    if book.examine():  # nbgrader would create an empty one
        with book.open() as gradebook:
            names |= {assignment.name for assignment in gradebook.assignments if assignment.num_submissions}
    if not names:
        raise UsageError(f"nothing was graded into {output}; run `python -m autograder grade` first.")
    return sorted(names)


def classwork(output: Path, assignment: str, book: Book | None = None) -> Classwork:
    """The class's work, read from ``output``; the gradebook is ``book``, by default a file there.

    Raises:
        UsageError: there is no work for this assignment.
    """
    known = assignments(output, book)
    if assignment not in known:
        raise UsageError(f"nothing was graded for {assignment!r} in {output}; graded: {', '.join(known)}.")
    with Store(output) as store:
        verdicts = {student: entry for student, entry in store.entries(assignment).items() if entry.verdict}
    people: dict[str, str] = {}
    scores: dict[str, Score] = {}
    book = book or Book.below(output)
    if book.examine():
        with book.open() as gradebook:
            scores = class_scores(gradebook, assignment)
            for person in gradebook.students:
                people[person.id] = " ".join(filter(None, (person.first_name, person.last_name)))
        verdicts = {student: stored for student, stored in verdicts.items() if student in people}  # others have left
    for student, score in scores.items():
        verdict = verdicts.get(student, Stored()).verdict
        if verdict is None or abs(verdict.points - score.automatic) > SLACK:
            later = _shown(output, assignment, student)
            if later is not None and abs(later.points - score.automatic) <= SLACK:
                verdicts[student] = Stored(later)
    works, names = [], {*verdicts, *scores}
    for name in sorted(names):
        entry = verdicts.get(name, Stored())
        works.append(GradedWork(name, entry.verdict, entry.provenance, scores.get(name)))
    return Classwork(assignment, tuple(works), tuple(sorted(set(people) - names)), people)


def _shown(output: Path, assignment: str, student: str) -> Verdict | None:
    """The verdict in the graded notebook: the only one if formgrader or ``nbgrader autograde`` graded it."""
    path = output / "autograded" / student / assignment / f"{assignment}.ipynb"
    try:
        recorded = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["metadata"][RECORD]
        checks = typed(list[CheckVerdict], recorded["checks"])
        return Verdict(recorded["status"], 0, checks, [], list(recorded["notes"]))
    except (OSError, ValueError, LookupError, TypeError):
        return None
