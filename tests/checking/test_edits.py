import ast
from contextlib import suppress

import pytest

from autograder.checking import edits as edits_module
from autograder.checking.edits import EditError, apply, body, edit, result, start

SOURCE = """
def outer(query, keys):
    scores = torch.tanh(query @ keys)
    if scores.sum() > 0:
        return scores.softmax(dim=-1)
    return scores

class Thing:
    def score(self, x):
        return x + 1

    def other(self, x):
        return x + 1
"""


def edited(*edits):
    return ast.unparse(apply(ast.parse(SOURCE), edits))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (edit("torch.tanh({x})", "{x}"), "scores = query @ keys"),
        (edit("{a} @ {b}", "{b} @ {a}"), "scores = torch.tanh(keys @ query)"),
        (edit("dim=-1", "dim=0"), "return scores.softmax(dim=0)"),
        (edit("scores.softmax", "scores.log_softmax"), "return scores.log_softmax(dim=-1)"),
        (edit("return scores", "return scores.detach()"), "return scores.detach()"),
        (edit("x + 1", "x - 1", of="score"), "return x - 1"),
        (edit("x + 1", "x * 2", at=1), "return x * 2"),
        (edit("scores.sum() > 0", "True"), "if True:"),
        (result("-({x})", of="outer"), "return -scores"),
        (start("query = query.clone()", of="outer"), "query = query.clone()"),
        (body("return keys", of="outer"), "return keys"),
    ],
)
def test_an_edit_changes_what_it_fits_and_nothing_else(change, line):
    old, new = ast.unparse(ast.parse(SOURCE)).split("\n"), edited(change).split("\n")
    assert line in [one.strip() for one in new]
    if change != body("return keys", of="outer"):
        assert sum(one not in old for one in new) <= 2


def test_statements_that_follow_each_other_are_replaced_together_and_none_leaves_a_pass():
    assert "pass" in edited(edit("return x + 1", "", at=0))
    both = "scores = torch.tanh({x})\nif {y}:\n    return scores.softmax(dim=-1)"
    assert "torch.tanh" not in edited(edit(both, "scores = {x}"))


def test_a_hole_that_stands_twice_means_the_same_twice():
    tree = ast.parse("a = f(x, x) + f(x, y)")
    assert ast.unparse(apply(tree, (edit("f({a}, {a})", "g({a})"),))) == "a = g(x) + f(x, y)"


def test_the_tree_that_is_edited_stays_as_it_was():
    tree = ast.parse(SOURCE)
    before = ast.dump(tree)
    apply(tree, (edit("torch.tanh({x})", "{x}"), start("pass", of="score")))
    assert ast.dump(tree) == before


@pytest.mark.parametrize(
    "change",
    [
        edit("torch.relu({x})", "{x}"),
        edit("x + 1", "x - 1"),
        edit("x + 1", "x - 1", at=2),
        edit("x + 1", "x - 1", of="nowhere"),
        edit("x +", "x"),
        edit("x + 1", "pass", of="score"),
        body("pass", of="nowhere"),
    ],
)
def test_an_edit_that_does_not_fit_says_so(change):
    with pytest.raises(EditError):
        edited(change)


@pytest.mark.parametrize("fits", [True, False])
def test_a_tree_that_is_edited_in_place_is_as_it_was_afterwards(fits):
    tree = ast.parse(SOURCE)
    before = ast.dump(tree, include_attributes=True)
    edits = start("pass", of="score"), edit("x + 1", "x", "all"), body("return keys", of="outer")
    with suppress(EditError), edits_module.edited(tree, (*edits, *(() if fits else [edit("nowhere", "x")]))):
        assert ast.unparse(tree) == edited(*edits)
    assert ast.dump(tree, include_attributes=True) == before
