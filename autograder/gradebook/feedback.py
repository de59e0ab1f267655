"""nbgrader's feedback in three formats, without hidden tests and without anything that a learner could make run."""

import json
from copy import deepcopy
from typing import Any

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import ClearHiddenTests
from traitlets import Unicode

from autograder.authoring.assignment import is_check
from autograder.gradebook.markdown import to_markdown
from autograder.gradebook.page import to_page
from autograder.gradebook.report import read_report
from autograder.submissions.outputs import safe_outputs

KINDS = ("html", "md", "json")


class HideTests(ClearHiddenTests):
    """Hidden tests leave the page; a learner's own cells are left alone, whatever markers they carry."""

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        if is_check(cell):
            return super().preprocess_cell(cell, resources, cell_index)
        if cell.cell_type == "code":
            cell.outputs = safe_outputs(cell.outputs)
        return cell, resources


class FeedbackExporter(Exporter):
    """A graded notebook → the learner's page, and beside it the same report as Markdown and as JSON.

    nbgrader tells in ``resources["nbgrader"]`` which submission it is;
    the two further files go the way of nbconvert's ``resources["outputs"]``, file name → bytes.
    """

    file_extension = Unicode(".html").tag(config=True)
    output_mimetype = "text/html"
    export_from_notebook = "Feedback"

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kw: Any) -> tuple[str, Any]:
        about = (resources or {})["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            (_, page), *others = pages(nb, gradebook, about["assignment"], about["student"]).items()
        _, resources = super().from_notebook_node(nb, resources, **kw)
        resources["outputs"] = {f"{about['notebook']}.{kind}": text.encode() for kind, text in others}
        return page, resources


def pages(notebook: NotebookNode, gradebook: Gradebook, assignment: str, student: str) -> dict[str, str]:
    """File ending → text, for each of ``KINDS``: what the learner is told of a graded notebook."""
    report = read_report(notebook, gradebook, assignment, student)
    shown = deepcopy(notebook)
    hide = HideTests()
    for index, cell in enumerate(shown.cells):
        shown.cells[index], _ = hide.preprocess_cell(cell, {}, index)
    record = json.dumps(report.record(), indent=1, ensure_ascii=False) + "\n"
    return dict(zip(KINDS, (to_page(shown, report), to_markdown(report), record), strict=True))
