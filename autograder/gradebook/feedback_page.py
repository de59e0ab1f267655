"""The feedback page: one self-contained HTML file, without scripts or requests."""

import base64
import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode

from autograder.authoring.assignment import is_check, is_given, is_solution, nbgrader_settings
from autograder.gradebook import syntax
from autograder.gradebook.graded_notebook import RUBRIC
from autograder.gradebook.learner_report import Report
from autograder.gradebook.markdown import SIGNS, details, points_line
from autograder.gradebook.rendering import Piece, rendered
from autograder.gradebook.summary import RECORD, number, plain
from autograder.submissions.safe_outputs import safe_pictures

HERE = Path(__file__).parent
MAX_RENDERED = {"prose": 40_000, "code": 200_000}  # characters per page; the rest is shown unrendered


def to_page(notebook: NotebookNode, report: Report) -> str:
    """The page of a graded notebook whose hidden tests have been removed."""
    style, digest = _style()
    policy = f"default-src 'none'; style-src '{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    told = {check.cell: check for check in report.checks}
    spent = dict.fromkeys(MAX_RENDERED, 0)
    shown = [cell for cell in notebook.cells if not {RECORD, RUBRIC} & set(cell.metadata)]
    pieces = []
    for cell in shown:
        kind = "code" if cell.cell_type == "code" else "prose"
        spent[kind] += len(cell.source)
        pieces.append(Piece(kind, cell.source, cell.get("attachments"), spent[kind] > MAX_RENDERED[kind]))
    cells = [_cell(cell, told, report, html) for cell, html in zip(shown, rendered(pieces), strict=True)]
    return _template().render(report=report, cells=cells, style=style, policy=policy, signs=SIGNS)


def _cell(cell: NotebookNode, told: dict[str, Any], report: Report, html: Markup) -> dict[str, Any]:
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
        "told": told.get(name),
        "comment": report.comments.get(name, ""),
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
    def words(text: str) -> Markup:
        return Markup(plain(text))

    return page_template(HERE / "page.html.j2", number=number, details=details, points_line=points_line, words=words)


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
    rules = (HERE / "page.css").read_text(encoding="utf-8")
    text = f"{rules}\n{syntax.rules()}"
    digest = hashlib.sha256(text.encode()).digest()
    return Markup(text), f"sha256-{base64.b64encode(digest).decode()}"
