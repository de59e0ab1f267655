"""Starts the next submission's process while the current one is being evaluated."""

from contextlib import suppress
from typing import Protocol

from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import Sandbox
from autograder.sandbox.session import Session


class SessionSource(Protocol):
    """What an evaluation needs of a sandbox."""

    def open(self) -> Session: ...


class PrefetchingSandbox:
    """A warm sandbox that opens a session before one is requested.

    Sequential or concurrent, submissions of one box are isolated: neither can see or stop the other.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.session: Session | None = None

    @property
    def spoiled(self) -> str:
        """Why the box should take no further submission."""
        return self.sandbox.box.spoiled

    def prepare(self) -> None:
        """Opens a session for the next evaluation; on failure, that evaluation's ``open()`` raises the error."""
        if self.session is None:
            with suppress(SandboxUnavailable):
                self.session = self.sandbox.open()

    def open(self) -> Session:
        """The session that is ready, or a new one; raises SandboxUnavailable if none can be opened."""
        session, self.session = self.session, None
        return session or self.sandbox.open()

    def close(self) -> None:
        """Ends the unused session."""
        if self.session is not None:
            self.session.end(2.0)
            self.session = None

    def hand_over(self) -> None:
        """Closes our end of the prefetched session: a fork of this process now owns it."""
        if self.session is not None:
            self.session.let_go()
            self.session = None
