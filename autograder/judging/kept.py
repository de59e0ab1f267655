"""One bench, kept from one call of nbgrader to the next: formgrader calls anew for every press of its button."""

import atexit
import threading
from pathlib import Path

from autograder.authoring.assignment import Assignment
from autograder.judging.bench import Bench
from autograder.judging.store import environment
from autograder.judging.verdict import Verdict
from autograder.submissions.submission import Submission

IDLE = 300.0  # seconds; a bench holds about 600 MB


class KeptBench:
    """The bench of the assignment that was judged last; closed when nothing is judged for ``idle`` seconds."""

    def __init__(self, idle: float = IDLE) -> None:
        self.idle = idle
        self.bench: Bench | None = None
        self._for: tuple[object, ...] = ()
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    def prepare(self, assignment: Assignment, root: Path) -> None:
        """Have a bench for the assignment, as the course is on disk now: the one that is there, or a new one.

        Raises:
            SandboxUnavailable: nothing can be judged.
        """
        from autograder.judging.judge import Judge

        wanted = (assignment, root, environment(root, assignment.given), Judge)
        with self._lock:
            if self.bench is None or self.bench.judge is None or self._for != wanted:
                self.close()
                self.bench, self._for = Bench(assignment, root).__enter__(), wanted
            self._wait()

    def verdict(self, submission: Submission, seed: int) -> Verdict:
        """The verdict on a submission to the assignment that was prepared for."""
        with self._lock:
            try:
                return self.bench.verdict(submission, seed)
            finally:
                self._wait()

    def close(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self.bench is not None:
                self.bench.close()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self.idle, self.close)
        self._timer.daemon = True
        self._timer.start()


KEPT = KeptBench()
atexit.register(KEPT.close)
