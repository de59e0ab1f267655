"""The connection to one learner's process: requests and replies with deadlines, and why a connection broke."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograder.judging.sanitise import answer_error, printable
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Closed, Deadline, OutOfTime, WireError

# How a session ended → why its client broke; any other end was caused by the learner's code. Signal 9 cannot come from
# inside, where the process is the first of its namespace, and a silent supervisor was itself killed.
LIMITS = ("memory", "processes", "cpu")
CUT = "cut"
ENDS = {limit: limit for limit in LIMITS} | {"signal 9": CUT, "killed": CUT}
LEAST = 0.05  # seconds of waiting for the CPU; less does not extend a deadline
BUSY_SECONDS = 60.0  # limit on the total delay that is excused
MAX_RECEIVED = 256 * 2**20  # bytes for one cell: many times what any honest answer needs


class Budget:
    """``seconds`` of waiting for a submission, and of these some for each cell, so that one cannot use up the others'.

    Up to BUSY_SECONDS more for delays that are not its own; and for each cell a number of bytes.
    """

    def __init__(self, seconds: float) -> None:
        self.stopped = time.monotonic()  # 0 while its time runs
        self.end = self.stopped + seconds
        self.busy_left = BUSY_SECONDS
        self.begin(seconds)

    def begin(self, seconds: float) -> None:
        """The next cell begins, which has ``seconds``."""
        self.cell_end = self._now() + seconds
        self.bytes_left = MAX_RECEIVED

    @contextmanager
    def running(self) -> Iterator[None]:
        """Its time runs; what passes in between is the grader's own, and depends on what else the machine does."""
        if not self.stopped:  # it runs already
            yield
            return
        passed = time.monotonic() - self.stopped
        self.end, self.cell_end, self.stopped = self.end + passed, self.cell_end + passed, 0.0
        try:
            yield
        finally:
            self.stopped = time.monotonic()

    def left(self) -> float:
        """Seconds left of the submission's."""
        return max(0.0, self.end - self._now())

    def cell_left(self) -> float:
        """Seconds left of the current cell's."""
        return max(0.0, min(self.end, self.cell_end) - self._now())

    def _now(self) -> float:
        return self.stopped or time.monotonic()

    def excuse(self, seconds: float) -> float:
        """Extends the budget by a delay that was not the submission's own; returns the seconds granted."""
        granted = min(seconds, self.busy_left)
        self.busy_left -= granted
        self.end += granted
        self.cell_end += granted
        return granted


class AnswerLost(BaseException):
    """The learner's process can no longer be reached or trusted. Not an Exception: no check may catch it."""

    def __init__(self, reason: str, subject: str, waited: float = 0.0) -> None:
        super().__init__(f"{subject}: {reason}")
        self.reason = reason  # a key of autograder.judging.evaluation.BREACHES
        self.subject = subject
        self.waited = waited  # seconds until the process tree was gone


class AnswerClient:
    """Sends requests to one session, each with a deadline that is extended while the machine is busy with others."""

    def __init__(self, session: Session, call_seconds: float, budget: Budget) -> None:
        self.session, self.call_seconds, self.budget = session, call_seconds, budget
        self.waited = 0.0  # seconds for which the session is known to have been ready to run but not scheduled

    def request(self, subject: str, **message: Any) -> dict[str, Any]:
        """Sends a message about ``subject`` and returns the reply; raises AnswerError for what the answer raised."""
        deadline = self.deadline()
        self.post(subject, deadline, **message)
        return self.reply(subject, deadline)

    def deadline(self) -> Deadline:
        return Deadline(min(self.call_seconds, self.budget.cell_left()), self.more)

    def post(self, subject: str, deadline: Deadline | None = None, /, **message: Any) -> None:
        """Sends a message; ``reply()`` then reads its replies one by one."""
        with self.wire_errors(subject):
            self.session.wire.send(message, deadline or self.deadline())

    def reply(self, subject: str, deadline: Deadline | None = None) -> dict[str, Any]:
        """The next reply; raises AnswerError for what the answer raised."""
        deadline = deadline or self.deadline()
        with self.wire_errors(subject):
            reply = self.received(subject, deadline)
        if not isinstance(reply, dict):
            raise self.tampered(subject, "the reply is not a dictionary")
        raised = reply.get("raised")
        if isinstance(raised, dict):
            kind, detail, line = (raised.get(field) for field in ("kind", "detail", "line"))
            listed = raised.get("kinds")
            kinds = tuple(printable(name, 80) for name in listed[:12]) if isinstance(listed, list) else ()
            raise answer_error(printable(kind, 80) or "an exception", printable(detail), printable(line, 200), kinds)
        return reply

    @contextmanager
    def wire_errors(self, subject: str) -> Iterator[None]:
        """Turns errors of the wire into AnswerLost; meanwhile the answer's time runs."""
        try:
            with self.budget.running():
                yield
        except OutOfTime:
            raise self.broken(subject, "timeout") from None
        except Closed:
            raise self.broken(subject) from None
        except WireError as error:
            raise self.tampered(subject, str(error)) from None

    def received(self, subject: str, deadline: Deadline) -> Any:
        """The next message, charged to the budget."""
        before = self.session.wire.received
        message = self.session.wire.receive(deadline)
        self.budget.bytes_left -= self.session.wire.received - before
        if self.budget.bytes_left < 0:
            raise self.broken(subject, "flood")
        return message

    def more(self) -> float:
        """Seconds that the learner's code waited for the CPU since the last call, as far as the budget excuses them."""
        before, self.waited = self.waited, max(self.waited, self.session.waited())
        since = self.waited - before
        return self.budget.excuse(since) if since > LEAST else 0.0

    def tampered(self, subject: str, why: str) -> AnswerLost:
        return self.broken(f"{subject} ({why})", "tampered")

    def broken(self, subject: str, reason: str = "") -> AnswerLost:
        """Ends the session and returns the exception to raise; without a ``reason``, the session's end gives it.

        A timeout after a limit was exceeded is reported as that limit.
        """
        start = time.monotonic()
        with self.budget.running():
            end = self.session.end()
        if reason == "timeout" and end in LIMITS:
            reason = end
        return AnswerLost(reason or ENDS.get(end, "crashed"), subject, time.monotonic() - start)
