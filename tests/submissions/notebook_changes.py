"""Changes to a notebook that was handed in, which is a dictionary: of a cell, of every cell, of their order."""

import copy
import json
from functools import reduce

from small_course import ROOT

NAME = "00_attention"
RELEASE = ROOT / "sample_class" / "released" / f"{NAME}.ipynb"
RELEASED = {cell["id"]: "".join(cell["source"]) for cell in json.loads(RELEASE.read_text(encoding="utf-8"))["cells"]}


def folder(change, solved):
    """The files of one entry."""
    changed = change(copy.deepcopy(solved))
    if isinstance(changed, dict) and "cells" not in changed and "worksheets" not in changed:
        return changed
    return {f"{NAME}.ipynb": changed if isinstance(changed, bytes) else dumped(changed)}


def dumped(notebook, **options):
    return json.dumps(notebook, indent=1, **options).encode()


def settings(cell):
    return cell["metadata"].get("nbgrader", {})


def at(notebook, grade_id):
    return [settings(cell).get("grade_id") for cell in notebook["cells"]].index(grade_id)


def find(notebook, grade_id):
    return notebook["cells"][at(notebook, grade_id)]


def text(cell):
    return "".join(cell["source"])


def code(notebook):
    return [text(cell) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def added_cell(source, kind="code"):
    """A cell of the learner's own."""
    cell = {"cell_type": kind, "id": f"own-{sum(source.encode())}", "metadata": {}}
    return cell | ({"execution_count": 3, "outputs": []} if kind == "code" else {}) | {"source": source}


def in_turn(*changes):
    """One change after the other."""
    return lambda notebook: reduce(lambda changed, change: change(changed), changes, notebook)


def put(source, before="", after=""):
    """One more cell."""

    def change(notebook):
        position = at(notebook, before) if before else at(notebook, after) + 1
        notebook["cells"].insert(position, added_cell(source))
        return notebook

    return change


def edited(grade_id, edit):
    """Another source of a cell, made from its own."""

    def change(notebook):
        cell = find(notebook, grade_id)
        cell["source"] = edit(text(cell))
        return notebook

    return change


def prefixed(grade_id, source):
    return edited(grade_id, lambda before: source + before)


def blanked(grade_id):
    return edited(grade_id, lambda before: RELEASED[grade_id])


def replaced(grade_id, old, new):
    def edit(source):
        assert old in source
        return source.replace(old, new)

    return edited(grade_id, edit)


def each(of="", **fields):
    """Every cell, or one, has these fields; ``None`` takes a field away."""

    def change(notebook):
        for number, cell in enumerate([find(notebook, of)] if of else notebook["cells"]):
            for field, value in fields.items():
                cell[field] = copy.deepcopy(value(number, cell) if callable(value) else value)
                if value is None:
                    del cell[field]
        return notebook

    return change


def without_ids(notebook, minor):
    return each(id=None)(notebook) | {"nbformat_minor": minor}


without_metadata = each(metadata={}, id=lambda number, cell: f"n{number}")
