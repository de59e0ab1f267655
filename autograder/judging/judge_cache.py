"""One judge, kept between calls of nbgrader: formgrader makes a new call for every press of its button."""

import atexit
import threading
from pathlib import Path

from autograder.assignments.assignment import Assignment
from autograder.judging import judge as judges
from autograder.records.verdict import Verdict
from autograder.store.versions import environment
from autograder.submissions.submission import Submission

IDLE = 300.0  # seconds; a judge holds about 600 MB


class JudgeCache:
    """The judge of the assignment graded last; closed after ``idle`` seconds without a submission."""

    def __init__(self, idle: float = IDLE) -> None:
        self.idle = idle
        self.judge: judges.RetryingJudge | None = None
        self._for: tuple[object, ...] = ()
        self._lock = threading.RLock()
        self._timer = threading.Timer(idle, self.close)

    def prepare(self, assignment: Assignment, root: Path) -> None:
        """Makes a judge ready for the assignment, reusing the current one unless the course on disk has changed.

        Raises:
            SandboxUnavailable: no judge can be started.
        """
        wanted = (assignment, root, environment(root, assignment.given), judges.Judge)
        with self._lock:
            if self.judge is None or self.judge.judge is None or self._for != wanted:
                self.close()
                self.judge, self._for = judges.RetryingJudge(assignment, root).__enter__(), wanted
            self._wait()

    def verdict(self, submission: Submission, seed: int) -> Verdict:
        """The verdict on a submission to the prepared assignment."""
        with self._lock:
            assert self.judge is not None
            try:
                return self.judge.verdict(submission, seed)
            finally:
                self._wait()

    def close(self) -> None:
        with self._lock:
            self._timer.cancel()
            if self.judge is not None:
                self.judge.close()

    def _wait(self) -> None:
        self._timer.cancel()
        self._timer = threading.Timer(self.idle, self.close)
        self._timer.daemon = True
        self._timer.start()


CACHE = JudgeCache()
atexit.register(CACHE.close)
