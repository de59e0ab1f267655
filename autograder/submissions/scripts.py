"""Reads Python scripts as notebooks: those of Jupytext, VS Code, Spyder, nbconvert or Databricks.

With regular expressions: Jupytext itself would parse the header's YAML, where a few lines can expand to gigabytes.
"""

import re
from itertools import islice
from typing import Any

MARKER = re.compile(
    r"^(?:#\s?%%(?P<percent>.*)|# In\[[ \d]*\]:|# COMMAND -{5,}|# Databricks notebook source)[ \t]*$", re.MULTILINE
)
MAX_MARKERS = 10_000  # parts that are separated; a notebook has far fewer
STATEMENT = re.compile(r"^(?:def|class|import|from|async def) +\w", re.MULTILINE)
TEXT_CELL = re.compile(r"\[(?:markdown|md)\]", re.IGNORECASE)
GRADE_ID = re.compile(r'"grade_id":\s*"([^"\\]{1,200})"')


def is_script(text: str) -> bool:
    """Whether the text looks like Python, and not damaged JSON, a web page or a merge conflict."""
    return not text.lstrip().startswith(("{", "[", "<")) and bool(MARKER.search(text) or STATEMENT.search(text))


def cells_of(text: str) -> list[dict[str, Any]]:
    """The script's parts as cells in nbformat's form; a script without markers is one cell."""
    markers = list(islice(MARKER.finditer(text), MAX_MARKERS))
    if not markers:
        return [_cell("code", text)]
    cells = []
    head = text[: markers[0].start()]
    if STATEMENT.search(head):
        cells.append(_cell("code", head))
    ends = [*(marker.start() for marker in markers[1:]), len(text)]
    for marker, end in zip(markers, ends, strict=True):
        options, body = marker["percent"] or "", text[marker.end() : end]
        if TEXT_CELL.search(options):
            lines = [re.sub(r"^# ?", "", line) for line in body.strip().splitlines()]
            cells.append(_cell("markdown", "\n".join(lines), options))
        elif body.strip():
            cells.append(_cell("code", body, options))
    return cells


def _cell(kind: str, source: str, options: str = "") -> dict[str, Any]:
    named = GRADE_ID.search(options)
    metadata = {"nbgrader": {"grade_id": named[1]}} if named else {}
    return {"cell_type": kind, "source": source.strip("\r\n"), "metadata": metadata}
