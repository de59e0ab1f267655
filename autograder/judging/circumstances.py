"""How verdicts came about: what they were verdicts on, in which environment, and how long it took.

They are kept beside the verdicts and are no part of them: circumstances differ from run to run, verdicts may not.
"""

import json
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from autograder.authoring.assignment import Assignment
from autograder.judging.verdict import Verdict
from autograder.submissions.collected import Handed


@dataclass(frozen=True)
class Circumstances:
    """Of one verdict; everything has a value for "not known"."""

    submission: str = ""  # digest of what was handed in
    checks: str = ""  # digest of the instructor's notebook
    versions: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # repairs made while the submission was collected
    problem: str = ""  # why there was nothing that could be graded
    seconds: float = 0.0
    cells: dict[str, float] = field(default_factory=dict)  # cell → seconds

    @classmethod
    def of(cls, handed: Handed, assignment: Assignment, versions: dict[str, str], verdict: Verdict) -> "Circumstances":
        times = {cell.cell: cell.seconds for cell in verdict.cells}
        named = (handed.digest(), digest(assignment), versions, handed.notes, handed.problem)
        return cls(*named, verdict.seconds, times)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Circumstances":
        """Unknown circumstances where the text is not of such."""
        try:
            record = json.loads(text)
            return cls(**{**record, "notes": tuple(record["notes"]), "seconds": float(record["seconds"])})
        except (ValueError, TypeError, KeyError):
            return cls()


def digest(assignment: Assignment) -> str:
    return sha256(assignment.text.encode()).hexdigest()
