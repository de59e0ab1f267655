"""What nbgrader runs in the place of its own parts: see :mod:`autograder.settings` for where each stands."""

import datetime
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.converters import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Integer

from autograder.authoring.assignment import UnknownAssignment, load
from autograder.authoring.script import ScriptError
from autograder.gradebook.graded import insert_verdict
from autograder.gradebook.register import PREFIX, register
from autograder.judging.bench import new_seed
from autograder.judging.kept import KEPT
from autograder.judging.store import Store, StoreError
from autograder.judging.verdict import Verdict
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.submissions.collected import with_what_lies_beside
from autograder.submissions.submission import Submission

HARMLESS = ("title", "chapters", "assignment")


class ClearCourse(NbGraderPreprocessor):
    """Of the course's own metadata only the harmless part goes into a release."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        course = nb.metadata.get("course", {})
        nb.metadata["course"] = {key: course[key] for key in HARMLESS if key in course}
        return nb, resources


class SubmissionExporter(NotebookExporter):
    """Reads a submission, however broken, and gets its verdict from a judge outside nbgrader."""

    seed = Integer(None, allow_none=True, help="Seed of the checks; else that beside the gradebook.").tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.submission: Submission | None = None
        self.verdict: Verdict | None = None
        root = Path(self.parent.coursedir.root)
        try:
            self.assignment = load(root, self.parent.coursedir.assignment_id)
            KEPT.prepare(self.assignment, root)
            register(self.parent.coursedir.db_url, self.assignment)
            self.seed = self._kept_seed() if self.seed is None else self.seed
        except (SandboxUnavailable, UnknownAssignment, ScriptError, StoreError) as error:
            self.log.error("Nothing was graded: %s", error)
            raise NbGraderException(str(error)) from None

    def _kept_seed(self) -> int:
        """The seed that lies beside the gradebook; drawn and laid there where there is none."""
        store = Store(Path(self.parent.coursedir.db_url.removeprefix(PREFIX)).parent)
        seed = store.seed()
        if seed is None:
            seed = new_seed()
            store.keep_seed(seed)
        return seed

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[str, Any]:
        if not self.parent._sanitizing:  # the second pass reads what the first one wrote
            return super().from_filename(filename, resources, **kw)
        path = Path(filename)
        resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
        changed = datetime.datetime.fromtimestamp(path.stat().st_mtime, tz=datetime.UTC)
        resources["metadata"]["modified_date"] = f"{changed:%B %d, %Y}"
        data, notes = with_what_lies_beside(path)
        self.submission = Submission.read(data, self.assignment).with_notes(*notes)
        self.verdict = KEPT.verdict(self.submission, self.seed)
        if self.verdict.status == "infrastructure":
            student = resources["nbgrader"]["student"]
            raise NbGraderException(f"{student}: not graded: {'; '.join(self.verdict.notes)}")
        return self.from_notebook_node(self.submission.notebook(), resources, **kw)


class InsertVerdict(NbGraderPreprocessor):
    """Puts the verdict's outputs into the notebook, where SaveAutoGrades reads the points."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        insert_verdict(nb, self.parent.verdict)
        return nb, resources
