"""A warm sandbox: one box around a process that has imported torch, from which each submission gets a fork of its own.

The box has no network, no environment, no files but a read-only interpreter, its libraries and the modules that
the exercise gives. Inside, the worker forks once per submission into fresh namespaces without any privilege
(:mod:`autograder.sandbox.worker`). Where any part of this cannot be had, nothing runs: :class:`SandboxUnavailable`
says what failed and how to mend it.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from autograder.sandbox import bubblewrap
from autograder.sandbox.box import Box, Start
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session, start
from autograder.sandbox.worker import IMPORT


class Sandbox:
    """The boxed worker of one exercise: ``with Sandbox(root, given, limits) as sandbox: session = sandbox.open()``."""

    def __init__(
        self, root: Path, given: tuple[str, ...], limits: Limits, start_box: Start = bubblewrap.start_warm
    ) -> None:
        self.root, self.given, self.limits, self.start_box = root, given, limits, start_box
        self.begun: Box | None = None

    def begin(self) -> None:
        """Starts the box, for which entering waits: so that there is time for something else meanwhile."""
        self.begun = self.start_box(self.root, self.given, self.limits)

    def __enter__(self) -> "Sandbox":
        if self.begun is None:
            self.begin()
        self.box, self.begun = self.begun.wait(), None
        return self

    def __exit__(self, *exception: object) -> None:
        self.box.stop()

    def open(self, seconds: float = 20.0) -> Session:
        """A fresh fork of the warm worker, in namespaces of its own."""
        return start(self.box, self.limits, seconds)

    def make_imports(self, names: Iterable[str]) -> None:
        """Has the worker import what takes long, before it forks next."""
        with suppress(OSError):  # who opens the next session is told that the worker is gone
            self.box.control.send(IMPORT + " ".join(names).encode())
