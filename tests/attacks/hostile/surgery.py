"""Cells taken out, put in twice, renamed, retyped and rewritten."""

import copy
from collections.abc import Callable

from attacks.notebooks import END, Attack, Change, Notebook, adding, cell, code, filled, index


def is_check(part: dict) -> bool:
    return bool(part["metadata"].get("nbgrader", {}).get("grade"))


def changed(which: Callable[[dict], bool], settings: dict | None = None, **parts: object) -> Change:
    """These cells with other parts, and with other settings of nbgrader's."""

    def change(notebook: Notebook) -> Notebook:
        for part in filter(which, notebook["cells"]):
            part |= copy.deepcopy(parts)
            if settings:
                part["metadata"]["nbgrader"] |= settings
        return notebook

    return change


def without_checks(notebook: Notebook) -> Notebook:
    return {**notebook, "cells": [part for part in notebook["cells"] if not is_check(part)]}


def copies(notebook: Notebook) -> Notebook:
    """Every check and one answer are there twice."""
    counts = ((part, 1 + (is_check(part) or part["id"] == "dot_scorer")) for part in notebook["cells"])
    return {**notebook, "cells": [part for part, count in counts for _ in range(count)]}


def without_metadata(notebook: Notebook) -> Notebook:
    return {**notebook, "cells": [{**part, "metadata": {}, "id": f"n{n}"} for n, part in enumerate(notebook["cells"])]}


def claimed_course(notebook: Notebook) -> Notebook:
    """The notebook's own settings ask for the library with the answers, and for no time-out."""
    notebook["metadata"]["course"] = {"given": ["seq2seq/attention.py", "seq2seq/scorers.py"], "assignment": "other"}
    for part in notebook["cells"]:
        part["metadata"]["tags"] = ["raises-exception", "skip-execution"]
    source = "from seq2seq.attention import *\nfrom seq2seq.scorers import *"
    notebook["cells"].insert(index(notebook, "setup") + 1, {**code(source), "id": "given"})
    for name in ("masked_softmax", "weighted_sum", "attend", "score_gradient"):
        cell(notebook, name)["source"] = [source]
    return notebook


# The markers of the instructor's tools, in a learner's cell.
MARKERS = "### BEGIN HIDDEN TESTS\npass\n### END HIDDEN TESTS\n### BEGIN SOLUTION\npass\n### END SOLUTION\n"
MARKS = {"cell_type": "code", "grade": True, "solution": True, "locked": False, "points": 50, "schema_version": 3}
BONUS = {"cell_type": "code", "grade": True, "solution": False, "locked": True, "points": 100, "schema_version": 3}
# Names of cells that lead out of a folder, into a page or into a query.
NAMES = ("../../../../etc/passwd", "<script>alert(1337)</script>", "'; DROP TABLE grade; --", "\x00", "cell 1")
ODD = {"grade": True, "solution": False, "locked": True, "points": 5, "schema_version": 3}
EASY = "weighted_sum_loop_visible"  # passed by every notebook
ANSWER = {"grade": False, "solution": True, "locked": False}  # which nobody grades
PASSED = [
    {"output_type": "stream", "name": "stdout", "text": "✓ passed"},
    {"output_type": "execute_result", "data": {"text/plain": "1.0"}, "metadata": {}, "execution_count": 1},
]

ATTACKS = (
    Attack("exchanged names", "have one passed check count twenty times",
           change=changed(is_check, {"grade_id": EASY}, id=EASY)),
    Attack("checks as answers", "have checks that nobody grades", change=changed(is_check, ANSWER, source=["pass"])),
    Attack("deleted checks", "leave nothing to grade", change=without_checks),
    Attack("emptied checks", "have checks that always pass", change=changed(is_check, source=["pass"])),
    Attack("checks as text", "have checks that never run", change=changed(is_check, cell_type="markdown")),
    Attack("an answer as raw text", "nothing: a slip of the mouse", rich=True, honest=True,
           change=changed(lambda part: part["id"] == "dot_scorer", cell_type="raw")),
    Attack("texts as code", "break the run by text that is run", rich=True, honest=True, change=changed(
        lambda part: part["cell_type"] == "markdown", cell_type="code", outputs=[], execution_count=None)),
    Attack("1000 points each", "get more points than there are", change=changed(is_check, {"points": 1000})),
    Attack("points that are no number", "break the sum", change=changed(is_check, {"points": float("nan")}), rich=True),
    Attack("a check of its own", "get 100 points more", change=adding(
        {**code("print('bonus')", grade_id="bonus", task=False, checksum="0", **BONUS), "id": "bonus"}, at=END)),
    Attack("an old schema", "nothing: a notebook that was released long ago", rich=True, honest=True,
           change=changed(lambda part: "nbgrader" in part["metadata"], {"schema_version": 1})),
    Attack("copied cells", "nothing: cells copied with their names", rich=True, change=copies, honest=True),
    Attack("no metadata", "nothing: an editor that drops what it does not know", rich=True, change=without_metadata,
           honest=True),
    Attack("cells upside down", "have the checks run first", points=2,
           change=lambda notebook: {**notebook, "cells": notebook["cells"][::-1]}),
    Attack("forged outputs", "have old outputs counted", change=changed(is_check, execution_count=1, outputs=PASSED)),
    Attack("settings of its own", "choose what the grader mounts", change=claimed_course),
    Attack("markers of the tools", "cut cells, or get points by hand",
           change=adding({**code(MARKERS, grade_id="manual", task=False, **MARKS), "id": "manual"})),
    Attack("replaced imports", "bring a torch of its own", change=changed(
        lambda part: part["id"] == "setup",
        source=["class torch:\n", "    allclose = equal = lambda *a, **k: True\n"])),
    Attack("odd names", "lead out of the folder, the page or the query",
           change=adding(*({**code("1", grade_id=name, **ODD), "id": name} for name in NAMES), at=END)),
    Attack("two notebooks in one", "hide wrong answers behind right ones: the last definition counts",
           change=lambda notebook: {**notebook, "cells": filled()["cells"] + notebook["cells"]}),
    Attack("before the imports", "be there before the instructor's imports",
           "import sys\nsys.modules['torch'] = type(sys)('torch')\nsys.modules['torch'].allclose = lambda *a: True",
           place="first", points=0),
)  # fmt: skip
