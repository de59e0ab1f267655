"""The line to one learner's process: requests and replies, each by a deadline, and what it means when it breaks."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograder.judging.patience import Patience
from autograder.judging.trust import Allowance, answer_error, spoken
from autograder.sandbox.deadline import Deadline
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Closed, OutOfTime, WireError

# How a session ended → why its link broke; by everything else the learner's code ended it. Signal 9 cannot come from
# within, where the process is the first of its namespace, and a warden that says nothing is gone.
LIMITS = ("memory", "processes", "cpu")
ENDS = {limit: limit for limit in LIMITS} | {"signal 9": "cut", "killed": "cut"}
LEAST = 0.05  # seconds of waiting for the processor that are worth putting a deadline off


class LinkBroken(BaseException):
    """The learner's process is no longer to be reached or believed. Not an Exception: no check may catch it."""

    def __init__(self, reason: str, subject: str, waited: float = 0.0) -> None:
        super().__init__(f"{subject}: {reason}")
        self.reason = reason  # "timeout", "memory", "processes", "cpu", "flood", "spent", "crashed" or "tampered"
        self.subject = subject
        self.waited = waited  # seconds until nothing of the process was left


class Link:
    """Requests to one session, each by a deadline, which is put off while the machine is busy with others."""

    def __init__(
        self, session: Session, call_seconds: float, patience: Patience, allowance: Allowance | None = None
    ) -> None:
        self.session, self.call_seconds, self.patience = session, call_seconds, patience
        self.allowance = allowance or Allowance()
        self.serve: Callable[[dict[str, Any]], dict[str, Any]] | None = None  # asked for what a check lends
        self.waited = 0.0  # seconds for which the session was ready to run and could not, as far as is known

    def request(self, subject: str, **message: Any) -> dict[str, Any]:
        """Sends a message about ``subject`` and returns the reply; raises AnswerError for what the answer raised."""
        deadline = self.deadline()
        self.post(subject, deadline, **message)
        return self.reply(subject, deadline)

    def deadline(self) -> Deadline:
        """Of one call."""
        return Deadline(min(self.call_seconds, self.patience.left()), self.more)

    def post(self, subject: str, deadline: Deadline | None = None, /, **message: Any) -> None:
        """Sends a message, whose replies are then asked for one by one."""
        with self.told(subject):
            self.session.wire.send(message, deadline or self.deadline())

    def reply(self, subject: str, deadline: Deadline | None = None) -> dict[str, Any]:
        """The next reply; raises AnswerError for what the answer raised."""
        deadline, before = deadline or self.deadline(), self.session.wire.received
        with self.told(subject):
            reply = self.session.wire.receive(deadline)
            while isinstance(reply, dict) and "ask" in reply:  # of what a check has lent to the answer
                if not deadline.left():
                    raise OutOfTime
                self.session.wire.send(self.served(subject, reply, before), deadline)
                before = self.session.wire.received
                reply = self.session.wire.receive(deadline)
        self.weigh(subject, before)
        if not isinstance(reply, dict):
            raise self.tampered(subject, "the reply is not a dictionary")
        raised = reply.get("raised")
        if isinstance(raised, dict):
            kind, detail, line = (raised.get(field) for field in ("kind", "detail", "line"))
            listed = raised.get("kinds")
            kinds = tuple(spoken(one, 80) for one in listed[:12]) if isinstance(listed, list) else ()
            raise answer_error(spoken(kind, 80) or "an exception", spoken(detail), spoken(line, 200), kinds)
        return reply

    @contextmanager
    def told(self, subject: str) -> Iterator[None]:
        """What goes wrong on the wire, as a broken link."""
        try:
            yield
        except OutOfTime:
            raise self.broken(subject, "timeout") from None
        except Closed:
            raise self.broken(subject) from None
        except WireError as error:
            raise self.tampered(subject, str(error)) from None

    def served(self, subject: str, message: dict[str, Any], before: int) -> dict[str, Any]:
        """What the answer is told of what it has been lent."""
        self.weigh(subject, before)
        if self.serve is None:
            raise self.tampered(subject, "it was lent nothing")
        return self.serve(message)

    def weigh(self, subject: str, before: int) -> None:
        self.allowance.take(self.session.wire.received - before)
        if self.allowance.left < 0:
            raise self.broken(subject, "flood")

    def more(self) -> float:
        """Seconds that the learner's code waited for the processor, since this was last asked, and may have back."""
        before, self.waited = self.waited, max(self.waited, self.session.waited())
        since = self.waited - before
        return self.patience.excuse(since) if since > LEAST else 0.0

    def tampered(self, subject: str, why: str) -> LinkBroken:
        return self.broken(f"{subject} ({why})", "tampered")

    def broken(self, subject: str, reason: str = "") -> LinkBroken:
        """Ends the session, whose end says why the link broke unless a reason is known; the caller raises this.

        What passed a limit is late because of it.
        """
        start = time.monotonic()
        end = self.session.end()
        if reason == "timeout" and end in LIMITS:
            reason = end
        return LinkBroken(reason or ENDS.get(end, "crashed"), subject, time.monotonic() - start)
