import ast
from contextlib import suppress

import pytest

from autograder.checking import edits as edits_module
from autograder.checking.edits import EditError, apply, body, edit, start

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
NOT_FITTING = [
    *(edit("torch.relu({x})", "{x}"), edit("x +", "x"), edit("x + 1", "pass", of="score"), body("pass", of="nowhere")),
    *(edit("x + 1", "x - 1", **where) for where in ({}, {"at": 2}, {"of": "nowhere"})),
]


def edited(*edits):
    return ast.unparse(apply(ast.parse(SOURCE), edits))


def test_statements_are_replaced_together_none_leaves_a_pass_and_a_hole_means_the_same_twice():
    assert "pass" in edited(edit("return x + 1", "", at=0))
    assert "softmax(dim=0)" in edited(edit("dim=-1", "dim=0"))
    both = "scores = torch.tanh({x})\nif {y}:\n    return scores.softmax(dim=-1)"
    assert "torch.tanh" not in edited(edit(both, "scores = {x}"))
    tree = ast.parse("a = f(x, x) + f(x, y)")
    assert ast.unparse(apply(tree, (edit("f({a}, {a})", "g({a})"),))) == "a = g(x) + f(x, y)"
    assert ast.unparse(tree) == "a = f(x, x) + f(x, y)"


@pytest.mark.parametrize("change", NOT_FITTING)
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
