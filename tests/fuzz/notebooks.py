"""Notebooks that nobody would write: arbitrary bytes and JSON, and real notebooks after accidents."""

import copy
import json

from hypothesis import strategies as st

HUGE = st.sampled_from([2**53, -(2**70), 10**400, 1e308, float("inf"), float("nan")])
WORDS = ["cells", "cell_type", "source", "metadata", "nbgrader", "grade_id", "attachments", "id", "input", "worksheets"]
TYPES = st.sampled_from(["code", "markdown", "raw", "heading", "html", "", None, 3, ["code"]])
TEXTS = st.one_of(
    st.text(max_size=30),
    st.text(st.characters(), max_size=30),  # lone surrogates too
    st.sampled_from(
        [
            *("def double(x):\n    return x", "class Halver:\n    pass", "double(2)\n", "import torch", "%%time\n1"),
            *("raise NotImplementedError", "from autograder.checks import a", "```python\nx\n```", "# %%", "\r", "\0"),
            *("### BEGIN HIDDEN TESTS", "### END SOLUTION", "%md x", "x = 1", "helper = double", "((((", "'''", "\t\n"),
        ]
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | HUGE | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS) | TEXTS, inner, max_size=5),
    max_leaves=20,
)
GRADE_IDS = st.sampled_from(["setup", "double", "double_right", "halver", "halver_right", "halver_hidden", "other", ""])
SETTINGS = st.fixed_dictionaries(
    {"grade_id": GRADE_IDS | JSON}, optional={"points": JSON, "grade": JSON, "solution": JSON, "schema_version": JSON}
)
METADATA = st.fixed_dictionaries({}, optional={"nbgrader": SETTINGS | JSON, "tags": JSON, "trusted": JSON})
CELLS = st.fixed_dictionaries(
    {"cell_type": TYPES},
    optional={
        "source": TEXTS | st.lists(TEXTS, max_size=3) | JSON,
        **{"metadata": METADATA | JSON, "id": GRADE_IDS | JSON, "input": TEXTS},
        **dict.fromkeys(("outputs", "attachments", "execution_count"), JSON),
    },
)
NOTEBOOKS = st.fixed_dictionaries(
    {"cells": st.lists(CELLS | JSON, max_size=8)},
    optional={"metadata": JSON, "nbformat": JSON, "nbformat_minor": JSON, "worksheets": JSON},
)


def written(value):
    return json.dumps(value, ensure_ascii=True).encode()


ACCIDENTS = {
    "delete": lambda cells, i, j, any_: cells.pop(i),
    "copy": lambda cells, i, j, any_: cells.insert(j, copy.deepcopy(cells[i])),
    "move": lambda cells, i, j, any_: cells.insert(j, cells.pop(i)),
    "retype": lambda cells, i, j, any_: cells[i].update(cell_type=["code", "markdown", "raw"][j % 3]),
    "lose metadata": lambda cells, i, j, any_: cells[i].pop("metadata", None),
    "swap metadata": lambda cells, i, j, any_: cells[i].update(metadata=copy.deepcopy(cells[j].get("metadata"))),
    "odd metadata": lambda cells, i, j, any_: cells[i].update(metadata=any_),
    "odd settings": lambda cells, i, j, any_: cells[i].update(metadata={"nbgrader": any_}),
    "odd source": lambda cells, i, j, any_: cells[i].update(source=any_),
    "odd cell": lambda cells, i, j, any_: cells.insert(j, any_),
    "odd id": lambda cells, i, j, any_: cells[i].update(id=any_),
    "other id": lambda cells, i, j, any_: cells[i].update(id=cells[j].get("id")),
    "odd attachments": lambda cells, i, j, any_: cells[i].update(attachments=any_),
    "text above": lambda cells, i, j, any_: cells[i].update(source=f"{any_}\n{text(cells[i])}"),
    "merge": lambda cells, i, j, any_: cells[i].update(source=f"{text(cells[i])}\n\n{text(cells[j])}"),
    "split": lambda cells, i, j, any_: cells.insert(i, split(cells[i], j)),
}


def text(cell):
    source = cell.get("source", "")
    is_list_of_lines = isinstance(source, list) and all(isinstance(part, str) for part in source)
    return "".join(source) if is_list_of_lines else f"{source}"


def split(cell, line):
    lines = text(cell).split("\n")
    first = copy.deepcopy(cell) | {"source": "\n".join(lines[:line])}
    cell["source"] = "\n".join(lines[line:])
    return first


NUMBERS = st.integers(0, 30)
STEPS = st.lists(st.tuples(st.sampled_from(sorted(ACCIDENTS)), NUMBERS, NUMBERS, CELLS | TEXTS | JSON), max_size=6)


def after(notebook, steps):
    """The notebook after some accidents to its cells."""
    notebook = copy.deepcopy(notebook)
    cells = notebook["cells"]
    for name, i, j, any_ in steps:
        whole = [cell for cell in cells if isinstance(cell, dict)]
        if whole and len(whole) == len(cells):
            ACCIDENTS[name](cells, i % len(cells), j % len(cells), copy.deepcopy(any_))
    return notebook
