"""The judge's verdict on one submission: plain data that JSON preserves without loss."""

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from autograder.finding import NOTHING, Finding

CheckStatus = Literal["passed", "partial", "failed", "not run"]
CellStatus = Literal["ok", "error", "timeout", "memory", "crashed", "not run"]
Status = Literal["ok", "failed", "timeout", "memory", "crashed", "tampered", "unreadable", "infrastructure"]


@dataclass(frozen=True)
class CheckVerdict:
    """One graded cell: its points, and the finding for the learner."""

    cell: str  # grade id
    points: float
    max_points: float
    status: CheckStatus
    finding: Finding = NOTHING  # empty when the check passed

    @property
    def message(self) -> str:
        """The finding as a sentence."""
        return str(self.finding)

    @classmethod
    def of(cls, record: dict[str, Any]) -> "CheckVerdict":
        """Builds it from plain data; raises ValueError, KeyError or TypeError if that is invalid."""
        return cls(**(record | {"finding": Finding.of(record["finding"])}))


@dataclass(frozen=True)
class CellResult:
    """One cell that ran in the sandbox: how it ended, and its outputs in nbformat's form."""

    cell: str
    status: CellStatus
    outputs: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Verdict:
    """Everything the gradebook and the feedback need about one graded submission."""

    status: Status
    seed: int
    checks: list[CheckVerdict]
    cells: list[CellResult]
    notes: list[str] = field(default_factory=list)  # repairs and incidents, shown to learner and instructor
    seconds: float = field(default=0.0, compare=False)

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def max_points(self) -> float:
        return sum(check.max_points for check in self.checks)

    def without_outputs(self) -> "Verdict":
        """The same without the cells' outputs: small enough to keep a whole class in memory."""
        return replace(self, cells=[replace(cell, outputs=[]) for cell in self.cells])

    def to_json(self) -> str:
        """The whole verdict, for another process."""
        return json.dumps(asdict(self), indent=1, sort_keys=True)

    def to_record(self) -> str:
        """The verdict without times and outputs: the same bytes whenever the submission is graded again.

        A cell may print the time or an object's address; no points depend on that.
        """
        record = asdict(self)
        del record["seconds"]
        for cell in record["cells"]:
            del cell["seconds"], cell["outputs"]
        return json.dumps(record, indent=1, sort_keys=True)

    def shown(self) -> str:
        """The part that ``to_record`` omits: each cell's outputs, in order."""
        return json.dumps([cell.outputs for cell in self.cells], indent=1, sort_keys=True)

    @classmethod
    def from_record(cls, text: str, shown: str) -> "Verdict":
        """Builds the verdict from its two parts, without times; raises ValueError if they do not belong together."""
        verdict = cls.from_json(text)
        cells = zip(verdict.cells, json.loads(shown), strict=True)
        return replace(verdict, cells=[replace(cell, outputs=outputs) for cell, outputs in cells])

    @classmethod
    def from_json(cls, text: str) -> "Verdict":
        record = json.loads(text)
        record["checks"] = [CheckVerdict.of(check) for check in record["checks"]]
        record["cells"] = [CellResult(**cell) for cell in record["cells"]]
        return cls(**record)
