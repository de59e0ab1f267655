"""A cold sandbox: a fresh box for each submission, for containers without namespaces inside and for GPUs.

Each submission costs an import of torch. Isolation is as strong as the box itself: two submissions share nothing.
"""

from pathlib import Path

from autograder.records.limits import Limits
from autograder.sandbox import bubblewrap
from autograder.sandbox.box import Box, Start
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.session import Session, start


class ColdSession(Session):
    """A submission with its own box, which ends with it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.wire, session.control_socket, session.box, session.cgroup, session.supervisor)

    def end(self, seconds: float = 5.0) -> str:
        try:
            return super().end(seconds)
        finally:
            self.box.stop()


class ColdSandbox:
    """``with ColdSandbox(root, given, limits) as sandbox: session = sandbox.open()``, like the warm one."""

    def __init__(
        self, root: Path, given: tuple[str, ...], limits: Limits, start_box: Start = bubblewrap.start_cold
    ) -> None:
        self.root, self.given, self.limits, self.start_box = root, given, limits, start_box
        self.begun: Box | None = None

    def begin(self) -> Box:
        """Starts the first box; ``__enter__`` waits for it."""
        self.begun = self.start_box(self.root, self.given, self.limits)
        return self.begun

    def __enter__(self) -> "ColdSandbox":
        self.first, self.begun = (self.begun or self.begin()).wait(), None  # so that a failure shows at once
        return self

    def __exit__(self, *exception: object) -> None:
        self.first.stop()

    def open(self, seconds: float = 60.0) -> ColdSession:
        """A submission in a fresh box; raises SandboxUnavailable if it does not start."""
        try:
            box = self.first
            session = start(box, self.limits, seconds)
        except SandboxUnavailable:  # already used, maybe by a fork of this process, and maybe still busy
            box = self.start_box(self.root, self.given, self.limits).wait(seconds)
            try:
                session = start(box, self.limits, seconds)
            except BaseException:
                box.stop()
                raise
        return ColdSession(session)
