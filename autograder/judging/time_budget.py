"""How long the judge waits for one submission, apart from delays of a busy machine, and how much it accepts."""

import time

BUSY_SECONDS = 60.0  # limit on the total delay that is excused
MAX_RECEIVED = 256 * 2**20  # bytes: many times what any honest answer needs


class TimeBudget:
    """``seconds`` from now for the whole submission, plus up to BUSY_SECONDS for delays that are not its own."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.busy_left = BUSY_SECONDS
        self.bytes_left = MAX_RECEIVED

    def left(self) -> float:
        """Seconds that the submission has left."""
        return max(0.0, self.end - time.monotonic())

    def excuse(self, seconds: float) -> float:
        """Extends the budget by a delay that was not the submission's own; returns the seconds granted."""
        granted = min(seconds, self.busy_left)
        self.busy_left -= granted
        self.end += granted
        return granted
