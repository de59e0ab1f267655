"""From a learner's submitted bytes to plain cells, repairing what can be repaired and noting it."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from autograder.submissions import scripts
from autograder.submissions.file_text import Unreadable, json_of, text_of
from autograder.submissions.safe_outputs import safe_pictures

MAX_CELLS = 2000
KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}


@dataclass
class PlainCell:
    """A cell as submitted, untrusted."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    number: int  # among the cells of its kind, from 1: for code cells, the In [number] after `Run All`
    grade_id: str = ""
    id: str = ""
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)


def read_cells(data: bytes) -> tuple[list[PlainCell], list[str]]:
    """The cells of the notebook in ``data``, and one note per repair.

    Raises:
        Unreadable: the bytes are neither a notebook nor a script that can be read as one.
    """
    notes: list[str] = []
    text = text_of(data, notes)
    if scripts.is_script(text):
        cells = scripts.cells_of(text)
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
        grade_id, own_id = (name if isinstance(name, str) else "" for name in names)
        plain.append(PlainCell(kind, source, counts[kind], grade_id, own_id, _attachments(cell)))
    return plain, list(dict.fromkeys(notes))


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
