"""``nbgrader autograde``, and the button of formgrader, with our judge in the place of a kernel.

nbgrader converts each submission twice, to mend it and to execute it, by preprocessors that each open the gradebook.
Here all is done in the first pass, by the same functions as in ``python -m autograder grade``; the second pass hands
on what came of it. Which submissions are graded and where files go stays nbgrader's business.
"""

from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import v4
from nbgrader.converters import NbGraderException
from nbgrader.preprocessors import LimitOutput
from traitlets import Integer

from autograder.authoring.assignment import UnknownAssignment, load
from autograder.authoring.script import ScriptError
from autograder.gradebook.book import Book
from autograder.gradebook.engine import share_engines
from autograder.gradebook.graded import graded_notebook
from autograder.gradebook.ledger import Ledger
from autograder.gradebook.left_out import leave_out
from autograder.gradebook.register import register
from autograder.judging.bench import new_seed
from autograder.judging.circumstances import Circumstances
from autograder.judging.disk import StoreError
from autograder.judging.earlier import settle
from autograder.judging.kept import KEPT
from autograder.judging.store import Store, environment, key
from autograder.judging.verdict import Verdict
from autograder.judging.versions import versions
from autograder.reader.process import ReaderFailed
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.submissions.collected import Handed, handed_at
from autograder.submissions.limited import read


class SubmissionExporter(NotebookExporter):
    """Reads a submission, however broken, gets its verdict, keeps it, and enters the grades."""

    seed = Integer(None, allow_none=True, help="Seed of the checks; else that beside the gradebook.").tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        share_engines()
        leave_out(self.parent)
        self.graded = ""  # the notebook that the first pass made
        self.limit = LimitOutput(parent=self)
        self.url = self.parent.coursedir.db_url
        self.root = root = Path(self.parent.coursedir.root)
        try:
            book = Book.at(self.url).path
            graded = root / self.parent.coursedir.autograded_directory
            self.store = Store((book or graded).parent)
            self.assignment = load(root, self.parent.coursedir.assignment_id)
            KEPT.prepare(self.assignment, root)
            register(self.url, self.assignment)
            settle(self.store.output)
            self.seed = self._kept_seed() if self.seed is None else self.seed
        except (SandboxUnavailable, UnknownAssignment, ScriptError, StoreError) as error:
            self.log.error("Nothing was graded: %s", error)
            raise NbGraderException(str(error)) from None
        self.environment, self.versions = environment(root, self.assignment.given), versions(root)
        with Ledger(self.url, self.assignment.name, self.config) as ledger:
            self.checksums = ledger.checksums()

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[str, Any]:
        """The graded notebook of the submission in ``filename``.

        Raises:
            NbGraderException: a fault of the grader's own; nothing was entered.
        """
        path, student = Path(filename), resources["nbgrader"]["student"]
        if self.parent._sanitizing:
            self._turn_to(student)
            handed = handed_at(path, student)
            try:
                submission = read(handed.data(), self.assignment, handed.notes)
            except ReaderFailed as error:
                raise NbGraderException(f"{student}: not graded: {error}") from None
            verdict = KEPT.verdict(submission, self.seed)
            if verdict.status == "infrastructure":
                raise NbGraderException(f"{student}: not graded: {'; '.join(verdict.notes)}")
            self._keep(handed, verdict)
            notebook = graded_notebook(submission, verdict, self.checksums)
            notebook, _ = self.limit.preprocess(notebook, {})
            with Ledger(self.url, self.assignment.name, self.config) as ledger:
                ledger.enter(student, notebook, handed.timestamp)
            self.graded = v4.writes(notebook) + "\n"
        resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
        return self.graded, self._init_resources(resources)

    def _turn_to(self, student: str) -> None:
        """The student's own variant, where the instructor's record has one."""
        assignment = load(self.root, self.assignment.name, student)
        if assignment.text != self.assignment.text:
            self.assignment = assignment
            KEPT.prepare(assignment, self.root)

    def _keep(self, handed: Handed, verdict: Verdict) -> None:
        name = key(handed, self.assignment, self.environment, self.seed)
        with self.store as store:
            store.put(name, verdict, Circumstances.of(handed, self.assignment, self.versions, verdict))

    def _kept_seed(self) -> int:
        """The seed that lies beside the gradebook; drawn and laid there where there is none."""
        with self.store as store:
            seed = store.seed()
            if seed is None:
                seed = new_seed()
                store.keep_seed(seed)
            return seed
