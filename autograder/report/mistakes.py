"""A class's mistakes: what several learners did wrong in the same way."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.finding import KINDS, UNDEFINED, Finding


@dataclass(frozen=True)
class SharedMistake:
    """One diagnosis and the students who received it."""

    id: str
    task: str  # empty if it is not known, or the diagnosis names it
    diagnosis: str
    example: str  # one of the messages in full
    students: tuple[str, ...]  # by name

    @property
    def count(self) -> int:
        return len(self.students)

    @property
    def label(self) -> str:
        """The diagnosis, after the task if it is known."""
        return f"`{self.task}`: {self.diagnosis}" if self.task else self.diagnosis


def grouped(pairs: Iterable[tuple[str, Finding]]) -> list[SharedMistake]:
    """Groups pairs of student and finding into mistakes, most frequent first; each student counts once.

    Findings of one task with the same mistake id, its own or of a general kind, are one mistake.
    """
    groups: dict[tuple[str, ...], dict[str, Finding]] = defaultdict(dict)
    for student, finding in pairs:
        if finding:
            groups[finding.key].setdefault(student, finding)
    mistakes = []
    for members in groups.values():
        findings = list(members.values())
        first, task = findings[0], findings[0].task.rpartition(".")[2]
        mistakes.append(SharedMistake(first.mistake, task, _diagnosis(findings), str(first), tuple(sorted(members))))
    return sorted(mistakes, key=lambda mistake: (-mistake.count, mistake.diagnosis))


def _diagnosis(findings: list[Finding]) -> str:
    """What holds for all: without the result's name if they differ in it, with the undefined name if they do not."""
    first = findings[0]
    if first.mistake in KINDS and len({finding.diagnosis for finding in findings}) > 1:
        return KINDS[first.mistake]
    undefined = {match[0] for finding in findings if (match := UNDEFINED.search(finding.got))}
    return f"{first.diagnosis}: {undefined.pop()}" if len(undefined) == 1 else first.diagnosis
