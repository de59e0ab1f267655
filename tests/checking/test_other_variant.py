"""The answer to another variant is told in the words that set that one."""

from autograder.checking.checker import announced
from autograder.checking.search import OTHER_VARIANT, _of
from autograder.checking.task import Task, variant


def add(x, y):
    return x + y


def test_the_words_that_set_the_other_variant_are_quoted_unless_they_are_a_formula():
    minus = variant("minus", text={"the sum of the two": "the second less the first."})
    formula = variant("formula", text={"$x + y$": r"$\frac{x}{y}$"})
    plain = Task(add, "add: a sum", [], variants=[minus, formula])
    assert _of(plain, plain.of("minus")) == f"{OTHER_VARIANT}, where it says “the second less the first”"
    assert _of(plain.of("minus"), plain.of("plain")) == f"{OTHER_VARIANT}, where it says “the sum of the two”"
    assert _of(plain, plain.of("formula")) == OTHER_VARIANT


def test_a_variant_that_is_right_is_not_praised_in_the_words_of_the_plain_task():
    task = Task(add, "add: a sum", [], variants=[variant("minus", text={})])
    assert announced(task, hidden=False) == "add: a sum"
    assert announced(task.of("plain"), hidden=False) == "add: a sum"
    assert announced(task.of("minus"), hidden=False) == "add: as your variant asks"
