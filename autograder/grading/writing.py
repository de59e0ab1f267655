"""Verdicts go into gradebook and feedback as they come in, while others are still being judged."""

import importlib
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.authoring.assignment import Assignment
from autograder.gradebook.database import GradebookError, Progress
from autograder.judging.verdict import Verdict
from autograder.reader.process import READER
from autograder.submissions.collected import Handed

if TYPE_CHECKING:
    from autograder.gradebook.writer import Entry, Writer


class Writing:
    """``with Writing(…) as writing: writing.enter(handed, verdict, key)``.

    The gradebook is opened for the first of them: a run that has nothing to write makes none. If it refuses, the
    judging goes on without it, and leaving the block raises GradebookError: what is not written, the next run writes.
    """

    def __init__(
        self, root: Path, output: Path, assignment: Assignment, progress: Progress, database: str = ""
    ) -> None:
        self.root, self.output, self.assignment, self.progress = root, output, assignment, progress
        self.database = database  # the gradebook's address; empty for the course's own
        self.open = ExitStack()
        self.writer: Writer | None = None
        self.refused: GradebookError | None = None
        self.importing: threading.Thread | None = None

    def __enter__(self) -> "Writing":
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        self.open.close()
        if self.refused is not None and kind is None:
            raise self.refused

    def prepare(self) -> None:
        """Makes the imports, which take a second, while the judges get warm; nothing is opened yet."""
        READER.prepare("read", "render")
        self.importing = threading.Thread(target=make_imports, daemon=True)
        self.importing.start()

    def lacks(self, handed: Handed, verdict: Verdict, key: str) -> bool:
        """Is there something to write? Not once the gradebook has refused."""
        writer, entry = self._opened(), self._entry(handed, verdict, key)
        return writer is not None and not writer.has(entry)

    def enter(self, handed: Handed, verdict: Verdict, key: str) -> None:
        """Writes what is not written yet, unless the gradebook has refused before."""
        writer, entry = self._opened(), self._entry(handed, verdict, key)
        if writer is None:
            return
        try:
            if not writer.has(entry):
                writer.enter(entry)
        except GradebookError as error:
            self.refused = error

    def _entry(self, handed: Handed, verdict: Verdict, key: str) -> "Entry":
        from autograder.gradebook.writer import Entry

        return Entry(handed, verdict, key)

    def _opened(self) -> "Writer | None":
        """The writer, opened for the first that asks; none once the gradebook has refused."""
        with interrupts_waiting():
            if self.importing is not None:
                self.importing.join()  # two threads that import modules which import each other may meet halfway
            from autograder.gradebook.writer import Writer

        if self.refused is not None:
            return None
        try:
            if self.writer is None:
                writer = Writer(self.root, self.output, self.assignment, self.progress, self.database)
                self.writer = self.open.enter_context(writer)
        except GradebookError as error:
            self.refused = error
        return self.writer


def make_imports() -> None:
    with suppress(Exception):  # raised again, and told, where the writer is needed
        importlib.import_module("autograder.gradebook.writer")


@contextmanager
def interrupts_waiting() -> Iterator[None]:
    """Ctrl-C comes when the block is left: raised in the midst of nbgrader's imports, it would be swallowed there."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, frame: came.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    for number in came:
        signal.raise_signal(number)
