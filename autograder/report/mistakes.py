"""Which mistakes the class made: what checks found, counted by the mistake's id; notes, word for word."""

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.finding import UNWRITTEN, Finding

__all__ = ["UNWRITTEN", "Mistake", "grouped", "grouped_notes"]


@dataclass(frozen=True)
class Mistake:
    """One diagnosis, and who was given it."""

    id: str
    diagnosis: str
    example: str  # one whole sentence
    students: tuple[str, ...]  # by name

    @property
    def count(self) -> int:
        return len(self.students)


def grouped(found: Iterable[tuple[str, Finding]]) -> list[Mistake]:
    """Pairs of student and finding → mistakes, the most frequent first; each student counts once.

    What a task's list names, or what is of one general kind, is one mistake in that task.
    """
    groups: dict[tuple[str, ...], list[tuple[str, Finding]]] = {}
    for student, finding in found:
        if finding:
            groups.setdefault(finding.key, []).append((student, finding))
    mistakes = [
        Mistake(members[0][1].mistake, members[0][1].diagnosis, str(members[0][1]), _students(members))
        for members in groups.values()
    ]
    return _ordered(mistakes)


def grouped_notes(notes: Iterable[tuple[str, str]]) -> list[Mistake]:
    """The same for notes, which are whole sentences."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for student, note in notes:
        groups.setdefault(note, []).append((student, note))
    return _ordered([Mistake("", note.rstrip("."), note, _students(members)) for note, members in groups.items()])


def _students(members: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    return tuple(sorted({student for student, _ in members}))


def _ordered(mistakes: list[Mistake]) -> list[Mistake]:
    return sorted(mistakes, key=lambda mistake: (-mistake.count, mistake.diagnosis))
