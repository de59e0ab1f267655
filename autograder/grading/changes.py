"""What became of a submission that was judged again, check by check, and why."""

from dataclasses import dataclass

from autograder.records.verdict import Verdict
from autograder.store.edition import Edition
from autograder.submissions.submitted_files import SubmittedFile


@dataclass(frozen=True)
class Regraded:
    """One submission with its earlier and its new verdict."""

    handed: SubmittedFile
    edition: Edition  # by which it was judged now
    before: Verdict | None  # None if the gradebook's verdict is unknown
    after: Verdict
    why: tuple[str, ...]  # what differs: checks, versions, seed; empty if nothing

    @property
    def same(self) -> bool:
        """Whether both verdicts are identical byte for byte."""
        return self.before is not None and self.before.to_record() == self.after.to_record()

    @property
    def changes(self) -> list[tuple[str, float | None, float | None]]:
        """(check, points before, points now) of every check whose result changed; None where it is missing."""
        before = {check.cell: check for check in self.before.checks} if self.before else {}
        after = {check.cell: check for check in self.after.checks}
        names = [*after, *(name for name in before if name not in after)]
        return [
            (name, before[name].points if name in before else None, after[name].points if name in after else None)
            for name in names
            if before.get(name) != after.get(name)
        ]
