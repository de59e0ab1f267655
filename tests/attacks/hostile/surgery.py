"""Cells taken out, put in twice, renamed, retyped and rewritten."""

import copy

from attacks.attack import Attack, Change, Notebook
from attacks.notebooks import cell, code, filled, index


def checks(notebook: Notebook) -> list[dict]:
    return [one for one in notebook["cells"] if one["metadata"].get("nbgrader", {}).get("grade")]


def checks_with(settings: dict | None = None, **parts: object) -> Change:
    """Every check with other parts, and with other settings of nbgrader's."""

    def change(notebook: Notebook) -> Notebook:
        for one in checks(notebook):
            one |= copy.deepcopy(parts)
            one["metadata"]["nbgrader"] |= settings or {}
        return notebook

    return change


def without_checks(notebook: Notebook) -> Notebook:
    gone = checks(notebook)
    return {**notebook, "cells": [one for one in notebook["cells"] if one not in gone]}


def raw_answers(notebook: Notebook) -> Notebook:
    cell(notebook, "dot_scorer")["cell_type"] = "raw"
    return notebook


def code_texts(notebook: Notebook) -> Notebook:
    for one in notebook["cells"]:
        if one["cell_type"] == "markdown":
            one |= {"cell_type": "code", "outputs": [], "execution_count": None}
    return notebook


def extra_grades(notebook: Notebook) -> Notebook:
    settings = {"grade": True, "solution": False, "locked": True, "points": 100, "schema_version": 3}
    more = {"grade_id": "bonus", "cell_type": "code", "task": False, "checksum": "0"}
    notebook["cells"].append({**code("print('bonus')", **settings, **more), "id": "bonus"})
    return notebook


def old_schema(notebook: Notebook) -> Notebook:
    for one in notebook["cells"]:
        if "nbgrader" in one["metadata"]:
            one["metadata"]["nbgrader"]["schema_version"] = 1
    return notebook


def copies(notebook: Notebook) -> Notebook:
    """Every check and one answer are there twice."""
    cells = []
    for one in notebook["cells"]:
        twice = one in checks(notebook) or one["id"] == "dot_scorer"
        cells += [one, one] if twice else [one]
    return {**notebook, "cells": cells}


def without_metadata(notebook: Notebook) -> Notebook:
    for number, one in enumerate(notebook["cells"]):
        one["metadata"] = {}
        one["id"] = f"new-{number}"
    return notebook


def reversed_cells(notebook: Notebook) -> Notebook:
    return {**notebook, "cells": notebook["cells"][::-1]}


def claimed_course(notebook: Notebook) -> Notebook:
    """The notebook's own settings ask for the library with the answers, and for no time-out."""
    notebook["metadata"]["course"] = {"given": ["seq2seq/attention.py", "seq2seq/scorers.py"], "assignment": "other"}
    for one in notebook["cells"]:
        one["metadata"]["tags"] = ["raises-exception", "skip-execution"]
    source = "from seq2seq.attention import *\nfrom seq2seq.scorers import *"
    notebook["cells"].insert(index(notebook, "setup") + 1, {**code(source), "id": "given"})
    for name in ("masked_softmax", "weighted_sum", "attend", "score_gradient"):
        cell(notebook, name)["source"] = [source]
    return notebook


def hidden_regions(notebook: Notebook) -> Notebook:
    """The markers of the instructor's tools, in the learner's cells."""
    words = "### BEGIN HIDDEN TESTS\npass\n### END HIDDEN TESTS\n### BEGIN SOLUTION\npass\n### END SOLUTION\n"
    marks = {"grade": True, "solution": True, "locked": False, "points": 50, "schema_version": 3, "task": False}
    notebook["cells"].insert(2, {**code(words, grade_id="manual", cell_type="code", **marks), "id": "manual"})
    return notebook


def setup_replaced(notebook: Notebook) -> Notebook:
    """The instructor's imports bring a torch of the learner's."""
    cell(notebook, "setup")["source"] = ["class torch:\n", "    allclose = equal = lambda *a, **k: True\n"]
    return notebook


def odd_names(notebook: Notebook) -> Notebook:
    """Names of cells that lead out of a folder, into a page or into a query."""
    names = ("../../../../etc/passwd", "<script>alert(1337)</script>", "'; DROP TABLE grade; --", "\x00", "cell 1")
    for name in names:
        one = code("1", grade_id=name, grade=True, solution=False, locked=True, points=5, schema_version=3)
        notebook["cells"].append({**one, "id": name})
    return notebook


def honest_first(notebook: Notebook) -> Notebook:
    """A right notebook, behind it the poor one: the last definition counts."""
    return {**notebook, "cells": filled()["cells"] + notebook["cells"]}


EASY = "weighted_sum_loop_visible"  # passed by every notebook
ANSWER = {"grade": False, "solution": True, "locked": False}  # which nobody grades
PASSED = [
    {"output_type": "stream", "name": "stdout", "text": "✓ passed"},
    {"output_type": "execute_result", "data": {"text/plain": "1.0"}, "metadata": {}, "execution_count": 1},
]

ATTACKS = (
    Attack("exchanged names", "have one passed check count twenty times",
           change=checks_with({"grade_id": EASY}, id=EASY)),
    Attack("checks as answers", "have checks that nobody grades", change=checks_with(ANSWER, source=["pass"])),
    Attack("deleted checks", "leave nothing to grade", change=without_checks),
    Attack("emptied checks", "have checks that always pass", change=checks_with(source=["pass"])),
    Attack("checks as text", "have checks that never run", change=checks_with(cell_type="markdown")),
    Attack("an answer as raw text", "nothing: a slip of the mouse", rich=True, change=raw_answers, honest=True),
    Attack("texts as code", "break the run by text that is run", rich=True, change=code_texts, honest=True),
    Attack("1000 points each", "get more points than there are", change=checks_with({"points": 1000})),
    Attack("points that are no number", "break the sum", change=checks_with({"points": float("nan")}), rich=True),
    Attack("a check of its own", "get 100 points more", change=extra_grades),
    Attack("an old schema", "nothing: a notebook that was released long ago", rich=True, change=old_schema,
           honest=True),
    Attack("copied cells", "nothing: cells copied with their names", rich=True, change=copies, honest=True),
    Attack("no metadata", "nothing: an editor that drops what it does not know", rich=True, change=without_metadata,
           honest=True),
    Attack("cells upside down", "have the checks run first", change=reversed_cells, points=2),
    Attack("forged outputs", "have old outputs counted", change=checks_with(execution_count=1, outputs=PASSED)),
    Attack("settings of its own", "choose what the grader mounts", change=claimed_course),
    Attack("markers of the tools", "cut cells, or get points by hand", change=hidden_regions),
    Attack("replaced imports", "bring a torch of its own", change=setup_replaced),
    Attack("odd names", "lead out of the folder, the page or the query", change=odd_names),
    Attack("two notebooks in one", "hide wrong answers behind right ones", change=honest_first),
    Attack("before the imports", "be there before the instructor's imports",
           "import sys\nsys.modules['torch'] = type(sys)('torch')\nsys.modules['torch'].allclose = lambda *a: True",
           place="first", points=0),
)  # fmt: skip
