"""The class's mistakes: findings of checks grouped by mistake id, and notes grouped by their text."""

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.finding import UNWRITTEN, Finding

__all__ = ["UNWRITTEN", "SharedMistake", "grouped", "grouped_notes"]


@dataclass(frozen=True)
class SharedMistake:
    """One diagnosis and the students who received it."""

    id: str
    diagnosis: str
    example: str  # one of the messages in full
    students: tuple[str, ...]  # by name

    @property
    def count(self) -> int:
        return len(self.students)


def grouped(found: Iterable[tuple[str, Finding]]) -> list[SharedMistake]:
    """Groups pairs of student and finding into mistakes, most frequent first; each student counts once.

    Findings of one task with the same mistake id, its own or of a general kind, are one mistake.
    """
    groups: dict[tuple[str, ...], list[tuple[str, Finding]]] = {}
    for student, finding in found:
        if finding:
            groups.setdefault(finding.key, []).append((student, finding))
    mistakes = [
        SharedMistake(members[0][1].mistake, members[0][1].diagnosis, str(members[0][1]), _students(members))
        for members in groups.values()
    ]
    return _ordered(mistakes)


def grouped_notes(notes: Iterable[tuple[str, str]]) -> list[SharedMistake]:
    """The same for notes, grouped by their text."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for student, note in notes:
        groups.setdefault(note, []).append((student, note))
    return _ordered([SharedMistake("", note.rstrip("."), note, _students(members)) for note, members in groups.items()])


def _students(members: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    return tuple(sorted({student for student, _ in members}))


def _ordered(mistakes: list[SharedMistake]) -> list[SharedMistake]:
    return sorted(mistakes, key=lambda mistake: (-mistake.count, mistake.diagnosis))
