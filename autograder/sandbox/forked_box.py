"""A warm sandbox: one box around a process that has imported torch, which is forked for each submission.

The box has no network, no environment, no files but a read-only interpreter, its libraries and the exercise's
given modules. Inside, the worker forks once per submission into fresh namespaces without any privilege
(:mod:`autograder.sandbox.worker`). If any part of this is unavailable, nothing runs: :class:`SandboxUnavailable`
says what failed and how to fix it.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from autograder.records.limits import Limits
from autograder.sandbox import bubblewrap
from autograder.sandbox.box import Box, Start
from autograder.sandbox.session import Session, start
from autograder.sandbox.worker import IMPORT


class Sandbox:
    """The boxed worker of one exercise: ``with Sandbox(root, given, limits) as sandbox: session = sandbox.open()``."""

    def __init__(
        self, root: Path, given: tuple[str, ...], limits: Limits, start_box: Start = bubblewrap.start_warm
    ) -> None:
        self.root, self.given, self.limits, self.start_box = root, given, limits, start_box
        self.begun: Box | None = None

    def begin(self) -> Box:
        """Starts the box, so that the caller can do something else before ``__enter__`` waits for it."""
        self.begun = self.start_box(self.root, self.given, self.limits)
        return self.begun

    def __enter__(self) -> "Sandbox":
        self.box, self.begun = (self.begun or self.begin()).wait(), None
        return self

    def __exit__(self, *exception: object) -> None:
        self.box.stop()

    def open(self, seconds: float = 20.0) -> Session:
        """A fresh fork of the warm worker, in namespaces of its own."""
        return start(self.box, self.limits, seconds)

    def make_imports(self, names: Iterable[str]) -> None:
        """Makes the worker import slow modules before its next fork."""
        with suppress(OSError):  # opening the next session reports that the worker is gone
            self.box.control.send(IMPORT + " ".join(names).encode())
