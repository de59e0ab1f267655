"""What a learner reads: the cause in words, axes by their names, numbers with what they mean."""

import pytest
import torch

from autograder.checking.checker import found
from autograder.checking.edits import edit
from autograder.checking.observe import Subject
from autograder.checking.places import only_zero_rows, place
from autograder.checking.relations import relation
from autograder.checking.task import Task, hidden, mistake, visible
from autograder.tasks import decoding
from autograder.wording import axis_names, plural, singular
from seq2seq.beam.steps import continue_hypotheses
from seq2seq.exercises.decoding import beam_search
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


def test_axes_and_places_on_them_have_names_and_there_are_as_many_as_the_result_has_axes():
    axes = "positions size | batch positions size"
    found = [axis_names(axes, dims) for dims in (1, 2, 3)]
    assert found == [["axis 0"], ["positions", "size"], ["batch", "positions", "size"]]
    names = [(singular(axis), plural(axis)) for axis in ("value_size", "beam_size", "rooms", "axis 2")]
    several = [("feature", "features"), ("hypothesis", "hypotheses"), ("place on `rooms`", "places on `rooms`")]
    assert names == [*several, ("", "")]


RIGHT = torch.rand(2, 4, 5, generator=torch.Generator().manual_seed(0))
REGROUPED = RIGHT.transpose(1, 2).reshape(RIGHT.shape)
HEADS, QUERIES = ["batch", "heads", "keys"], ["batch", "queries", "keys"]


def shifted(axis, index):
    wrong = RIGHT.clone()
    wrong.select(axis, index).add_(1)
    return wrong


@pytest.mark.parametrize(
    ("axes", "wrong", "words"),
    [
        (HEADS, shifted(1, 0), "only head 0 is wrong"),
        (HEADS, shifted(2, -1), "only the last key is wrong"),
        ([], shifted(1, 0), "only index 0 of axis 1 is wrong"),
        ([], shifted(2, -1), "only the last index of axis 2 is wrong"),
        (QUERIES, RIGHT.flip(1), "the right values, but with the queries in reverse order"),
        ([], RIGHT.flip(1), "the right values, but in reverse order along axis 1"),
        (QUERIES, RIGHT.roll(1, 1), "the right values, but one query too late"),
        ([], RIGHT.roll(-1, 1), "the right values, but one place too early along axis 1"),
        (HEADS, REGROUPED, "`heads` and `keys` should change places"),
        ([], REGROUPED, "axis 1 and axis 2 should change places"),
    ],
)
def test_what_is_wrong_is_told_by_the_names_of_its_axes(axes, wrong, words):
    told = place([(RIGHT, wrong, axes, {})]) or relation([(RIGHT, wrong, axes)])
    assert told[1].startswith(words)


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
