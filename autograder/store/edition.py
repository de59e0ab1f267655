"""What judges an assignment now: its notebook, the grader and the library, and the versions of what they rely on."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from autograder.assignments.assignment import Assignment
from autograder.records.verdict import Verdict
from autograder.store.verdicts import Provenance, Stored
from autograder.store.versions import changes, environment, of_checks, versions
from autograder.submissions.submitted_files import SubmittedFile


@dataclass(frozen=True)
class Edition:
    """An assignment, and what its verdicts depend on besides submissions and the seed."""

    assignment: Assignment
    versions: dict[str, str]
    environment: str  # a digest of all versions and given files

    @classmethod
    def of(cls, root: Path, assignment: Assignment) -> "Edition":
        """As it is now."""
        current = versions(root) | of_checks(root, assignment.check_modules)
        return cls(assignment, current, environment(root, assignment.given))

    def key(self, submitted: SubmittedFile, seed: int) -> str:
        """The key of a verdict on this submission: a digest of all that the verdict depends on.

        The learner is included: equal files need not get equal verdicts, and a later run must not change either.
        """
        student = hashlib.sha256(submitted.student.encode("utf-8", "surrogatepass")).hexdigest()
        parts = (student, submitted.digest(), self.assignment.name, self.assignment.text, self.environment, str(seed))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def provenance(self, submitted: SubmittedFile, verdict: Verdict) -> Provenance:
        """Of a verdict that was made now."""
        times = {cell.cell: cell.seconds for cell in verdict.cells}
        named = (submitted.digest(), digest(self.assignment), self.versions, submitted.notes, submitted.problem)
        return Provenance(*named, verdict.seconds, times)

    def differences(self, before: Stored, seed: int) -> tuple[str, ...]:
        """What differs from when the submission was judged before: checks, versions, seed; empty if nothing does."""
        if before.verdict is None:
            return ("its earlier verdict is unknown",)
        differing = [] if before.provenance.checks in ("", digest(self.assignment)) else ["different checks"]
        differing += changes(before.provenance.versions, self.versions)
        return (*differing, *(["different seed"] if before.verdict.seed != seed else []))


def digest(assignment: Assignment) -> str:
    return hashlib.sha256(assignment.text.encode()).hexdigest()
