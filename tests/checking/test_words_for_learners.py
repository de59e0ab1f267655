"""What a learner reads: the cause in words, axes by their names, numbers with what they mean."""

import pytest
import torch

from autograder.checking.checker import examine
from autograder.checking.observation import Candidate
from autograder.checking.relations import relation
from autograder.checking.symptoms import only_zero_rows, where_in
from autograder.checking.wording import axis_names, plural, singular
from autograder.tasks import batches, capstone, decoding
from seq2seq.exercises.decoding import beam_search
from tests.catalogue import answers as catalogue
from tests.catalogue.lesson import edits, lesson

SELF_ATTENTION = "14_self_attention"
CAUSES = [  # of answers of the catalogue: words that the check says of each
    ("multi_head_attention", "keys and values projected again", "applied again; both come in projected"),
    ("rotate", "base 1000", "the base of the power is 1000"),
    ("rotate", "the axis after the batch", "the positions are looked for on axis 1"),
    ("rotate", "axis 1 counted, whatever it holds", "the positions are looked for on axis 1"),
    ("cached_attention", "the new word not among those seen", "the new word does not see itself"),
    ("cached_attention", "a full cache shifted in place", "the cache given to a step: changed in place"),
    ("self_attention", "a query that sees nothing made uniform", "gets equal weights for all keys"),
    ("multi_head_attention", "a query that sees nothing made uniform", "gets equal weights for all keys"),
    ("seen_by_last", "None read as all queries", "without `queries` no causal mask is asked for"),
    ("rotate", "the axis after the batch", "raised RuntimeError: The size of"),
    ("rotate", "the axis after the batch", "(it was given vectors ("),
    ("rotate", "a table of 2048 places", "; it was given vectors ("),
    ("multi_head_attention", "edit reshaped_and_back", "a head gets all features of some positions"),
    ("multi_head_attention", "edit dealt_and_collected", "a head gets every H-th feature"),
]


@pytest.mark.parametrize(("task", "name", "words"), CAUSES)
def test_the_cause_is_told_in_words(task, name, words):
    answers = [*catalogue.load(SELF_ATTENTION, task), *edits(SELF_ATTENTION, task)]
    answer = next(answer for answer in answers if answer.name == name)
    exercise = lesson(SELF_ATTENTION)
    assert words in str(exercise.finding(task, answer.caught, exercise.run(answer)))


TOLD = [  # what an answer gives, and words that the check says of it
    (capstone, "train", lambda model, batches, *rates: [0.0 for _ in batches], "losses: 0 at [0], expected "),
    (capstone, "sign_test", lambda before, after: (..., 0, 1.0), "won: an ellipsis, expected a number"),
    (capstone, "sign_test", lambda before, after: (10**5000, 0, 1.0), "won: inf, expected a finite number"),
    (
        batches,
        "depends_on_company",
        lambda network, source, lengths: network(source[0], lengths),
        "at your line `lambda network, source, lengths: network(source[0], lengths),`",
    ),
    (decoding, "lured", lambda: {"<bos>": {1: 0.5, "one": 0.5}, 1: {}, "one": {}}, "shares after 1 that do not sum"),
]


@pytest.mark.parametrize(("tasks", "name", "answer", "words"), TOLD)
def test_what_is_wrong_is_told_and_nothing_that_is_not(tasks, name, answer, words):
    task = tasks.check.tasks[name]
    assert words in str(examine(task, Candidate(answer, task.tools), hidden=False))


def test_axes_and_places_on_them_have_names_and_there_are_as_many_as_the_result_has_axes():
    axes = "positions size | batch positions size"
    by_dims = [axis_names(axes, dims) for dims in (1, 2, 3)]
    assert by_dims == [["axis 0"], ["positions", "size"], ["batch", "positions", "size"]]
    names = [(singular(axis), plural(axis)) for axis in ("value_size", "beam_size", "rooms", "axis 2")]
    several = [("feature", "features"), ("hypothesis", "hypotheses"), ("place on `rooms`", "places on `rooms`")]
    assert names == [*several, ("", "")]


RIGHT = torch.rand(2, 4, 5, generator=torch.Generator().manual_seed(0))
REGROUPED = RIGHT.transpose(1, 2).reshape(RIGHT.shape)
HEADS, QUERIES, UNNAMED = ["batch", "heads", "keys"], ["batch", "queries", "keys"], axis_names("", 3)


def shifted(axis, index):
    wrong = RIGHT.clone()
    wrong.select(axis, index).add_(1)
    return wrong


@pytest.mark.parametrize(
    ("axes", "wrong", "words"),
    [
        *((HEADS, shifted(1, 0), "only head 0 is wrong"), (HEADS, shifted(2, -1), "only the last key is wrong")),
        (UNNAMED, shifted(1, 0), "only index 0 of axis 1 is wrong"),
        (UNNAMED, shifted(2, -1), "only the last index of axis 2 is wrong"),
        (QUERIES, RIGHT.flip(1), "the right values, but with the queries in reverse order"),
        (UNNAMED, RIGHT.flip(1), "the right values, but in reverse order along axis 1"),
        (QUERIES, RIGHT.roll(1, 1), "the right values, but one query too late"),
        (UNNAMED, RIGHT.roll(-1, 1), "the right values, but one place too early along axis 1"),
        (HEADS, REGROUPED, "`heads` and `keys` should change places"),
        (UNNAMED, REGROUPED, "axis 1 and axis 2 should change places"),
    ],
)
def test_what_is_wrong_is_told_by_the_names_of_its_axes(axes, wrong, words):
    told = where_in([(RIGHT, wrong, axes, {})]) or relation([(RIGHT, wrong, axes)])
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


def one_step_less(log_table, beam_size, longest, alpha):
    ids, score, steps = beam_search(log_table, beam_size, longest, alpha)
    return ids, score, max(len(ids), steps - 1)


def test_a_number_of_the_beam_comes_with_what_it_means_where_no_mistake_explains_it():
    finding = examine(decoding.check.tasks["beam_search"], Candidate(one_step_less), hidden=False)
    assert finding.what == "steps"
    assert "the search ends after the step" in str(finding)


MASK = torch.tensor([[True, True, False, False], [True] * 4, [True, True, True, False]])
INPUTS = {"values": torch.ones(3, 4, 2), "source_mask": MASK}
AXES = ["batch", "keys"]


def right(seed=0):
    return torch.rand(3, 4, generator=torch.Generator().manual_seed(seed))


def changed(where, seed=0):
    return torch.where(where, right(seed) + 1, right(seed))


def rows(*numbers):
    return torch.isin(torch.arange(3), torch.tensor(numbers))[:, None].expand(3, 4)


def columns(*numbers):
    return torch.isin(torch.arange(4), torch.tensor(numbers))[None].expand(3, 4)


NAMED = [
    *((~MASK, "padding_1"), (~MASK & rows(0), "padding_1"), (rows(0, 2), "padded_sentences")),
    *((rows(1), "full_sentences"), (columns(0), "first_1"), (columns(3) & rows(0, 1), "last_1")),
    *((columns(1, 2, 3), "but_first_1"), (columns(0, 1, 2), "but_last_1")),
    *((rows(1, 2) & columns(0, 1), "first_sentence"), (rows(0, 1) & columns(1, 2), None)),
]


def test_a_place_is_named_by_lengths_too_and_of_other_shapes_none():
    names = [where_in([(right(), changed(where), AXES, INPUTS)]) for where, _ in NAMED]
    assert [name and name[0] for name in names] == [wanted for _, wanted in NAMED]
    name, words = where_in([(right(), changed(~MASK), AXES, {"source_lengths": torch.tensor([2, 4, 3])})])
    assert (name, "source_lengths" in words) == ("padding_1", True)
    assert where_in([(right(), changed(~MASK), ["batch", "size"], INPUTS)])[0] == "padded_sentences"  # no place there
    assert [where_in([(right(), wrong, AXES, INPUTS)]) for wrong in (torch.ones(3, 5), 1.0, None)] == [None] * 3


def test_a_fact_is_not_told_where_another_case_contradicts_it_and_a_result_of_one_axis_has_places_too():
    case, column = (right(), changed(columns(0)), AXES, {}), torch.ones(3, 1)
    assert where_in([case])[0] == "first_1"
    assert where_in([case, (right(1), changed(columns(0, 2), 1), AXES, {})]) is None
    assert where_in([case, (column, column + 1, AXES, {})])[0] == "first_1"
    zeros = torch.zeros(4)
    assert where_in([(zeros, zeros.index_fill(0, torch.tensor(3), 1.0), ["steps"], INPUTS)])[0] == "last_0"
    inputs = {"target_mask": torch.tensor([[True, True], [True, False], [True, True]])}
    assert where_in([(zeros[:3], torch.tensor([0.0, 1.0, 0.0]), ["batch"], inputs)])[0] == "padded_sentences"


ROWS = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
OF_TENSORS = [
    *((3 * ROWS, "factor"), (-ROWS, "sign"), (ROWS + 0.25, "offset"), (ROWS.softmax(-1), "softmax")),
    *((ROWS - ROWS.amax(-1, keepdim=True), "row_offset"), (ROWS.log(), "log"), (1 - ROWS, "one_minus")),
    *((ROWS.flip(-1), "flipped_1"), (ROWS.T.reshape(2, 3), "reshaped_0_1")),
    (torch.tensor([[0.0, 0.2, 0.5], [0.0, 0.1, 0.1]]), "shifted_1_late"),
    (torch.full((2, 3), 0.4), "no_distribution"),
    (torch.tensor([[0.9, 0.3, 0.1], [0.1, 0.7, 0.7]]), "no_distribution"),
]
OF_NUMBERS = [
    *((0.2, 0.8, "one_minus"), (4.0, 0.25, "inverse"), (2.0, 0.6931472, "log"), (3, 4, "off_1"), (7.0, 21.0, "factor")),
    *(([1, 2, 3], [3, 2, 1], "reversed"), ([1, 2, 3], [2, 3], "first_missing"), ([1, 2, 3], [2, 3, 4], "off")),
    *(([1, 2, 3], [1, 2, 3, 3], "last_extra"), ([1, 2, 3], [2, 1, 3], "order")),
    (torch.tensor([True, False]), torch.tensor([False, True]), "not"),
]
WIDE = torch.rand(4, 3, dtype=torch.float64)


def test_a_relation_is_named():
    assert [relation([(ROWS, wrong, AXES)])[0] for wrong, _ in OF_TENSORS] == [wanted for _, wanted in OF_TENSORS]
    names = [relation([(right, wrong, [])])[0] for right, wrong, _ in OF_NUMBERS]
    assert names == [wanted for _, _, wanted in OF_NUMBERS]


OF_CASES = [
    ([(ROWS, 3 * ROWS, AXES), (ROWS, ROWS.flip(-1), AXES)], None),  # not the same in every case
    ([(ROWS, 3 * ROWS, AXES), (ROWS, 2 * ROWS, AXES)], "factor"),
    ([(WIDE, WIDE.float().double(), AXES)], "single_precision"),  # right to seven digits
    ([(2.0, 6.2, []), (3.0, 7.0, [])], None),  # another factor of a number in each case
    ([(2.0, 2.7, [])], None),  # any number is a multiple of any other
    *(([(2.0, 2.7, []), (4.0, 5.4, [])], "factor"), ([(2.0, 20.0, [])], "factor")),
]


def test_a_relation_holds_in_every_case_and_a_factor_that_changes_is_told_without_its_number():
    assert [(relation(cases) or [None])[0] for cases, _ in OF_CASES] == [wanted for _, wanted in OF_CASES]
    assert "3" not in relation(OF_CASES[1][0])[1]
