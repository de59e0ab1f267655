"""nbgrader's feedback in three formats, without hidden tests or active content from learners."""

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests
from traitlets import Unicode

from autograder.authoring.assignment import is_check
from autograder.gradebook.book import Book
from autograder.gradebook.feedback_page import to_page
from autograder.gradebook.learner_report import Report, read_report
from autograder.gradebook.markdown import to_markdown
from autograder.gradebook.rows import Rows
from autograder.judging.versions import GRADER, digest
from autograder.submissions.safe_outputs import safe_outputs

KINDS = ("html", "md", "json")
READABLE = 0o644  # as nbgrader writes feedback


class FeedbackExporter(Exporter):
    """A graded notebook → the learner's page; ``resources["nbgrader"]`` says which submission it is."""

    file_extension = Unicode(".html").tag(config=True)
    output_mimetype = "text/html"
    export_from_notebook = "Feedback"

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kw: Any) -> tuple[str, Any]:  # type: ignore[override]
        about = (resources or {})["nbgrader"]
        with Book.at(about["db_url"]).open() as gradebook:
            report = read_report(nb, Rows(gradebook, about["assignment"], about["student"]), about["student"])
            page = pages(nb, report)["html"]
        _, resources = super().from_notebook_node(nb, resources, **kw)
        return page, resources


def pages(notebook: NotebookNode, report: Report, kinds: Sequence[str] = ("html",)) -> dict[str, str]:
    """File ending → the learner's feedback on a graded notebook, for these of ``KINDS``."""
    shown, hidden = deepcopy(notebook), ClearHiddenTests()
    for index, cell in enumerate(shown.cells):
        if is_check(cell):  # the learner's own cells are left alone, even if they contain the markers
            shown.cells[index], _ = hidden.preprocess_cell(cell, {}, index)
        elif cell.cell_type == "code":
            cell.outputs = safe_outputs(cell.outputs)
    made = {
        "html": lambda: to_page(shown, report),
        "md": lambda: to_markdown(report),
        "json": lambda: json.dumps(report.record(), indent=1, ensure_ascii=False) + "\n",
    }
    return {kind: made[kind]() for kind in kinds}


def inputs_digest(report: Report, notebook: bytes) -> str:
    """Digest of the report, the graded notebook, and the code and templates: the same one means the same page."""
    record = json.dumps(report.record(), sort_keys=True).encode()
    parts = (record, notebook, _renderer().encode())
    return sha256("".join(map(sha256, parts)).encode())


@cache
def _renderer() -> str:
    here = Path(__file__).parent
    return digest(GRADER) + "".join((here / name).read_text(encoding="utf-8") for name in ("page.css", "page.html.j2"))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fresh_folder(path: Path) -> Path:
    """Create an empty folder, deleting an existing one."""
    if path.exists():
        shutil.rmtree(path)
    path.mkdir(parents=True)
    return path


def write_file(path: Path, text: str, mode: int = READABLE) -> None:
    """Write the file atomically; its mark shows whether it survived a power cut."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(mode)
    os.replace(fresh, path)
