"""What is to be judged: the cells of one submission in order, and the rules they run under."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Cell:
    """One code cell. Sources of kind "check" come from the instructor's notebook, never from the submission."""

    name: str  # grade id, or "cell 7" for a cell of the learner's own
    kind: Literal["code", "check"]
    source: str
    max_points: float = 0.0  # of a check


@dataclass(frozen=True)
class Limits:
    """What one submission may use; time in seconds, sizes in bytes."""

    cell_seconds: float = 10.0  # wall time of one cell, or of one call from a check
    total_seconds: float = 120.0  # wall time of the whole submission
    memory: int = 6 * 2**30  # address space: torch alone maps about 4 GiB
    file: int = 64 * 2**20  # one file, and all of /tmp
    output: int = 2**20  # printed text and pictures of one cell
    processes: int = 64
    open_files: int = 256


@dataclass(frozen=True)
class Job:
    """One submission, ready for the judge."""

    cells: tuple[Cell, ...]
    seed: int
    imports: str = ""  # import statements of the instructor's notebook, for check cells that rely on them
    limits: Limits = field(default_factory=Limits)
