"""What an output folder holds of the runs before: by assignment and student."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.gradebook.book import Book
from autograder.judging.circumstances import Circumstances
from autograder.judging.staged import Copy, Staged, key_of
from autograder.judging.store import Store


@dataclass(frozen=True)
class Recorded:
    """One student's work for one assignment, as it was when it was graded."""

    handed: Copy
    key: str  # of the verdict that the gradebook was written by; empty where there is none
    circumstances: Circumstances

    @property
    def seconds(self) -> float:
        """How long its judging took; 0 where that is not known."""
        return self.circumstances.seconds


def recorded(store: Store) -> list[Recorded]:
    """Every submission that a copy was kept of."""
    found = []
    for copy, mark in Staged(store.state).copies():
        key = key_of(mark)
        found.append(Recorded(copy, key, store.circumstances(key) if key else Circumstances()))
    return found


def seconds(store: Store, assignment: str) -> dict[str, float]:
    """Student → how long the judging took."""
    marks = Staged(store.state).marks(assignment)
    return {student: store.circumstances(key_of(mark)).seconds for student, mark in marks.items()}


def without_copy(output: Path, assignment: str | None, students: Sequence[str], book: Book) -> list[tuple[str, str]]:
    """Assignment and student of what the gradebook holds, graded by ``nbgrader autograde`` perhaps, without a copy."""
    if not book.exists():
        return []
    with Store(output) as store:
        copies = {(copy.assignment, copy.student) for copy, _ in Staged(store.state).copies()}
    with book.open() as gradebook:
        held = {(of.name, submission.student.id) for of in gradebook.assignments for submission in of.submissions}
    return sorted(
        (of, student)
        for of, student in held - copies
        if assignment in (None, of) and (not students or student in students)
    )
