"""What an error leaves unsaid is told by name, place and cure, by the grader and by ``learn check``."""

import json
from pathlib import Path

import pytest

from autograder.judging.judge import Judge
from autograder.mishaps import MEANT, cause, cited
from autograder.records.job import Cell, Job
from autograder.unreadable_cells import NEWER, why_unread
from learn.running import run

ROOT = Path(__file__).resolve().parents[2]
NOT_CALLABLE = "TypeError: 'int' object is not callable"
GIVES = "The name `range` is no longer Python's own: cell 2, line {}, `{}`, gives it another meaning."
CURE = " Take another name there, restart the kernel, and run all cells."
CELLS_OF = {  # a cell: its line after which the name is no longer Python's own in any cell; 0 where it still is
    "range = 5": 1,
    "x = 1\nrange: int = 3": 2,
    "for range in [1, 2]:\n    pass": 1,
    "if True:\n    with open('f') as range:\n        pass": 2,
    **{"import os as range": 1, "def range(x):\n    return 3": 1, "%matplotlib inline\nrange = 3": 2},
    **{"(a, [range, b]) = 1, [2, 3]": 1, "print((range := 3))": 1, "def f():\n    range = 5": 0},
    **{"[range for range in 'ab']": 0, "f = lambda range: range": 0, "x.range = 5": 0, "range(3)": 0, "range =": 0},
    "class A:\n    range = 5": 0,
}


@pytest.mark.parametrize(("source", "number"), CELLS_OF.items())
def test_an_overwritten_name_is_found_where_it_was_bound_for_all_cells(source, number):
    told = cause(NOT_CALLABLE, {"cell 2": source, "own": "y = 3"}, "own", "y = range(x)")
    bound = source.splitlines()[number - 1].strip()
    assert told == (GIVES.format(number, bound) + CURE if number else "")


def test_only_an_error_that_comes_of_it_is_explained_by_it_and_the_last_binding_counts():
    cells = {"cell 1": "sum = 1", "cell 2": "sum = 2", "cell 3": "x = 3"}
    assert cause("ValueError: sum is negative", cells, "cell 3", "sum(x)") == ""
    assert cause(NOT_CALLABLE, cells, "cell 3", "x(3)") == ""
    assert cause("SyntaxError: invalid syntax", {}, "cell 1") == ""
    assert "cell 2, line 1" in cause(NOT_CALLABLE, cells, "cell 3", "sum(x)")
    assert "`sum`" in cause(f"f: raised {NOT_CALLABLE}, at your line `return sum(x)`; it was given x (3,).", cells)


def refused(source):
    with pytest.raises(SyntaxError) as error:
        compile(source, "<ipython-input-3-a1b2c3>", "exec")
    return f"SyntaxError: {error.value}"


SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{EM SPACE}\N{IDEOGRAPHIC SPACE}"
SIGNS = {sign: f", {sign}: type `{meant}` in its place." for sign, meant in MEANT.items()}
SIGNS |= dict.fromkeys(SPACES, "space: type an ordinary space in its place.")
SIGNS["\N{ZERO WIDTH SPACE}"] = "is a zero width space: delete it and type what you mean."


@pytest.mark.parametrize(("sign", "words"), SIGNS.items())
def test_a_sign_that_looks_like_another_is_named_with_its_place_and_what_to_type(sign, words):
    source = f"y = 1\nx = 1 {sign}2"
    told = cause(refused(source), {"cell 4": source}, "cell 4")
    assert told.startswith("The character after `x = 1` is a ")
    assert told.endswith(words)


INVALID = "SyntaxError: invalid syntax (<ipython-input-3-a1b2c3>, line 1)"
UNREAD = {  # a cell: what Python 3.11 says of it
    'x = 1\nprint(f"{names["a"]}")': ["(line 2) needs Python 3.12"],
    "print(f'{names['a']}')": ["(line 1) needs Python 3.12"],
    "print(f'{chr(10) + '\\n'}')": ["quotation marks", "a backslash"],
    "def first[T](items: list[T]) -> T:\n    return items[0]": ["needs Python 3.12"],
    "class Box[T]:\n    pass": ["needs Python 3.12"],
    "type Weights = list\nclass Box[T]:\n    pass": ["`type` statement (line 1)", "square brackets (line 2)"],
    "try:\n    pass\nexcept ValueError, TypeError:\n    pass": ["needs Python 3.14"],
    "shown = t'{names}'": ["needs Python 3.14"],
    "shown = rt'{names}'": ["needs Python 3.14"],
    "type = 3\nlazy import math": ["if it runs for you, your Python is newer"],
    "print(f\"{names['a']}\" 3)": ["if it runs for you, your Python is newer"],
    "x = 1\n<<<<<<< local\ny\n=======\nz\n>>>>>>> remote": ["conflict markers of a git merge, from line 2 on"],
    "Here you are:\n```python\nx = 1\n```": ["Line 2 of the cell has ```"],
}


@pytest.mark.parametrize(("source", "words"), UNREAD.items())
def test_what_this_python_cannot_read_is_named_each_piece_with_the_python_that_it_needs(source, words):
    told = why_unread(INVALID, source, (3, 11))
    assert [part for part in words if part not in told] == []
    assert told.count("needs Python") == (0 if "if it runs" in told or "git" in told or "```" in told else len(words))
    assert told.startswith("Python 3.11 ran this cell") or "git" in told or "```" in told
    newest = max(least for least, *_ in NEWER)
    assert why_unread(INVALID.replace("invalid syntax", "expected ':'"), source, newest) == (
        told if "git" in told or "```" in told else ""
    )


def test_the_cell_stands_in_the_place_of_ipythons_file():
    assert cited("bad (<ipython-input-3-a1b2c3>, line 7)", "cell 4") == "bad (cell 4, line 7)"
    assert cited("bad (/tmp/ipykernel_12/345.py, line 7)", "encode") == "bad (cell `encode`, line 7)"
    assert cited("in <ipython-input-3-a1b2c3>", "cell 4") == "in cell 4"


OVERWRITTEN = GIVES.format(1, "range = 5")
CELLS = ["import math", "range = 5", "x =\N{NO-BREAK SPACE}1", "print(“a”)", "for i in range(3):\n    pass", "x = = 1"]
TOLD = {
    2: ("SyntaxError", "(cell 3, line 1)", "type an ordinary space"),
    3: ("SyntaxError", "(cell 4, line 1)", 'type `"` in its place'),
    4: ("TypeError", "'int' object is not callable", OVERWRITTEN),
    5: ("SyntaxError", "(cell 6, line 1)", "ran this cell; if it runs for you"),
}


def test_learn_tells_it_of_each_cell(tmp_path):
    code = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in CELLS]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": code, "metadata": {}}), encoding="utf-8")
    runs = run(tmp_path / "n.ipynb")
    for number, (kind, message, why) in TOLD.items():
        assert runs[number].kind == kind
        assert message in runs[number].message
        assert why in runs[number].cause
        assert "ipython" not in runs[number].message + runs[number].cause


@pytest.mark.sandbox
def test_the_grader_tells_it_of_each_cell_and_of_each_check():
    cells = [Cell(f"cell {number}", "code", source) for number, source in enumerate(CELLS, 1)]
    cells.append(Cell("double", "code", "def double(x):\n    return [2 * x for _ in range(1)][0]"))
    cells.append(Cell("check", "check", "double(3)", 2.0))
    with Judge((), ROOT) as judge:
        verdict = judge.run(Job(tuple(cells), 0))
    outputs = [json.dumps(result.outputs, ensure_ascii=False) for result in verdict.cells]
    for number, (kind, message, why) in TOLD.items():
        assert kind in outputs[number]
        assert message in outputs[number]
        assert why.replace('"', '\\"') in outputs[number]
    assert not any("ipython" in text for text in outputs)
    (check,) = verdict.checks
    assert str(check.finding).endswith(OVERWRITTEN + CURE)
