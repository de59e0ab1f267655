"""How long to wait for the other end of a wire: a deadline that can be extended."""

import time
from collections.abc import Callable


class Deadline:
    """``seconds`` from now; at the end, ``more()`` says how many to add: if it returns 0, the deadline has expired."""

    def __init__(self, seconds: float, more: Callable[[], float] = lambda: 0.0) -> None:
        self.end, self.more = time.monotonic() + seconds, more

    def left(self) -> float:
        """Seconds left; 0 once the deadline has expired."""
        while (left := self.end - time.monotonic()) <= 0:
            if not (added := self.more()):
                return 0.0
            self.end += added
        return left
