"""What earlier runs left in an output folder, by assignment and student."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.gradebook.book import Book
from autograder.judging.graded_copies import Copy, GradedCopies, key_of
from autograder.judging.provenance import Provenance
from autograder.judging.store import Store


@dataclass(frozen=True)
class Recorded:
    """One student's submission for one assignment, as it was graded."""

    handed: Copy
    key: str  # of the verdict behind the gradebook entry; empty if there is none
    circumstances: Provenance

    @property
    def seconds(self) -> float:
        """How long judging took; 0 if unknown."""
        return self.circumstances.seconds


def recorded(store: Store) -> list[Recorded]:
    """Every submission with a stored copy."""
    found = []
    for copy, mark in GradedCopies(store.state).copies():
        key = key_of(mark)
        found.append(Recorded(copy, key, store.circumstances(key) if key else Provenance()))
    return found


def seconds(store: Store, assignment: str) -> dict[str, float]:
    """Student → how long judging took."""
    marks = GradedCopies(store.state).marks(assignment)
    return {student: store.circumstances(key_of(mark)).seconds for student, mark in marks.items()}


def without_copy(output: Path, assignment: str | None, students: Sequence[str], book: Book) -> list[tuple[str, str]]:
    """Assignment and student of gradebook entries without a stored copy, such as those of ``nbgrader autograde``."""
    if not book.exists():
        return []
    with Store(output) as store:
        copies = {(copy.assignment, copy.student) for copy, _ in GradedCopies(store.state).copies()}
    with book.open() as gradebook:
        held = {(of.name, submission.student.id) for of in gradebook.assignments for submission in of.submissions}
    return sorted(
        (of, student)
        for of, student in held - copies
        if assignment in (None, of) and (not students or student in students)
    )
