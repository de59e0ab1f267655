"""Where wrong values stand is told where it holds in every case, and not where it is chance."""

import torch

from autograder.checking.places import place

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
    names = [place([(right(), changed(where), AXES, INPUTS)]) for where, _ in NAMED]
    assert [name and name[0] for name in names] == [wanted for _, wanted in NAMED]
    name, words = place([(right(), changed(~MASK), AXES, {"source_lengths": torch.tensor([2, 4, 3])})])
    assert (name, "source_lengths" in words) == ("padding_1", True)
    assert [place([(right(), wrong, AXES, INPUTS)]) for wrong in (torch.ones(3, 5), 1.0, None)] == [None] * 3


def test_a_fact_is_not_told_where_another_case_contradicts_it_and_a_result_of_one_axis_has_places_too():
    case, column = (right(), changed(columns(0)), AXES, {}), torch.ones(3, 1)
    assert place([case])[0] == "first_1"
    assert place([case, (right(1), changed(columns(0, 2), 1), AXES, {})]) is None
    assert place([case, (column, column + 1, AXES, {})])[0] == "first_1"
    zeros = torch.zeros(4)
    assert place([(zeros, zeros.index_fill(0, torch.tensor(3), 1.0), ["steps"], INPUTS)])[0] == "last_0"
    inputs = {"target_mask": torch.tensor([[True, True], [True, False], [True, True]])}
    assert place([(zeros[:3], torch.tensor([0.0, 1.0, 0.0]), ["batch"], inputs)])[0] == "padded_sentences"
