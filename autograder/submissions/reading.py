"""From a learner's submitted bytes to plain cells, repairing what can be repaired and noting it."""

import re
from collections import Counter
from itertools import islice
from typing import Any

from autograder.submissions.cells import NotebookCell
from autograder.submissions.file_text import Unreadable, json_of, text_of
from autograder.submissions.safe_outputs import safe_pictures

MAX_CELLS = 2000
MARKER = re.compile(
    r"^(?:#\s?%%(?P<percent>.*)|# In\[[ \d]*\]:|# COMMAND -{5,}|# Databricks notebook source)[ \t]*$", re.MULTILINE
)
MAX_MARKERS = 10_000  # parts that are separated; a notebook has far fewer
STATEMENT = re.compile(r"^(?:def|class|import|from|async def) +\w", re.MULTILINE)
TEXT_CELL = re.compile(r"\[(?:markdown|md)\]", re.IGNORECASE)
GRADE_ID = re.compile(r'"grade_id":\s*"([^"\\]{1,200})"')
KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}


def read_cells(data: bytes) -> tuple[list[NotebookCell], list[str]]:
    """The cells of a notebook or a script, and one note per repair; raises Unreadable if the bytes are neither."""
    notes: list[str] = []
    text = text_of(data, notes)
    if _is_script(text):
        cells = _script_cells(text)
        parts = "its one part was read as a cell" if len(cells) == 1 else f"its {len(cells)} parts were read as cells"
        notes.append(f"The file is a Python script, not a notebook; {parts}.")
    else:
        notebook = json_of(text, notes)
        if isinstance(notebook, list) and any(isinstance(cell, dict) and "cell_type" in cell for cell in notebook):
            notes.append("The file was a bare list of cells; it was read as a notebook.")
            notebook = {"cells": notebook}
        if not isinstance(notebook, dict):
            raise Unreadable("The file is JSON, but not a notebook: it has no list of cells.")
        cells = _cell_list(notebook, notes)
        _note_kernel(notebook, notes)
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"The notebook has more than the {MAX_CELLS} cells that are graded.")
    counts: Counter[str] = Counter()
    plain = []
    for cell in cells:
        kind, source = KINDS.get(str(cell.get("cell_type"))), _source(cell)
        if kind is None or source is None:
            notes.append("A cell without a type or a text was left out.")
            continue
        if kind == "code" and source.lstrip().startswith("%md"):  # Databricks' Markdown cells
            kind, source = "markdown", source.lstrip().removeprefix("%md").lstrip()
        counts[kind] += 1
        names = _dict(_dict(cell.get("metadata")).get("nbgrader")).get("grade_id"), cell.get("id")
        grade_id, submitted_id = (name if isinstance(name, str) else "" for name in names)
        pictures = _attachments(cell)
        plain.append(NotebookCell(kind, source, grade_id, counts[kind], pictures, submitted_id=submitted_id))
    return plain, list(dict.fromkeys(notes))


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
    if STATEMENT.search(head):
        cells.append(_script_cell("code", head))
    ends = [*(marker.start() for marker in markers[1:]), len(text)]
    for marker, end in zip(markers, ends, strict=True):
        options, body = marker["percent"] or "", text[marker.end() : end]
        if TEXT_CELL.search(options):
            lines = [re.sub(r"^# ?", "", line) for line in body.strip().splitlines()]
            cells.append(_script_cell("markdown", "\n".join(lines), options))
        elif body.strip():
            cells.append(_script_cell("code", body, options))
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
        raise Unreadable("The file is JSON, but not a notebook: it has no list of cells.")
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
    kernel = _dict(_dict(notebook.get("metadata")).get("kernelspec"))
    language = kernel.get("language") or "python"
    if language != "python" or kernel.get("name") in ("ir", "octave", "sas"):
        name = _clean(str(kernel.get("name") or language))[:40]
        notes.append(f"The notebook asked for the kernel {name!r}; it was run with Python 3.")


def _source(cell: dict) -> str | None:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        lines = [line for line in source if isinstance(line, str)]
        ended = any(line[-1:].splitlines() == [""] for line in lines[:-1])  # else a converter dropped the line ends
        source = ("" if ended else "\n").join(lines)
    return _clean(source) if isinstance(source, str) else None


def _attachments(cell: dict) -> dict[str, dict[str, str]]:
    """The pictures that the learner pasted into a text."""
    kept = {}
    for name, bundle in _dict(cell.get("attachments")).items():
        pictures = safe_pictures(_dict(bundle))
        if pictures:
            kept[_clean(name)] = pictures
    return kept


def _dict(value: Any) -> dict:
    return value if isinstance(value, dict) else {}


def _clean(text: str) -> str:
    """The text with plain line ends and without lone surrogates, which cannot be encoded."""
    return text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", errors="replace").decode("utf-8")
