"""An overwritten name and a lookalike sign are told by name, place and cure, by the grader and by ``learn check``."""

import json
from pathlib import Path

import pytest

from autograder.checking.checker import found
from autograder.checking.observe import Subject
from autograder.judging.judge import Judge
from autograder.mishaps import MEANT, cause, cited
from autograder.records.job import Cell, Job
from autograder.tasks import decoding
from learn.running import run
from seq2seq.beam.steps import continue_hypotheses
from seq2seq.exercises.decoding import beam_search

ROOT = Path(__file__).resolve().parents[2]
NOT_CALLABLE = "TypeError: 'int' object is not callable"
BINDINGS = {
    "range = 5": 1,
    "x = 1\nsum: int = 3": 2,
    "for max in [1, 2]:\n    pass": 1,
    "if True:\n    with open('f') as list:\n        pass": 2,
    "import os as id": 1,
    "def len(x):\n    return 3": 1,
    "%matplotlib inline\ntype = 3": 2,
    "(a, [min, b]) = 1, [2, 3]": 1,
    "print((str := 3))": 1,
}


@pytest.mark.parametrize(("source", "number"), BINDINGS.items(), ids=BINDINGS)
def test_an_overwritten_name_is_found_wherever_it_was_bound(source, number):
    (name,) = {"range", "sum", "max", "list", "id", "len", "type", "min", "str"} & set(
        source.replace("(", " ").replace("[", " ").replace(",", " ").replace(":", " ").split()
    )
    told = cause(NOT_CALLABLE, {"cell 2": source, "own": "y = 3"}, "own", f"y = {name}(x)")
    quoted = source.splitlines()[number - 1].strip()
    assert told.startswith(f"The name `{name}` is no longer Python's own: cell 2, line {number}, `{quoted}`, gives it")
    assert "restart the kernel" in told


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    range = 5",
        "[range for range in 'ab']",
        "f = lambda range: range",
        "x.range = 5",
        "range(3)",
        "range =",
        "class A:\n    range = 5",
    ],
)
def test_a_name_that_is_bound_in_a_scope_of_its_own_is_not_overwritten(source):
    assert cause(NOT_CALLABLE, {"cell 1": source}, "cell 1", "range(3)") == ""


def test_only_an_error_that_comes_of_it_is_explained_by_it_and_the_last_binding_counts():
    cells = {"cell 1": "sum = 1", "cell 2": "sum = 2", "cell 3": "x = 3"}
    assert cause("ValueError: sum is negative", cells, "cell 3", "sum(x)") == ""
    assert cause(NOT_CALLABLE, cells, "cell 3", "x(3)") == ""
    assert "cell 2, line 1" in cause(NOT_CALLABLE, cells, "cell 3", "sum(x)")
    assert "`sum`" in cause(f"f: raised {NOT_CALLABLE}, at your line `return sum(x)`; it was given x (3,).", cells)


def refused(source):
    with pytest.raises(SyntaxError) as error:
        compile(source, "<ipython-input-3-a1b2c3>", "exec")
    return f"SyntaxError: {error.value}"


@pytest.mark.parametrize(
    "sign", ["\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}", "\N{EM SPACE}", "\N{IDEOGRAPHIC SPACE}"]
)
def test_a_space_that_is_none_is_named_with_its_place(sign):
    told = cause(refused(f"y = 1\nx ={sign}1"), {"cell 4": f"y = 1\nx ={sign}1"}, "cell 4")
    assert told.startswith("The character after `x =` is a ")
    assert told.endswith("space: type an ordinary space in its place.")


@pytest.mark.parametrize(("sign", "meant"), MEANT.items())
def test_a_sign_that_looks_like_another_is_named_with_what_to_type(sign, meant):
    source = f"x = 1 {sign} 2"
    told = cause(refused(source), {"cell 4": source}, "cell 4")
    assert "after `x = 1` is a" in told
    assert f", {sign}: type `{meant}` in its place." in told


def test_another_sign_is_named_and_nothing_is_guessed():
    told = cause(refused("x = \N{ZERO WIDTH SPACE}1"), {"cell 1": "x = \N{ZERO WIDTH SPACE}1"}, "cell 1")
    assert told == "The character after `x =` is a zero width space: delete it and type what you mean."
    assert cause("SyntaxError: invalid syntax", {}, "cell 1") == ""


def test_the_cell_stands_in_the_place_of_ipythons_file():
    assert cited("bad (<ipython-input-3-a1b2c3>, line 7)", "cell 4") == "bad (cell 4, line 7)"
    assert cited("bad (/tmp/ipykernel_12/345.py, line 7)", "encode") == "bad (cell `encode`, line 7)"
    assert cited("in <ipython-input-3-a1b2c3>", "cell 4") == "in cell 4"


OVERWRITTEN = "The name `range` is no longer Python's own: cell 2, line 1, `range = 5`, gives it another meaning."
CELLS = ["import math", "range = 5", "x =\N{NO-BREAK SPACE}1", "print(“a”)", "for i in range(3):\n    pass", "x = = 1"]
TOLD = {
    2: ("SyntaxError", "(cell 3, line 1)", "type an ordinary space"),
    3: ("SyntaxError", "(cell 4, line 1)", 'type `"` in its place'),
    4: ("TypeError", "'int' object is not callable", OVERWRITTEN),
    5: ("SyntaxError", "(cell 6, line 1)", ""),
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
    assert runs[5].cause == ""


@pytest.mark.sandbox
def test_the_grader_tells_it_of_each_cell_and_of_each_check():
    cells = [Cell(f"cell {number}", "code", source) for number, source in enumerate(CELLS, 1)]
    cells.append(Cell("double", "code", "def double(x):\n    return [2 * x for _ in range(1)][0]"))
    cells.append(Cell("check", "check", "double(3)", 2.0))
    with Judge((), ROOT) as judge:
        verdict = judge.run(Job(tuple(cells), 0))
    said = [json.dumps(result.outputs, ensure_ascii=False) for result in verdict.cells]
    for number, (kind, message, why) in TOLD.items():
        assert kind in said[number]
        assert message in said[number]
        assert why.replace('"', '\\"') in said[number]
    assert not any("ipython" in text for text in said)
    (check,) = verdict.checks
    assert str(check.finding).endswith(f"{OVERWRITTEN} Take another name there, restart the kernel, and run all cells.")


def one_step_less(log_table, beam_size, longest, alpha):
    ids, score, steps = beam_search(log_table, beam_size, longest, alpha)
    return ids, score, max(len(ids), steps - 1)


def parents_of_another(alive, log_probabilities, beam_size):
    totals, parents, tokens = continue_hypotheses(alive, log_probabilities, beam_size)
    return totals, parents.sort(dim=1).values, tokens


ASKED = {
    "beam_search": (one_step_less, "steps", "The search ends"),
    "continue_hypotheses": (parents_of_another, "parents", "in which row"),
}


@pytest.mark.parametrize("task", ASKED)
def test_a_number_of_the_beam_comes_with_what_it_means_where_no_mistake_explains_it(task):
    answer, label, words = ASKED[task]
    finding = found(decoding.check.tasks[task], Subject(answer), hidden=False)
    assert finding.what == label
    assert words.lower() in str(finding).lower()
