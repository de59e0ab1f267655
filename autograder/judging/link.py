"""The line to one learner's process: requests and replies, each by a deadline, and what it means when it breaks."""

import time
from typing import Any

from autograder.expect import AnswerError
from autograder.judging.trust import Allowance, spoken
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Closed, OutOfTime, WireError

# How a session ended → why its link broke; by everything else the learner's code ended it. Signal 9 cannot come from
# within, where the process is the first of its namespace, and a warden that says nothing is gone.
ENDS = {"memory": "memory", "processes": "processes", "cpu": "cpu", "signal 9": "cut", "killed": "cut"}


class LinkBroken(BaseException):
    """The learner's process is no longer to be reached or believed. Not an Exception: no check may catch it."""

    def __init__(self, reason: str, subject: str, waited: float = 0.0) -> None:
        super().__init__(f"{subject}: {reason}")
        self.reason = reason  # "timeout", "memory", "processes", "cpu", "flood", "spent", "crashed" or "tampered"
        self.subject = subject
        self.waited = waited  # seconds until nothing of the process was left


class Link:
    """Requests to one session, each by a deadline."""

    def __init__(self, session: Session, call_seconds: float, end: float, allowance: Allowance | None = None) -> None:
        self.session, self.call_seconds, self.end = session, call_seconds, end
        self.allowance = allowance or Allowance()

    def request(self, subject: str, **message: Any) -> dict[str, Any]:
        """Sends a message about ``subject`` and returns the reply; raises AnswerError for what the answer raised."""
        deadline = min(time.monotonic() + self.call_seconds, self.end)
        before = self.session.wire.received
        try:
            self.session.wire.send(message, deadline)
            reply = self.session.wire.receive(deadline)
        except OutOfTime:
            raise self.broken(subject, "timeout") from None
        except Closed:
            raise self.broken(subject) from None
        except WireError as error:
            raise self.tampered(subject, str(error)) from None
        self.allowance.take(self.session.wire.received - before)
        if self.allowance.left < 0:
            raise self.broken(subject, "flood")
        if not isinstance(reply, dict):
            raise self.tampered(subject, "the reply is not a dictionary")
        raised = reply.get("raised")
        if isinstance(raised, dict):
            kind, detail, line = (raised.get(field) for field in ("kind", "detail", "line"))
            raise AnswerError(spoken(kind, 80) or "an exception", spoken(detail), spoken(line, 200))
        return reply

    def tampered(self, subject: str, why: str) -> LinkBroken:
        return self.broken(f"{subject} ({why})", "tampered")

    def broken(self, subject: str, reason: str = "") -> LinkBroken:
        """Ends the session, whose end says why the link broke unless a reason is known; the caller raises this."""
        start = time.monotonic()
        end = self.session.end()
        return LinkBroken(reason or ENDS.get(end, "crashed"), subject, time.monotonic() - start)
