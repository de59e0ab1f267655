"""nbgrader's feedback in three formats, without hidden tests or active content from learners.

The page is one self-contained HTML file, without scripts or requests.
"""

import base64
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests
from traitlets import Unicode

from autograder.assignments.assignment import is_check, is_given, is_solution, nbgrader_settings
from autograder.gradebook import syntax
from autograder.gradebook.book import Book
from autograder.gradebook.graded_notebook import RUBRIC
from autograder.gradebook.learner_report import Report, read_report
from autograder.gradebook.markdown import SIGNS, details, points_line, to_markdown
from autograder.gradebook.rendering import Piece, rendered
from autograder.gradebook.rows import Rows
from autograder.gradebook.summary import RECORD, plain
from autograder.progress.overview import number
from autograder.store.versions import GRADER, digest
from autograder.submissions.safe_outputs import safe_outputs, safe_pictures
from autograder.submissions.times import zone_for_learners

FOLDER = Path(__file__).parent
KINDS = ("html", "md", "json")
READABLE = 0o644  # as nbgrader writes feedback: released, a page keeps its rights, and learners read it
MAX_RENDERED = {"prose": 40_000, "code": 200_000}  # characters per page; the rest is shown unrendered


class FeedbackExporter(Exporter):
    """A graded notebook → the learner's page; ``resources["nbgrader"]`` says which submission it is."""

    file_extension = Unicode(".html").tag(config=True)
    output_mimetype = "text/html"
    export_from_notebook = "Feedback"

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kw: Any) -> tuple[str, Any]:  # type: ignore[override]
        about = (resources or {})["nbgrader"]
        with Book.at(about["db_url"]).open() as gradebook:
            rows = Rows(gradebook, about["assignment"], about["student"])
            report = read_report(nb, rows, about["student"], zone_for_learners(self.config))
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
    makers = {
        "html": lambda: to_page(shown, report),
        "md": lambda: to_markdown(report),
        "json": lambda: json.dumps(report.record(), indent=1, ensure_ascii=False) + "\n",
    }
    return {kind: makers[kind]() for kind in kinds}


def inputs_digest(report: Report, notebook: bytes) -> str:
    """Digest of the report, the graded notebook, and the code and templates: the same one means the same page."""
    record = json.dumps(report.record(), sort_keys=True).encode()
    parts = (record, notebook, _renderer().encode())
    return sha256("".join(map(sha256, parts)).encode())


@cache
def _renderer() -> str:
    return digest(GRADER) + "".join(
        (FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.html.j2")
    )


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fresh_folder(path: Path) -> Path:
    """Create an empty folder, deleting an existing one."""
    if path.exists():
        try:
            shutil.rmtree(path)
        except OSError as error:  # it may name the file within the folder alone, and so nobody
            raise OSError(error.errno, error.strerror, str(path)) from None
    path.mkdir(parents=True)
    return path


def write_file(path: Path, text: str, mode: int = READABLE) -> None:
    """Write the file atomically; its mark shows whether it survived a power cut."""
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(mode)
    os.replace(fresh, path)


def to_page(notebook: NotebookNode, report: Report) -> str:
    """The page of a graded notebook whose hidden tests have been removed."""
    style, hashed = _style()
    policy = f"default-src 'none'; style-src '{hashed}'; img-src data:; base-uri 'none'; form-action 'none'"
    checks = {check.cell: check for check in report.checks}
    spent = dict.fromkeys(MAX_RENDERED, 0)
    shown = [cell for cell in notebook.cells if not {RECORD, RUBRIC} & set(cell.metadata)]
    if report.status == "unreadable":  # of the blank exercise that stands in for the file, only what was commented on
        shown = [cell for cell in shown if nbgrader_settings(cell).get("grade_id") in report.comments]
    pieces = []
    for cell in shown:
        kind = "code" if cell.cell_type == "code" else "prose"
        spent[kind] += len(cell.source)
        pieces.append(Piece(kind, cell.source, cell.get("attachments"), spent[kind] > MAX_RENDERED[kind]))
    texts = rendered([*pieces, *(Piece("comment", comment) for comment in report.comments.values())])
    comments = dict(zip(report.comments, texts[len(shown) :], strict=True))
    cells = [_cell(cell, checks, comments, html) for cell, html in zip(shown, texts, strict=False)]
    return _template().render(report=report, cells=cells, style=style, policy=policy, signs=SIGNS)


def _cell(cell: NotebookNode, checks: dict[str, Any], comments: dict[str, Markup], html: Markup) -> dict[str, Any]:
    """One cell's variables for the template."""
    name = nbgrader_settings(cell).get("grade_id", "")
    kind = "answer" if is_solution(cell) else "check" if is_check(cell) else "given" if is_given(cell) else "own"
    code = cell.cell_type == "code"
    return {
        "name": name,
        "label": name or cell.get("id", "").replace("-", " "),
        "kind": kind,
        "code": html if code and cell.source.strip() else None,
        "prose": None if code else html,
        "outputs": [shown for output in cell.get("outputs", ()) if (shown := _output(output))] if code else [],
        "check": checks.get(name),
        "comment": comments.get(name, ""),
    }


def _output(output: NotebookNode) -> dict[str, Any]:
    """Text or a picture; empty if there is neither."""
    if output.output_type == "stream":
        return _shown(output.text)
    if output.output_type == "error":
        return _shown("\n".join(output.traceback), error=True)
    for kind, data in safe_pictures(output.get("data", {})).items():
        return {"picture": f"data:{kind};base64,{data}"}
    return _shown(output.get("data", {}).get("text/plain", ""))


def _shown(text: str, error: bool = False) -> dict[str, Any]:
    return {"text": strip_ansi(text), "error": error, "picture": ""} if text.strip() else {}


@cache
def _template() -> Template:
    filters: dict[str, Callable[..., Any]] = {"number": number, "details": details, "points_line": points_line}
    return page_template(FOLDER / "page.html.j2", **filters, words=lambda text: Markup(plain(text)))


def page_template(path: Path, **filters: Callable[..., Any]) -> Template:
    """A page's template, in which every text is escaped."""
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= filters
    return environment.get_template(path.name)


@cache
def _style() -> tuple[Markup, str]:
    """The page's style sheet, and its hash for the policy."""
    rules = (FOLDER / "page.css").read_text(encoding="utf-8")
    text = f"{rules}\n{syntax.rules()}"
    hashed = hashlib.sha256(text.encode()).digest()
    return Markup(text), f"sha256-{base64.b64encode(hashed).decode()}"
