"""Alignments of a whole batch as tensors, against the same as sets of links."""

import math
import random

import pytest
import torch

from seq2seq.alignment import (
    aer,
    alignment_error,
    diagonal,
    diagonal_links,
    hard_alignment,
    hard_links,
    random_links,
    soft_aer,
)
from seq2seq.demos.altered_attention import median_total_variation, permute_weights
from seq2seq.exercises.alignment import furthest_look, grow_diagonal

LENGTHS = [(5, 6), (3, 4), (1, 2)]  # of source and target


def some_weights():
    raw = torch.rand(3, 6, 5, generator=torch.Generator().manual_seed(0))
    real = torch.arange(5) < torch.tensor([source for source, _ in LENGTHS]).unsqueeze(1)
    return raw, real


def table(links, shape=(6, 5)):
    cells = torch.zeros(shape, dtype=torch.bool)
    for source, target in links:
        cells[target, source] = True
    return cells


def some_links(seed, number):
    draw = random.Random(seed)
    return [frozenset().union(*(random_links(*pair, draw) for _ in range(number))) for pair in LENGTHS]


@pytest.mark.parametrize("shift", [-2, -1, 0, 1, 9, -9])
def test_a_batch_has_the_links_of_its_sentences(shift):
    weights, real = some_weights()
    positions = hard_alignment(weights, real, shift)
    for row, (source, _), found in zip(weights, LENGTHS, positions.tolist(), strict=True):
        links = {(place, word) for word, place in enumerate(found) if place >= 0}
        expected = hard_links(row, source, 6, shift)
        assert links == expected


def test_the_error_of_tables_is_that_of_sets():
    predicted, sure, possible = some_links(1, 1), some_links(2, 1), some_links(3, 2)
    tables = [torch.stack([table(links) for links in side]) for side in (predicted, sure, possible)]
    assert alignment_error(*tables).item() == pytest.approx(aer(predicted, sure, possible))


def test_the_error_of_weights_is_the_soft_one():
    raw, real = some_weights()
    words = torch.arange(6) < torch.tensor([target for _, target in LENGTHS]).unsqueeze(1)
    weights = raw * real.unsqueeze(1) * words.unsqueeze(2)
    weights = weights / weights.sum(-1, keepdim=True).clamp(1e-9)
    sure, possible = some_links(2, 1), some_links(3, 2)
    tables = [torch.stack([table(links) for links in side]) for side in (sure, possible)]
    rows = [row[:target, :source] for row, (source, target) in zip(weights, LENGTHS, strict=True)]
    assert alignment_error(weights, *tables).item() == pytest.approx(soft_aer(rows, sure, possible))


def test_the_diagonal_goes_from_corner_to_corner():
    assert diagonal(9, 4) == [0, 3, 5, 8]
    assert diagonal(4, 1) == [0]
    assert diagonal_links(9, 4) == {(0, 0), (3, 1), (5, 2), (8, 3)}


def test_permuted_weights_are_those_of_the_real_tokens_in_the_order_of_their_draws():
    weights = torch.tensor([[0.5, 0.0, 0.3, 0.2, 0.0]])
    real = torch.tensor([[True, False, True, True, False]])
    draws = torch.tensor([[0.9, 0.05, 0.6, 0.1, 0.0]])
    assert permute_weights(weights, real, draws).tolist() == [[pytest.approx(x) for x in [0.2, 0.0, 0.3, 0.5, 0.0]]]


def test_the_median_total_variation_of_three_trials():
    original = torch.tensor([[0.5, 0.5, 0.0]])
    permuted = torch.tensor([[[0.5, 0.5, 0.0]], [[0.0, 0.0, 1.0]], [[0.25, 0.5, 0.25]]])
    assert median_total_variation(original, permuted).tolist() == [pytest.approx(0.25)]


def test_links_grow_along_a_chain_and_leave_what_touches_none():
    forward, backward = torch.eye(4).bool().unsqueeze(0), torch.zeros(1, 4, 4, dtype=torch.bool)
    backward[0, 0, 0] = forward[0, 3, 0] = True
    assert torch.equal(grow_diagonal(forward, backward), torch.eye(4).bool().unsqueeze(0))


def test_the_furthest_look_is_chosen_among_the_trials_that_count():
    weights, others = torch.tensor([[1.0, 0.0]]), torch.tensor([[[0.5, 0.5]], [[0.0, 1.0]], [[0.0, 1.0]]])
    output, outputs = torch.tensor([[0.5, 0.5]]), torch.tensor([[[0.5, 0.5]], [[0.75, 0.25]], [[1.0, 0.0]]])
    for tolerance, trial, apart in ((0.25, 1, math.log(2)), (0.1, 0, 0.75 * math.log(4 / 3))):
        chosen, divergence = furthest_look(weights, others, output, outputs, tolerance)
        assert chosen.tolist() == [trial]
        assert divergence.item() == pytest.approx(apart, abs=1e-6)
    assert furthest_look(weights, others[2:], output, outputs[2:], 0.1)[0].tolist() == [-1]
