"""What an output folder holds of the runs before: by assignment and student."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.judging.circumstances import Circumstances
from autograder.submissions.collected import Handed, collected


@dataclass(frozen=True)
class Recorded:
    """One student's work for one assignment, as it stands in the gradebook of ``output``."""

    output: Path
    assignment: str
    student: str

    @cached_property
    def key(self) -> str:
        """Of the verdict that the gradebook was written by; empty where there is none."""
        try:
            mark = (self.output / "written" / self.assignment / f"{self.student}.txt").read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""
        return mark.partition("\n")[0]

    @cached_property
    def circumstances(self) -> Circumstances:
        return Circumstances.get(self.output, self.key) if self.key else Circumstances()

    @property
    def seconds(self) -> float:
        """How long its judging took; 0 where that is not known."""
        return self.circumstances.seconds


def recorded(output: Path) -> Iterator[tuple[Handed, Recorded]]:
    """Every submission that was staged for the gradebook, from its copy, as it was when it was graded."""
    folder = output / "staged"
    for copy in collected(folder) if folder.is_dir() else []:
        one = Recorded(output, copy.assignment, copy.student)
        then = one.circumstances
        path = None if then.problem else copy.path
        yield Handed(copy.student, copy.assignment, path, then.notes, then.problem or copy.problem, copy.timestamp), one


def without_copy(output: Path, assignment: str | None, students: Sequence[str]) -> list[tuple[str, str]]:
    """Assignment and student of what the gradebook holds, graded by ``nbgrader autograde`` perhaps, without a copy."""
    if not (output / "gradebook.db").is_file():
        return []
    from nbgrader.api import Gradebook

    copies = {(one.assignment, one.student) for _, one in recorded(output)}
    with Gradebook(f"sqlite:///{(output / 'gradebook.db').resolve()}") as gradebook:
        held = {(of.name, submission.student.id) for of in gradebook.assignments for submission in of.submissions}
    return sorted(
        (of, student)
        for of, student in held - copies
        if assignment in (None, of) and (not students or student in students)
    )
