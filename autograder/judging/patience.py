"""How long the judge waits for one submission: its own time counts, that of a busy machine does not."""

import time

BUSY_SECONDS = 60.0  # how much of a busy machine's time in all


class Patience:
    """``seconds`` from now for the whole submission, and BUSY_SECONDS more for what is not its own."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.busy_left = BUSY_SECONDS

    def left(self) -> float:
        """Seconds that the submission has left."""
        return max(0.0, self.end - time.monotonic())

    def excuse(self, seconds: float) -> float:
        """Puts the end off by seconds that were not the submission's own; returns how many of them are granted."""
        granted = min(seconds, self.busy_left)
        self.busy_left -= granted
        self.end += granted
        return granted
