"""The class's mistakes: findings of checks grouped by mistake id, and notes grouped by their text."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.finding import Finding


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
    groups: dict[tuple[str, ...], dict[str, Finding]] = defaultdict(dict)
    for student, finding in found:
        if finding:
            groups[finding.key].setdefault(student, finding)
    mistakes = []
    for members in groups.values():
        first = next(iter(members.values()))
        mistakes.append(SharedMistake(first.mistake, first.diagnosis, str(first), tuple(sorted(members))))
    return sorted(mistakes, key=lambda mistake: (-mistake.count, mistake.diagnosis))


def grouped_notes(notes: Iterable[tuple[str, str]]) -> list[SharedMistake]:
    """The same for notes, grouped by their text."""
    return grouped((student, Finding(got=note)) for student, note in notes)
