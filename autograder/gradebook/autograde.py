"""``nbgrader autograde``, and formgrader's button, with our judge in place of a kernel.

nbgrader converts each submission twice, to repair and to execute it, with preprocessors that each open the gradebook.
Here the first pass does everything, with the same functions as ``python -m autograder grade``; the second pass returns
its result. nbgrader still decides which submissions are graded and where files go.
"""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import v4
from nbgrader.converters import NbGraderException
from nbgrader.converters.base import BaseConverter
from nbgrader.preprocessors import LimitOutput
from traitlets import Integer

from autograder.assignments.assignment import load
from autograder.class_table import read as class_table
from autograder.errors import UsageError
from autograder.gradebook.book import Book, FileBook, share_engines
from autograder.gradebook.full_points import faulty_tasks, with_full_points
from autograder.gradebook.graded_notebook import graded_notebook
from autograder.gradebook.nbgrader_rows import NbgraderRows, answers_before
from autograder.gradebook.register import register
from autograder.judging.judge_cache import CACHE
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.proof import require_fit
from autograder.sandbox.reader import ReaderFailed
from autograder.settings import class_folders
from autograder.store.disk import StoreError
from autograder.store.edition import Edition
from autograder.store.verdicts import Store
from autograder.submissions.limited_reading import read
from autograder.submissions.student_names import unfit
from autograder.submissions.submitted_files import LeftOut, submitted_at
from autograder.submissions.times import Clock
from autograder.terminal import plain

LINK = "it is a link, expected a folder"


class SubmissionExporter(NotebookExporter):
    """Reads a submission, however broken, gets and stores its verdict, and enters the grades."""

    seed = Integer(None, allow_none=True, help="Seed of the checks; default: the gradebook's.").tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        share_engines()
        assert self.parent is not None  # nbgrader's converter
        leave_out(self.parent)
        self.before: dict[str, str] = {}  # the learner's answers when the work was entered last
        self._keep_what_was_written(self.parent)
        self.clock = Clock.of(self.config)
        self.graded = ""  # the first pass's notebook
        self.limit = LimitOutput(parent=self)
        self.url = self.parent.coursedir.db_url
        self.root = root = Path(self.parent.coursedir.root)
        try:
            book = Book.at(self.url)
            graded = root / self.parent.coursedir.autograded_directory
            self.store = Store((book.path if isinstance(book, FileBook) else graded).parent)
            self.assignment = load(root, self.parent.coursedir.assignment_id)
            self.faulty = faulty_tasks(class_table(root), self.assignment)
            require_fit(root, *class_folders(root, graded.parent), root / self.parent.coursedir.submitted_directory)
            CACHE.prepare(self.assignment, root)
            register(self.url, self.assignment)
            with self.store as store:
                self.chosen_seed = store.seed_for(book.seed, self.seed)
                if self.seed is None:
                    store.keep_seed(self.chosen_seed)
        except (SandboxUnavailable, UsageError, StoreError) as error:
            self.log.error("Nothing was graded: %s", error)
            raise NbGraderException(str(error)) from None
        self.edition = Edition.of(root, self.assignment)
        with closing(NbgraderRows(self.url, self.assignment.name, self.config)) as rows:
            self.checksums = rows.checksums()

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[str, Any]:  # type: ignore[override]
        """Grade the submission in ``filename``; returns its graded notebook.

        Raises:
            NbGraderException: the grader failed; nothing was entered.
        """
        path, student = Path(filename), resources["nbgrader"]["student"]
        assert self.parent is not None
        if self.parent._sanitizing:
            assignment = load(self.root, self.assignment.name, student)
            if assignment.text != self.assignment.text:  # the student's own variant
                self.assignment, self.edition = assignment, replace(self.edition, assignment=assignment)
                CACHE.prepare(assignment, self.root)
            submitted = submitted_at(path, student, self.assignment.exercises, self.clock)
            try:
                submission = read(submitted.data(), self.assignment, submitted.notes, submitted.problem)
            except ReaderFailed as error:
                raise NbGraderException(f"{student}: not graded: {error}") from None
            verdict = CACHE.verdict(submission, self.chosen_seed)
            if verdict.status == "infrastructure":
                raise NbGraderException(f"{student}: not graded: {'; '.join(verdict.notes)}")
            with self.store as store:
                name = self.edition.key(submitted, self.chosen_seed)
                store.put(name, verdict, self.edition.provenance(submitted, verdict))
            entered = with_full_points(verdict, self.assignment, self.faulty)
            notebook = graded_notebook(submission, entered, self.checksums)
            notebook, _ = self.limit.preprocess(notebook, {})
            with closing(NbgraderRows(self.url, self.assignment.name, self.config)) as rows:
                rows.enter(student, notebook, submitted.timestamp, self.before)
            self.graded = v4.writes(notebook) + "\n"
        resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
        return self.graded, self._init_resources(resources)

    def _keep_what_was_written(self, converter: BaseConverter) -> None:
        """Reads a learner's graded notebook before nbgrader removes it to make room for the next."""
        init_destination = converter.init_destination

        def read_first(assignment: str, student: str) -> bool:
            folder = Path(converter._format_dest(assignment, student))
            self.before = answers_before(folder / f"{assignment}.ipynb")
            return init_destination(assignment, student)

        converter.init_destination = read_first


def leave_out(converter: BaseConverter) -> None:
    """Removes what nbgrader would stop at, and links it would follow; call it before nbgrader converts.

    nbgrader grades the others, as ``grade`` does, then fails.
    """
    messages = []
    for folder in sorted(converter.assignments):
        path = Path(folder)
        student = path.parent
        reason = unfit(student.name) or (LINK if student.is_symlink() or path.is_symlink() else "")
        if reason:
            del converter.assignments[folder]
            messages.append(plain(str(LeftOut(student.name, reason))))
    if not messages:
        return
    convert = converter.convert_notebooks

    def convert_the_rest() -> None:
        convert()
        for message in messages:
            converter.log.error("Left out %s.", message)
        raise NbGraderException(f"left out: {'; '.join(messages)}")

    converter.convert_notebooks = convert_the_rest
