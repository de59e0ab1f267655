"""Changes to a notebook that was handed in, which is a dictionary: of a cell, of every cell, of their order."""

import copy
import json
from collections.abc import Callable
from functools import reduce
from typing import Any

from small_course import ROOT

Notebook = dict[str, Any]
Folder = dict[str, bytes]
Change = Callable[[Notebook], Notebook | bytes | Folder]
NAME = "00_attention"
RELEASE = ROOT / "sample_class" / "released" / f"{NAME}.ipynb"
RELEASED = {cell["id"]: "".join(cell["source"]) for cell in json.loads(RELEASE.read_text(encoding="utf-8"))["cells"]}


def folder(change: Change, solved: Notebook) -> Folder:
    """The files of one entry."""
    changed = change(copy.deepcopy(solved))
    if isinstance(changed, dict) and "cells" not in changed and "worksheets" not in changed:
        return changed
    return {f"{NAME}.ipynb": changed if isinstance(changed, bytes) else dumped(changed)}


def dumped(notebook: Notebook, **options: Any) -> bytes:
    return json.dumps(notebook, indent=1, **options).encode()


def settings(cell: dict[str, Any]) -> dict[str, Any]:
    return cell["metadata"].get("nbgrader", {})


def at(notebook: Notebook, grade_id: str) -> int:
    return [settings(cell).get("grade_id") for cell in notebook["cells"]].index(grade_id)


def find(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    return notebook["cells"][at(notebook, grade_id)]


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def code(notebook: Notebook) -> list[str]:
    return [text(cell) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def own(source: str, kind: str = "code") -> dict[str, Any]:
    """A cell of the learner's own."""
    cell: dict[str, Any] = {"cell_type": kind, "id": f"own-{sum(source.encode())}", "metadata": {}}
    return cell | ({"execution_count": 3, "outputs": []} if kind == "code" else {}) | {"source": source}


def in_turn(*changes: Change) -> Change:
    """One change after the other."""
    return lambda notebook: reduce(lambda changed, change: change(changed), changes, notebook)


def put(source: str, before: str = "", after: str = "") -> Change:
    """One more cell."""

    def change(notebook: Notebook) -> Notebook:
        place = at(notebook, before) if before else at(notebook, after) + 1
        notebook["cells"].insert(place, own(source))
        return notebook

    return change


def edited(grade_id: str, edit: Callable[[str], str]) -> Change:
    """Another source of a cell, made from its own."""

    def change(notebook: Notebook) -> Notebook:
        cell = find(notebook, grade_id)
        cell["source"] = edit(text(cell))
        return notebook

    return change


def prefixed(grade_id: str, source: str) -> Change:
    return edited(grade_id, lambda before: source + before)


def blanked(grade_id: str) -> Change:
    return edited(grade_id, lambda before: RELEASED[grade_id])


def replaced(grade_id: str, old: str, new: str) -> Change:
    def edit(source: str) -> str:
        assert old in source
        return source.replace(old, new)

    return edited(grade_id, edit)


def each(of: str = "", **fields: Any) -> Change:
    """Every cell, or one, has these fields; ``None`` takes a field away."""

    def change(notebook: Notebook) -> Notebook:
        for number, cell in enumerate([find(notebook, of)] if of else notebook["cells"]):
            for field, value in fields.items():
                cell[field] = copy.deepcopy(value(number, cell) if callable(value) else value)
                if value is None:
                    del cell[field]
        return notebook

    return change


def without_ids(notebook: Notebook, minor: int) -> Notebook:
    return each(id=None)(notebook) | {"nbformat_minor": minor}


without_metadata = each(metadata={}, id=lambda number, cell: f"n{number}")
