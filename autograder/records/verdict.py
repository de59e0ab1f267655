"""The judge's verdict on one submission: plain data that JSON preserves without loss."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from autograder.finding import NOTHING, Finding
from autograder.records.plain_data import typed

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

    @classmethod
    def without_points(
        cls, status: Status, seed: int, checks: Mapping[str, float], note: str, finding: Finding = NOTHING
    ) -> "Verdict":
        """The verdict when no check was run. ``checks``: grade id → points; ``finding``: on each of them."""
        missed = [CheckVerdict(name, 0.0, points, "not run", finding) for name, points in checks.items()]
        return cls(status, seed, missed, [], [note])

    @classmethod
    def of_fault(cls, error: BaseException, seed: int, checks: Mapping[str, float]) -> "Verdict":
        """The verdict where the grader itself failed: it is never stored and costs nobody points."""
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return cls.without_points("infrastructure", seed, checks, f"The grader failed: {reason}")

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    @property
    def max_points(self) -> float:
        return sum(check.max_points for check in self.checks)

    @property
    def is_sound(self) -> bool:
        """Whether it may be stored: made without a fault of ours, with no more points than there are."""
        return (
            self.status != "infrastructure"
            and all(check.points <= check.max_points for check in self.checks)
            and len({check.cell for check in self.checks}) == len(self.checks)
        )

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

    def with_outputs(self, outputs: list[list[dict[str, Any]]]) -> "Verdict":
        """The part that ``to_record`` omits, put back; raises ValueError if it is none, or not of as many cells."""
        cells = zip(self.cells, typed(list[list[dict[str, Any]]], outputs), strict=True)
        return replace(self, cells=[replace(cell, outputs=shown) for cell, shown in cells])

    @classmethod
    def from_json(cls, text: str) -> "Verdict":
        """The inverse of ``to_json`` or ``to_record``; raises ValueError for anything else."""
        return typed(cls, json.loads(text))
