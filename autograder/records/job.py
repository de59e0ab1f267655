"""A job for the judge: the cells of one submission in order, and the limits they run under."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Limits:
    """Limits in seconds and bytes, for all processes of a submission together unless stated otherwise."""

    cell_seconds: float = 10.0  # wall time of one cell or of one call from a check, excluding delays of a busy machine
    total_seconds: float = 120.0  # of the whole submission, counted likewise
    cpu_seconds: float = 120.0  # CPU time
    memory: int = 2 * 2**30  # resident
    address_space: int = 6 * 2**30  # of one process, of which torch maps about 4 GiB; 0: any (CUDA maps terabytes)
    file: int = 64 * 2**20  # one file
    disk: int = 64 * 2**20  # all files, in /tmp and /dev/shm
    files: int = 4096  # number of files and folders there
    output: int = 2**20  # printed text and pictures of one cell
    processes: int = 64  # including threads
    open_files: int = 256  # of one process


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
