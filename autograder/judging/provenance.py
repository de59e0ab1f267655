"""The provenance of verdicts: what was graded, in which environment, and how long it took.

It is stored beside the verdicts, not in them: provenance differs from run to run, verdicts must not.
"""

import json
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from autograder.authoring.assignment import Assignment
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import SubmittedFile


@dataclass(frozen=True)
class Provenance:
    """The provenance of one verdict; every field has a value for "unknown"."""

    submission: str = ""  # digest of the submission
    checks: str = ""  # digest of the instructor's notebook
    versions: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # repairs made when the submission was collected
    problem: str = ""  # why there was nothing to grade
    seconds: float = 0.0
    cells: dict[str, float] = field(default_factory=dict)  # cell → seconds

    @classmethod
    def of(
        cls, handed: SubmittedFile, assignment: Assignment, versions: dict[str, str], verdict: Verdict
    ) -> "Provenance":
        times = {cell.cell: cell.seconds for cell in verdict.cells}
        named = (handed.digest(), digest(assignment), versions, handed.notes, handed.problem)
        return cls(*named, verdict.seconds, times)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Provenance":
        """The provenance in the text, or an unknown one if the text is invalid."""
        try:
            record = json.loads(text)
            return cls(**{**record, "notes": tuple(record["notes"]), "seconds": float(record["seconds"])})
        except (ValueError, TypeError, KeyError):
            return cls()


def digest(assignment: Assignment) -> str:
    return sha256(assignment.text.encode()).hexdigest()
