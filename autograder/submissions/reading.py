"""From a learner's submitted bytes to plain cells, repairing what can be repaired and noting it."""

import re
from collections import Counter

from autograder.notebook_files.file_text import Unreadable
from autograder.notebook_files.notebook_cells import as_dict, cells_of, clean, source_of
from autograder.submissions.cells import NotebookCell
from autograder.submissions.safe_outputs import safe_pictures

MAX_CELLS = 2000
MARKDOWN = re.compile(r"\s{0,3}(%md\s*)+")  # begins a cell of text in Databricks
KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}


def read_cells(data: bytes) -> tuple[list[NotebookCell], list[str]]:
    """The cells of a notebook or a script, and one note per repair; raises Unreadable if the bytes are neither."""
    cells, notes = cells_of(data)
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"The notebook has more than the {MAX_CELLS} cells that are graded.")
    counts: Counter[str] = Counter()
    plain = []
    for cell in cells:
        kind, source = KINDS.get(str(cell.get("cell_type"))), source_of(cell)
        if kind is None or source is None:
            notes.append("A cell without a type or a text was left out.")
            continue
        if databricks := MARKDOWN.match(source):
            kind, source = "markdown", source[databricks.end() :]
        counts[kind] += 1
        names = as_dict(as_dict(cell.get("metadata")).get("nbgrader")).get("grade_id"), cell.get("id")
        grade_id, submitted_id = (name if isinstance(name, str) else "" for name in names)
        pictures = _attachments(cell)
        plain.append(NotebookCell(kind, source, grade_id, counts[kind], pictures, submitted_id=submitted_id))
    return plain, list(dict.fromkeys(notes))


def _attachments(cell: dict) -> dict[str, dict[str, str]]:
    """The pictures that the learner pasted into a text."""
    attachments = {}
    for name, bundle in as_dict(cell.get("attachments")).items():
        pictures = safe_pictures(as_dict(bundle))
        if pictures:
            attachments[clean(name)] = pictures
    return attachments
