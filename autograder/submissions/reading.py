"""From the bytes that a learner handed in to plain cells, mending what can be mended and saying so."""

import json
from dataclasses import dataclass, field
from typing import Any

from autograder.submissions.outputs import safe_pictures

MAX_BYTES = 64 * 2**20
MAX_CELLS = 2000


class Unreadable(Exception):
    """No notebook can be made of the bytes; the message is one clear sentence for the learner."""


@dataclass
class PlainCell:
    """A cell as handed in: nothing in it is trusted."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    number: int  # among the cells of its kind, from 1: of code cells, what `Run All` shows as In [number]
    grade_id: str = ""
    id: str = ""
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)


def read_cells(data: bytes) -> tuple[list[PlainCell], list[str]]:
    """The cells of the notebook in ``data``, and one note per repair.

    Raises:
        Unreadable: the bytes are not JSON, or not a notebook.
    """
    notes: list[str] = []
    notebook = _json(_text(data, notes))
    if not isinstance(notebook, dict):
        raise Unreadable("The file is JSON, but not a notebook: it has no list of cells.")
    cells = _cell_list(notebook, notes)
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"The notebook has {len(cells)} cells, more than the {MAX_CELLS} that are graded.")
    _note_kernel(notebook, notes)
    counts: dict[str, int] = {}
    plain = []
    for cell in cells:
        kind, source = _kind(cell), _source(cell)
        if kind is None or source is None:
            notes.append("A cell without a type or a text was left out.")
            continue
        counts[kind] = counts.get(kind, 0) + 1
        grade_id = _dict(_dict(cell.get("metadata")).get("nbgrader")).get("grade_id")
        plain.append(
            PlainCell(
                kind,
                source,
                counts[kind],
                grade_id if isinstance(grade_id, str) else "",
                cell["id"] if isinstance(cell.get("id"), str) else "",
                _attachments(cell),
            )
        )
    return plain, list(dict.fromkeys(notes))


def _text(data: bytes, notes: list[str]) -> str:
    if not data.strip():
        raise Unreadable("The file is empty.")
    if len(data) > MAX_BYTES:
        raise Unreadable(f"The file has {len(data) >> 20} MiB, more than {MAX_BYTES >> 20}; clear the outputs.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        notes.append("The file was encoded in UTF-16 instead of UTF-8; it was read as UTF-16.")
        return data.decode("utf-16", errors="replace")
    if data.startswith(b"\xef\xbb\xbf"):
        notes.append("The file began with a byte order mark; it was left out.")
        data = data[3:]
    if data.startswith(b"PK\x03\x04"):
        raise Unreadable("The file is a zip archive, not a notebook; hand in the .ipynb file itself.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        notes.append("The file was not encoded in UTF-8; it was read as Latin-1.")
        return data.decode("latin-1")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise Unreadable("The file is not a notebook: it is nested too deeply to be read.") from None
    except ValueError as error:
        start = text.lstrip()
        if "<<<<<<<" in text and ">>>>>>>" in text:
            hint = "it has the marks of an unfinished git merge"
        elif start.startswith("<"):
            hint = "it is a web page; download the notebook again"
        elif not start.startswith("{"):
            hint = "a notebook begins with a brace"
        else:
            hint = "it was cut off or changed by hand"
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "a number"
        raise Unreadable(f"The file is not JSON (from {where} on), so not a notebook: {hint}.") from None


def _cell_list(notebook: dict, notes: list[str]) -> list[dict]:
    cells: Any = notebook.get("cells")
    if not isinstance(cells, list) and isinstance(notebook.get("worksheets"), list):
        notes.append("The notebook was in the old format 3; it was read as format 4.")
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in (sheet.get("cells") or [])]
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


def _kind(cell: dict) -> str | None:
    kind = cell.get("cell_type")
    kind = "markdown" if kind in ("heading", "html") else kind
    return kind if kind in ("code", "markdown", "raw") else None


def _source(cell: dict) -> str | None:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return _clean(source) if isinstance(source, str) else None


def _attachments(cell: dict) -> dict[str, dict[str, str]]:
    """Pictures that the learner pasted into a text; nothing else."""
    kept = {}
    for name, bundle in _dict(cell.get("attachments")).items():
        pictures = safe_pictures(_dict(bundle))
        if pictures:
            kept[_clean(name)] = pictures
    return kept


def _dict(value: Any) -> dict:
    return value if isinstance(value, dict) else {}


def _clean(text: str) -> str:
    """The text without half characters, which no file can hold."""
    return text.encode("utf-8", errors="replace").decode("utf-8")
