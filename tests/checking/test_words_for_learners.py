"""What a learner reads: the cause in words, axes by their names, truth values as True and False."""

import pytest
import torch

from autograder.checking.checker import found
from autograder.checking.edits import edit
from autograder.checking.observe import Subject
from autograder.checking.places import only_zero_rows, place
from autograder.checking.relations import relation
from autograder.checking.task import Task, hidden, mistake, visible
from autograder.wording import axis_names, difference, plural, singular
from tests.catalogue import answers as catalogue
from tests.catalogue.lesson import edits, lesson

SELF_ATTENTION = "14_self_attention"
CAUSES = {
    ("multi_head_attention", "keys and values projected again"): "applied again; both come in projected",
    ("rotate", "base 1000"): "the base of the power is 1000",
    ("rotate", "the axis after the batch"): "the positions are looked for on axis 1",
    ("rotate", "axis 1 counted, whatever it holds"): "the positions are looked for on axis 1",
    ("cached_attention", "the new word not among those seen"): "the new word does not see itself",
    ("cached_attention", "a full cache shifted in place"): "the cache given to a step: changed in place",
    ("self_attention", "a query that sees nothing made uniform"): "gets equal weights for all keys",
    ("multi_head_attention", "a query that sees nothing made uniform"): "gets equal weights for all keys",
    ("seen_by_last", "None read as all queries"): "without `queries` no causal mask is asked for",
    ("multi_head_attention", "edit reshaped_and_back"): "a head gets all features of some positions",
    ("multi_head_attention", "edit dealt_and_collected"): "a head gets every H-th feature",
}


@pytest.mark.parametrize(("task", "name"), CAUSES)
def test_the_cause_is_told_in_words(task, name):
    answers = [*catalogue.load(SELF_ATTENTION, task), *edits(SELF_ATTENTION, task)]
    answer = next(one for one in answers if one.name == name)
    own = lesson(SELF_ATTENTION)
    assert CAUSES[task, name] in str(own.found(task, answer.caught, own.run(answer)))


def test_truth_values_are_shown_as_true_and_false():
    got, expected = torch.tensor([[True, False]]), torch.tensor([[True, True]])
    assert difference(got, expected, "") == ("False at [0, 1]", "True")


def test_axes_are_named_by_as_many_names_as_the_result_has_axes():
    axes = "positions size | batch positions size"
    assert axis_names(axes, 2) == ["positions", "size"]
    assert axis_names(axes, 3) == ["batch", "positions", "size"]
    assert axis_names(axes, 1) == ["axis 0"]


@pytest.mark.parametrize(
    ("axis", "one", "several"),
    [
        ("queries", "query", "queries"),
        ("value_size", "feature", "features"),
        ("beam_size", "hypothesis", "hypotheses"),
        ("rooms", "place on `rooms`", "places on `rooms`"),
        ("axis 2", "", ""),
    ],
)
def test_a_place_on_an_axis_has_a_name(axis, one, several):
    assert (singular(axis), plural(axis)) == (one, several)


RIGHT = torch.rand(2, 4, 5, generator=torch.Generator().manual_seed(0))


def shifted(axis, index):
    wrong = RIGHT.clone()
    wrong.select(axis, index).add_(1)
    return wrong


@pytest.mark.parametrize(
    ("axes", "wrong", "words"),
    [
        (["batch", "heads", "keys"], shifted(1, 0), "only head 0 is wrong"),
        (["batch", "heads", "keys"], shifted(2, -1), "only the last key is wrong"),
        ([], shifted(1, 0), "only index 0 of axis 1 is wrong"),
        ([], shifted(2, -1), "only the last index of axis 2 is wrong"),
    ],
)
def test_a_place_is_told_by_the_name_of_its_axis(axes, wrong, words):
    assert place([(RIGHT, wrong, axes, {})])[1] == words


@pytest.mark.parametrize(
    ("axes", "wrong", "words"),
    [
        (["batch", "queries", "keys"], RIGHT.flip(1), "with the queries in reverse order"),
        ([], RIGHT.flip(1), "in reverse order along axis 1"),
        (["batch", "queries", "keys"], RIGHT.roll(1, 1), "one query too late"),
        ([], RIGHT.roll(-1, 1), "one place too early along axis 1"),
    ],
)
def test_what_moved_is_told_by_the_name_of_its_axis(axes, wrong, words):
    assert relation([(RIGHT, wrong, axes)])[1] == f"the right values, but {words}"


@pytest.mark.parametrize(
    ("axes", "words"), [(["batch", "heads", "keys"], "`heads` and `keys`"), ([], "axis 1 and axis 2")]
)
def test_axes_that_should_change_places_are_named(axes, words):
    wrong = RIGHT.transpose(1, 2).reshape(RIGHT.shape)
    assert relation([(RIGHT, wrong, axes)])[1].startswith(f"{words} should change places")


def test_rows_that_have_to_be_0_are_told_only_where_nothing_else_is_wrong():
    right = RIGHT.clone()
    right[:, 1] = 0
    uniform, other = right.clone(), right.clone()
    uniform[:, 1] = 0.2
    other[:, 1:3] = 0.2
    assert only_zero_rows([(right, uniform, [], {})])[0] == "zero_rows"
    assert only_zero_rows([(right, other, [], {})]) is None
    assert only_zero_rows([(RIGHT, RIGHT + 1, [], {})]) is None
    assert only_zero_rows([]) is None


def total(values):
    return values.sum(-1) / values.size(-1)


TASK = Task(
    total,
    "total: a mean",
    [visible(), hidden("one axis", batch=0)],
    lambda draw, batch, size: {"values": draw.normal(*[batch][:batch], size)},
    {"batch": 3, "size": 3},
    {"total": "| batch"},
    id="test.total",
    mistakes=[mistake("axis_1", "the size is that of axis 1", edit("values.size(-1)", "values.size(1)"))],
)


def test_a_listed_mistake_that_raises_is_told_beside_what_was_given_and_another_only_by_what_it_raised():
    known = found(TASK, Subject(lambda values: values.sum(-1) / values.shape[1]), hidden=True)
    assert (known.mistake, known.why) == ("axis_1", "the size is that of axis 1")
    assert known.got.startswith("raised IndexError")
    assert known.got.endswith("(it was given values (3,))")
    other = found(TASK, Subject(lambda values: values.sum(-1) / 3 + 0 * {1: 1}[values.dim() - 1]), hidden=True)
    assert (other.mistake, other.why) == ("raised.KeyError", "it was given values (3,)")
