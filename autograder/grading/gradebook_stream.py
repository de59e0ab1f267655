"""Writes verdicts to gradebook and feedback as they arrive, while others are still being judged."""

import importlib
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assignments.assignment import Assignment
from autograder.gradebook.database import CellsChanged, GradebookError, Step
from autograder.records.verdict import Verdict
from autograder.sandbox.reader import READER
from autograder.submissions.submitted_files import SubmittedFile

if TYPE_CHECKING:
    from autograder.gradebook.writer import Writer


class GradebookStream:
    """``with GradebookStream(…) as writing: writing.enter(handed, verdict, key)``.

    The gradebook is opened at the first verdict: a run with nothing to write creates none. If it fails, judging
    continues without it, leaving the block raises GradebookError, and the next run writes what is missing.
    Where no later run could either, CellsChanged is raised at once, lest a whole class be judged in vain.
    """

    def __init__(self, root: Path, output: Path, assignment: Assignment, progress: Step, database: str = "") -> None:
        self.root, self.output, self.assignment, self.progress = root, output, assignment, progress
        self.database = database  # the gradebook's address; empty for the default
        self.writer: Writer | None = None
        self.failure: GradebookError | None = None
        self.importing: threading.Thread | None = None

    def __enter__(self) -> "GradebookStream":
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        if self.writer is not None:
            self.writer.__exit__()
        if self.failure is not None and kind is None:
            raise self.failure

    def prepare(self) -> None:
        """Starts the imports, which take a second, while the judges warm up; opens nothing yet."""
        READER.prepare("read", "render")
        self.importing = threading.Thread(target=make_imports, daemon=True)
        self.importing.start()

    def lacks(self, handed: SubmittedFile, verdict: Verdict, key: str) -> bool:
        """Whether the entry is still to be written; False once the gradebook has failed."""
        writer = self._opened()
        return writer is not None and not writer.has(handed, verdict, key)

    def enter(self, handed: SubmittedFile, verdict: Verdict, key: str) -> None:
        """Writes the entry if it is missing, unless the gradebook has failed before."""
        if self.lacks(handed, verdict, key):
            assert self.writer is not None
            try:
                self.writer.enter(handed, verdict, key)
            except GradebookError as error:
                self.failure = error

    def _opened(self) -> "Writer | None":
        """The writer, opened at first use; None once the gradebook has failed."""
        with deferred_interrupts():
            if self.importing is not None:
                self.importing.join()  # two threads that import a cycle of modules can see one half-initialised
            from autograder.gradebook.writer import Writer

        if self.failure is not None:
            return None
        try:
            if self.writer is None:
                self.writer = Writer(self.root, self.output, self.assignment, self.progress, self.database)
        except CellsChanged:
            raise
        except GradebookError as error:
            self.failure = error
        return self.writer


def make_imports() -> None:
    with suppress(Exception):  # raised again, and reported, where the writer is needed
        importlib.import_module("autograder.gradebook.writer")


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Defers Ctrl-C to the end of the block: raised during nbgrader's imports, it would be swallowed there."""
    received: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, frame: received.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    for missed in received:
        signal.raise_signal(missed)
