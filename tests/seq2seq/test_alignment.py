import random

import pytest
import torch

from seq2seq.alignment import aer, best_links, diagonal_links, hard_links, random_links, soft_aer

WEIGHTS = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.1, 0.4], [0.2, 0.1, 0.7]])  # two words and EOS over three words
GOLD = [frozenset({(0, 0), (1, 1)}), frozenset({(0, 0)})]


def some_rows(target_length, source_length, seed):
    rows = torch.rand(target_length, source_length, generator=torch.Generator().manual_seed(seed))
    return rows / rows.sum(-1, keepdim=True)


def test_hard_links_go_to_the_largest_weight():
    assert hard_links(WEIGHTS, 3, 2) == {(1, 0), (0, 1)}


def test_hard_links_leave_out_padding_and_the_row_of_eos():
    weights = torch.tensor([[0.2, 0.1, 0.0, 0.7], [0.1, 0.2, 0.7, 0.0], [1.0, 0.0, 0.0, 0.0]])
    assert hard_links(weights, source_length=2, target_length=2) == {(0, 0), (1, 1)}


def test_shift_below_zero_takes_the_row_after_the_word():
    assert hard_links(WEIGHTS, 3, 2, shift=-1) == {(0, 0), (2, 1)}


def test_shift_above_zero_takes_the_row_before_the_word():
    assert hard_links(WEIGHTS, 3, 2, shift=1) == {(1, 1)}


def test_aer_equals_its_definition():
    predicted = [frozenset({(0, 0), (2, 1)}), frozenset({(1, 0)})]
    assert aer(predicted, GOLD) == pytest.approx(1 - 2 * 1 / (3 + 3))


def test_aer_of_the_gold_links_is_zero():
    assert aer(GOLD, GOLD) == 0


def test_a_possible_link_is_not_missed_but_right_when_found():
    possible = [frozenset({(2, 1)}), frozenset()]
    assert aer([frozenset({(0, 0), (1, 1), (2, 1)}), GOLD[1]], GOLD, possible) == 0
    assert aer(GOLD, GOLD, possible) == 0


def test_a_sure_link_counts_as_possible_without_being_listed():
    assert aer(GOLD, GOLD, [frozenset(), frozenset()]) == 0


def test_aer_of_no_links_at_all_is_refused():
    with pytest.raises(ValueError, match="no link on either side"):
        aer([frozenset()], [frozenset()])


def test_soft_aer_equals_its_loop():
    weights = [some_rows(5, 7, 0), some_rows(3, 4, 1)]
    sure = [frozenset({(0, 0), (6, 4), (2, 2)}), frozenset({(3, 1)})]
    possible = [frozenset({(1, 0)}), frozenset({(0, 0), (3, 1)})]
    hits, links = 0.0, 0.0
    for rows, must, may in zip(weights, sure, possible, strict=True):
        links += len(must)
        for target in range(rows.size(0)):
            for source in range(rows.size(1)):
                weight = rows[target, source].item()
                links += weight
                hits += weight * ((source, target) in must) + weight * ((source, target) in must | may)
    assert soft_aer(weights, sure, possible) == pytest.approx(1 - hits / links, abs=1e-6)


def test_soft_aer_of_one_hot_weights_is_the_hard_one():
    hard = [frozenset({(1, 0), (0, 1), (2, 2)})]
    gold = [frozenset({(1, 0), (2, 1), (2, 2)})]
    rows = torch.zeros(3, 4)
    for source, target in hard[0]:
        rows[target, source] = 1.0
    assert soft_aer([rows], gold) == pytest.approx(aer(hard, gold))


def test_soft_aer_of_uniform_weights_is_worse_than_of_right_ones():
    gold = [frozenset({(0, 0), (1, 1), (2, 2)})]
    assert soft_aer([torch.eye(3)], gold) == 0 < soft_aer([torch.full((3, 3), 1 / 3)], gold)


def test_soft_aer_refuses_transposed_weights():
    with pytest.raises(ValueError, match="are they transposed"):
        soft_aer([some_rows(4, 2, 0)], [frozenset({(3, 1)})])


@pytest.mark.parametrize("lengths", [(1, 1), (5, 1), (1, 5), (4, 9), (9, 4)])
def test_the_diagonal_has_one_link_per_word_from_corner_to_corner(lengths):
    source_length, target_length = lengths
    links = diagonal_links(source_length, target_length)
    assert sorted(target for _, target in links) == list(range(target_length))
    assert (0, 0) in links
    assert target_length == 1 or (source_length - 1, target_length - 1) in links


def test_random_links_are_inside_the_sentence_and_repeatable():
    links = random_links(3, 50, random.Random(5))
    assert {source for source, _ in links} == {0, 1, 2}
    assert len(links) == 50
    assert links == random_links(3, 50, random.Random(5))


def test_no_choice_of_one_link_per_word_beats_the_best():
    gold = frozenset({(0, 0), (1, 0), (2, 2)})  # word 0 has two links, word 1 none
    choices = [frozenset({(a, 0), (b, 1), (c, 2)}) for a in range(3) for b in range(3) for c in range(3)]
    assert aer([best_links(gold, 3)], [gold]) == min(aer([links], [gold]) for links in choices)


@pytest.mark.parametrize("metric", [aer, soft_aer])
@pytest.mark.parametrize("ours", [[], [frozenset()] * 3])
def test_sentences_must_come_in_pairs(metric, ours):
    with pytest.raises(ValueError, match=f"got {len(ours)} of ours and"):
        metric(ours, GOLD if ours else [])
