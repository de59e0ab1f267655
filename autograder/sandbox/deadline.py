"""Until when the other end of a wire may take its time."""

import time
from collections.abc import Callable


class Deadline:
    """``seconds`` from now; when they are over, ``more`` is asked for how many to add, and none ends the matter."""

    def __init__(self, seconds: float, more: Callable[[], float] = lambda: 0.0) -> None:
        self.end, self.more = time.monotonic() + seconds, more

    def left(self) -> float:
        """Seconds that are left, 0 where it has passed for good."""
        while (left := self.end - time.monotonic()) <= 0:
            if not (added := self.more()):
                return 0.0
            self.end += added
        return left
