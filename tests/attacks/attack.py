"""One submission that means harm, or is merely broken, with what it deserves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Notebook = dict[str, Any]
Change = Callable[[Notebook], "Notebook | bytes"]


@dataclass(frozen=True)
class Attack:
    """``source`` becomes a cell of the learner's own at ``place``, or ``change`` makes the file.

    place: "first" (before the instructor's imports), "early" (after them), "last", or the grade id of the answer
    cell that it replaces. A poor notebook has task 1 right (2 points) and answers everything else wrongly;
    a rich one has everything right (20 points).
    """

    name: str
    wants: str
    source: str = ""
    place: str = "early"
    rich: bool = False
    change: Change | None = None
    points: float | None = None  # that it honestly deserves: 2 of a poor notebook and 20 of a rich one unless said
    status: str = ""  # "failed" of a poor notebook and "ok" of a rich one unless said; "a|b" where the limits race
    honest: bool = False  # no ill will: whoever gives fewer points than it deserves punishes honest work
    folder: str = ""  # how the file is laid down where it is no plain file: "link", "folder" or "pipe"

    @property
    def deserves(self) -> float:
        return self.points if self.points is not None else 20.0 if self.rich else 2.0

    @property
    def ends(self) -> tuple[str, ...]:
        """The statuses that its verdict may have."""
        return tuple(self.status.split("|")) if self.status else ("ok" if self.deserves == 20 else "failed",)
