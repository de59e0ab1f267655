"""The process of the next submission, made while the one before is examined."""

from contextlib import suppress
from typing import Protocol

from autograder.sandbox.refusal import SandboxUnavailable
from autograder.sandbox.session import Session
from autograder.sandbox.warm import Sandbox


class Room(Protocol):
    """What an examination asks of a sandbox."""

    def open(self) -> Session: ...


class Ahead:
    """A warm sandbox that has a session open before it is asked for one.

    Two submissions of one box are as far apart in time or side by side: neither sees, nor can stop, the other.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.session: Session | None = None

    @property
    def spoiled(self) -> str:
        """Why the box should take no further submission."""
        return self.sandbox.box.spoiled

    def prepare(self) -> None:
        """Opens a session for the next examination; where there is none to be had, that one will be told."""
        if self.session is None:
            with suppress(SandboxUnavailable):
                self.session = self.sandbox.open()

    def open(self) -> Session:
        """The session that is ready, or a new one; raises SandboxUnavailable where none can be had."""
        session, self.session = self.session, None
        return session or self.sandbox.open()

    def close(self) -> None:
        """Ends the session that nobody asked for."""
        if self.session is not None:
            self.session.end(2.0)
            self.session = None

    def hand_over(self) -> None:
        """Leaves the session that is ready to a fork of this process, with whose end it ends."""
        if self.session is not None:
            self.session.let_go()
            self.session = None
