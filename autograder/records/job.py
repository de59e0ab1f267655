"""A job for the judge: the cells of one submission in order, and the limits they run under."""

from dataclasses import dataclass, field
from typing import Literal

from autograder.records.limits import Limits


@dataclass(frozen=True)
class Cell:
    """One code cell. Sources of kind "check" come from the instructor's notebook, never from the submission."""

    name: str  # grade id, or "cell 7" for a cell that the learner added
    kind: Literal["code", "check"]
    source: str
    max_points: float = 0.0  # of a check


@dataclass(frozen=True)
class Job:
    """One submission, ready for the judge."""

    cells: tuple[Cell, ...]
    seed: int
    imports: str = ""  # code from the instructor's notebook that check cells rely on: imports, helpers, constants
    limits: Limits = field(default_factory=Limits)

    @property
    def checks(self) -> dict[str, float]:
        """Grade id → points, of the check cells."""
        return {cell.name: cell.max_points for cell in self.cells if cell.kind == "check"}
