"""What is to be judged: the cells of one submission in order, and the rules they run under."""

from dataclasses import dataclass, field
from typing import Literal

from autograder.sandbox.limits import Limits


@dataclass(frozen=True)
class Cell:
    """One code cell. Sources of kind "check" come from the instructor's notebook, never from the submission."""

    name: str  # grade id, or "cell 7" for a cell of the learner's own
    kind: Literal["code", "check"]
    source: str
    max_points: float = 0.0  # of a check


@dataclass(frozen=True)
class Job:
    """One submission, ready for the judge."""

    cells: tuple[Cell, ...]
    seed: int
    imports: str = ""  # of the instructor's notebook, what check cells rely on: imports, helpers, constants
    limits: Limits = field(default_factory=Limits)
