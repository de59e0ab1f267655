"""The feedback page: one HTML file that needs nothing else, runs nothing, and asks nobody for anything."""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode

from autograder.authoring.assignment import is_check, is_given, is_solution, nbgrader_settings
from autograder.gradebook.markdown import SIGNS, details, points_line
from autograder.gradebook.prose import as_written, code_to_html, dark, light, prose_to_html
from autograder.gradebook.report import Report
from autograder.gradebook.rubric import RUBRIC
from autograder.gradebook.summary import RECORD, number, plain
from autograder.submissions.outputs import safe_pictures

HERE = Path(__file__).parent
MOST = {"markdown": 40_000, "code": 200_000}  # characters of a page that are set; what comes after is shown as written


def to_page(notebook: NotebookNode, report: Report) -> str:
    """The page of a graded notebook, from which hidden tests are gone already."""
    style, digest = _style()
    policy = f"default-src 'none'; style-src '{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    told = {check.cell: check for check in report.checks}
    spent = dict.fromkeys(MOST, 0)
    cells = []
    for cell in (cell for cell in notebook.cells if not {RECORD, RUBRIC} & set(cell.metadata)):
        kind = "code" if cell.cell_type == "code" else "markdown"
        spent[kind] += len(cell.source)
        cells.append(_cell(cell, told, report, plainly=spent[kind] > MOST[kind]))
    return _template().render(
        report=report,
        cells=cells,
        style=style,
        policy=policy,
    )


def _cell(cell: NotebookNode, told: dict[str, Any], report: Report, plainly: bool) -> dict[str, Any]:
    """What the template needs of one cell."""
    name = nbgrader_settings(cell).get("grade_id", "")
    kind = "answer" if is_solution(cell) else "check" if is_check(cell) else "given" if is_given(cell) else "own"
    code, attached = cell.cell_type == "code", cell.get("attachments")
    return {
        "name": name,
        "label": name or cell.get("id", "").replace("-", " "),
        "kind": kind,
        "code": (cell.source if plainly else code_to_html(cell.source)) if code and cell.source.strip() else None,
        "prose": None if code else as_written(cell.source) if plainly else prose_to_html(cell.source, attached),
        "outputs": [shown for output in cell.get("outputs", ()) if (shown := _output(output))] if code else [],
        "told": told.get(name),
        "comment": report.comments.get(name, ""),
    }


def _output(output: NotebookNode) -> dict[str, Any]:
    """Text or a picture; empty where there is neither."""
    if output.output_type == "stream":
        return _shown(output.text)
    if output.output_type == "error":
        return _shown("\n".join(output.traceback), error=True)
    for kind, data in safe_pictures(output.get("data", {})).items():
        return {"picture": f"data:{kind};base64,{data}"}
    return _shown(output.get("data", {}).get("text/plain", ""))


def _shown(text: str, error: bool = False) -> dict[str, Any]:
    return {"text": strip_ansi(text), "error": error, "picture": ""} if text.strip() else {}


def _words(text: str) -> Markup:
    """Text of a message or note: `code` is code, all else is text."""
    return Markup(plain(text))


@cache
def _template() -> Template:
    loader = FileSystemLoader(HERE)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.lstrip_blocks = True
    environment.filters |= {"number": number, "details": details, "points_line": points_line, "words": _words}
    environment.globals["signs"] = SIGNS
    return environment.get_template("page.html.j2")


@cache
def _style() -> tuple[Markup, str]:
    """The page's only style sheet, and its hash for the policy."""
    rules = (HERE / "page.css").read_text(encoding="utf-8")
    syntax = light.get_style_defs("code") + "\n@media (prefers-color-scheme: dark) {\n"
    syntax += dark.get_style_defs("code") + "\n}\n"
    text = f"{rules}\n{_tokens_only(syntax)}"
    digest = hashlib.sha256(text.encode()).digest()
    return Markup(text), f"sha256-{base64.b64encode(digest).decode()}"


def _tokens_only(css: str) -> str:
    """Without the rules for line numbers and backgrounds, which are the page's own affair."""
    lines = [line.split(" /*")[0] for line in css.splitlines()]
    return "\n".join(line for line in lines if line.startswith(("code .", "@media", "}")))
