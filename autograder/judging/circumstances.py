"""How verdicts came about: what they were verdicts on, in which environment, and how long it took.

These lie beside the verdicts, in files of their own: circumstances differ from run to run, verdicts may not.
"""

import json
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

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

    def put(self, output: Path, key: str) -> None:
        """Not durable: a verdict whose circumstances a power cut took away is still a verdict."""
        place = _path(output, key)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @classmethod
    def get(cls, output: Path, key: str) -> "Circumstances":
        """Unknown circumstances where there are none, or no whole ones."""
        try:
            record = json.loads(_path(output, key).read_text(encoding="utf-8"))
            return cls(**{**record, "notes": tuple(record["notes"]), "seconds": float(record["seconds"])})
        except (OSError, ValueError, TypeError, KeyError):
            return cls()


def digest(assignment: Assignment) -> str:
    return sha256(assignment.text.encode()).hexdigest()


def _path(output: Path, key: str) -> Path:
    return output / "circumstances" / f"{key}.json"
