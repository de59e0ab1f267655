"""How long the judge waits for one submission: delays of a busy machine do not count."""

import time

BUSY_SECONDS = 60.0  # limit on the total delay that is excused


class TimeBudget:
    """``seconds`` from now for the whole submission, plus up to BUSY_SECONDS for delays that are not its own."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.busy_left = BUSY_SECONDS

    def left(self) -> float:
        """Seconds that the submission has left."""
        return max(0.0, self.end - time.monotonic())

    def excuse(self, seconds: float) -> float:
        """Extends the budget by a delay that was not the submission's own; returns the seconds granted."""
        granted = min(seconds, self.busy_left)
        self.busy_left -= granted
        self.end += granted
        return granted
