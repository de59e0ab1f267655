"""From a learner's bytes to the cells of a notebook or a script, in nbformat's form, repairing and noting."""

import re
from itertools import islice
from typing import Any

from autograder.notebook_files.content import GRADE_ID
from autograder.notebook_files.file_text import Unreadable, json_of, text_of

MARKER = re.compile(
    r"^(?:#\s?%%(?P<percent>.*)|# In\[[ \d]*\]:|# COMMAND -{5,}|# Databricks notebook source)[ \t]*$", re.MULTILINE
)
MAX_MARKERS = 10_000  # parts that are separated; a notebook has far fewer
STATEMENT = re.compile(r"^(?:def|class|import|from|async def) +\w", re.MULTILINE)
TEXT_CELL = re.compile(r"\[(?:markdown|md)\]", re.IGNORECASE)
# Jupytext's Markdown: code between fences, and texts with metadata between comments.
OPENS = re.compile(r"^(?:```python(?P<code>.*)|<!-- #region(?P<words>.*)-->)$", re.MULTILINE)
CLOSES = {"code": re.compile(r"^```[ \t]*$", re.MULTILINE), "markdown": re.compile(r"^<!-- #endregion", re.MULTILINE)}

NO_CELLS = "The file is JSON, but not a notebook: it has no list of cells. If it is a link, hand in what it leads to."


def cells_of(data: bytes) -> tuple[list[dict[str, Any]], list[str]]:
    """The cells, and one note per repair; raises Unreadable if the bytes are neither a notebook nor a script."""
    notes: list[str] = []
    text = text_of(data, notes)
    is_markdown = _is_markdown(text)
    if is_markdown or _is_script(text):
        cells = _markdown_cells(text) if is_markdown else _script_cells(text)
        parts = "its one part was read as a cell" if len(cells) == 1 else f"its {len(cells)} parts were read as cells"
        kind = "Markdown text" if is_markdown else "Python script"
        notes.append(f"The file is a {kind}, not a notebook; {parts}.")
        return cells, notes
    notebook = json_of(text, notes)
    if isinstance(notebook, list) and any(isinstance(cell, dict) and "cell_type" in cell for cell in notebook):
        notes.append("The file was a bare list of cells; it was read as a notebook.")
        notebook = {"cells": notebook}
    if not isinstance(notebook, dict):
        raise Unreadable(NO_CELLS)
    cells = _cell_list(notebook, notes)
    _note_kernel(notebook, notes)
    return cells, notes


def plain_cells(data: bytes) -> list[dict[str, Any]]:
    """The cells with type, text, metadata and outputs, whatever the file's form; raises Unreadable as above."""
    cells = []
    for cell in cells_of(data)[0]:
        kind, source = cell.get("cell_type"), source_of(cell)
        if isinstance(kind, str) and source is not None:
            outputs = cell.get("outputs") or []
            metadata = as_dict(cell.get("metadata"))
            metadata["nbgrader"] = as_dict(metadata.get("nbgrader"))
            plain = {"cell_type": kind, "source": source, "metadata": metadata}
            cells.append({**plain, "outputs": [output for output in outputs if isinstance(output, dict)]})
    return cells


def as_dict(value: Any) -> dict:
    return value if isinstance(value, dict) else {}


def clean(text: str) -> str:
    """The text with plain line ends and without lone surrogates, which cannot be encoded."""
    return text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", errors="replace").decode("utf-8")


def source_of(cell: dict) -> str | None:
    """The cell's text; None if it has none."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        lines = [line for line in source if isinstance(line, str)]
        ended = any(line[-1:].splitlines() == [""] for line in lines[:-1])  # else a converter dropped the line ends
        source = ("" if ended else "\n").join(lines)
    return clean(source) if isinstance(source, str) else None


def _is_script(text: str) -> bool:
    """Whether the text looks like Python, and not damaged JSON, a web page or a merge conflict."""
    return not text.lstrip().startswith(("{", "[", "<")) and bool(MARKER.search(text) or STATEMENT.search(text))


def _script_cells(text: str) -> list[dict[str, Any]]:
    """The script's parts as cells in nbformat's form; a script without markers is one cell.

    Of Jupytext, VS Code, Spyder, nbconvert or Databricks. With regular expressions: Jupytext itself would parse the
    header's YAML, where a few lines can expand to gigabytes.
    """
    markers = list(islice(MARKER.finditer(text), MAX_MARKERS))
    if not markers:
        return [_script_cell("code", text)]
    cells = []
    head = text[: markers[0].start()]
    if any(line.strip() and not line.startswith("#") for line in head.splitlines()):
        cells.append(_script_cell("code", head))
    ends = [*(marker.start() for marker in markers[1:]), len(text)]
    for marker, end in zip(markers, ends, strict=True):
        options, body = marker["percent"] or "", text[marker.end() : end]
        if TEXT_CELL.search(options):
            lines = [re.sub(r"^# ?", "", line) for line in body.strip().splitlines()]
            cells.append(_script_cell("markdown", "\n".join(lines), options))
        elif body.strip():
            code, texts = _texts_below(body) if marker[0].startswith("# In") else (body, [])
            cells.append(_script_cell("code", code, options))
            cells += [_script_cell("markdown", re.sub(r"^# ?", "", text, flags=re.MULTILINE)) for text in texts]
    return cells


def _texts_below(body: str) -> tuple[str, list[str]]:
    """What nbconvert wrote from one marker to the next: code, then, each after a blank line, texts as comments."""
    lines = body.strip("\n").split("\n")
    begin = len(lines)
    while begin and (not lines[begin - 1].strip() or lines[begin - 1].startswith("#")):
        begin -= 1
    while begin < len(lines) and lines[begin].strip():  # comments that end the code
        begin += 1
    texts = re.split(r"\n\s*\n", "\n".join(lines[begin:]).strip())
    return "\n".join(lines[:begin]).rstrip("\n"), [text for text in texts if text]


def _is_markdown(text: str) -> bool:
    """Whether the text is Jupytext's Markdown of a notebook that is graded, and no JSON."""
    is_json = text.lstrip().startswith(("{", "["))
    return not is_json and bool(OPENS.search(text) and GRADE_ID.search(text))


def _markdown_cells(text: str) -> list[dict[str, Any]]:
    """The parts of Jupytext's Markdown as cells; what lies between them is text."""
    cells: list[dict[str, Any]] = []
    end = 0
    while len(cells) < MAX_MARKERS and (opening := OPENS.search(text, end)):
        kind = "markdown" if opening["code"] is None else "code"
        closing = CLOSES[kind].search(text, opening.end())
        if closing is None:
            break
        if words := text[end : opening.start()].strip():
            cells.append(_script_cell("markdown", words))
        options = opening["code"] or opening["words"] or ""
        cells.append(_script_cell(kind, text[opening.end() : closing.start()], options))
        end = text.find("\n", closing.start()) % (len(text) + 1)  # without a line end, the whole was read
    return cells


def _script_cell(kind: str, source: str, options: str = "") -> dict[str, Any]:
    named = GRADE_ID.search(options)
    metadata = {"nbgrader": {"grade_id": named[1]}} if named else {}
    return {"cell_type": kind, "source": source.strip("\r\n"), "metadata": metadata}


def _cell_list(notebook: dict, notes: list[str]) -> list[dict]:
    cells: Any = notebook.get("cells")
    if not isinstance(cells, list) and isinstance(notebook.get("worksheets"), list):
        old = notebook.get("nbformat") if notebook.get("nbformat") in (1, 2, 3) else "from before 2015"
        notes.append(f"The notebook was in the old format {old}; it was read as format 4.")
        sheets = [sheet.get("cells") for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    if not isinstance(cells, list):
        raise Unreadable(NO_CELLS)
    version = notebook.get("nbformat")
    if isinstance(version, int) and version > 4:
        notes.append(f"The notebook says that it is in format {version}; it was read as format 4.")
    if len(real := [cell for cell in cells if isinstance(cell, dict)]) < len(cells):
        notes.append("A cell without a type or a text was left out.")
    ids = [cell["id"] for cell in real if isinstance(cell.get("id"), str)]
    if len(set(ids)) < len(ids):
        notes.append("Several cells had the same id; they were given new ones.")
    return real


def _note_kernel(notebook: dict, notes: list[str]) -> None:
    kernel = as_dict(as_dict(notebook.get("metadata")).get("kernelspec"))
    language = kernel.get("language") or "python"
    if language != "python" or kernel.get("name") in ("ir", "octave", "sas"):
        name = clean(str(kernel.get("name") or language))[:40]
        notes.append(f"The notebook asked for the kernel {name!r}; it was run with Python 3.")
