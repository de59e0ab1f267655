"""Links, tables of links, their scores, annotators' agreement, and the aligner of words, where links are known."""

import math
import random

import pytest
import torch

from seq2seq import alignment
from seq2seq.corpora.everyday import ANNOTATORS, annotation
from seq2seq.corpora.hansards import AlignedPair
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.demos.altered_attention import median_total_variation, permute_weights
from seq2seq.evaluation.agreement import agreement
from seq2seq.evaluation.link_scores import link_scores
from seq2seq.evaluation.word_aligner import WordAligner, position_prior, turned, union_links
from seq2seq.exercises.alignment import furthest_look, grow_diagonal
from seq2seq.vocab import Vocabulary

WEIGHTS = torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.1, 0.4], [0.2, 0.1, 0.7]])  # two words and EOS over three words
GOLD = [frozenset({(0, 0), (1, 1)}), frozenset({(0, 0)})]
LENGTHS = [(5, 6), (3, 4), (1, 2)]  # of source and target
RAW = torch.rand(3, 6, 5, generator=torch.Generator().manual_seed(0))
REAL = torch.arange(5) < torch.tensor([source for source, _ in LENGTHS]).unsqueeze(1)


def test_hard_links_go_to_the_largest_weight_of_the_words_row_or_of_one_beside_it_but_not_to_padding_or_from_eos():
    for shift, links in ((0, {(1, 0), (0, 1)}), (-1, {(0, 0), (2, 1)}), (1, {(1, 1)})):
        assert alignment.hard_links(WEIGHTS, 3, 2, shift) == alignment.hard_links(WEIGHTS.numpy(), 3, 2, shift) == links
    weights = torch.tensor([[0.2, 0.1, 0.0, 0.7], [0.1, 0.2, 0.7, 0.0], [1.0, 0.0, 0.0, 0.0]])
    assert alignment.hard_links(weights, source_length=2, target_length=2) == {(0, 0), (1, 1)}


def test_aer_equals_its_definition():
    """A possible link is not missed, but right when found; a sure one counts as possible without being listed."""
    assert alignment.aer([frozenset({(0, 0), (2, 1)}), frozenset({(1, 0)})], GOLD) == pytest.approx(1 - 2 * 1 / (3 + 3))
    assert alignment.aer(GOLD, GOLD) == 0
    possible = [frozenset({(2, 1)}), frozenset()]
    assert alignment.aer([frozenset({(0, 0), (1, 1), (2, 1)}), GOLD[1]], GOLD, possible) == 0
    assert alignment.aer(GOLD, GOLD, possible) == 0
    assert alignment.aer(GOLD, GOLD, [frozenset(), frozenset()]) == 0


def test_soft_aer_equals_its_loop():
    weights = [torch.rand(5, 7).softmax(-1), torch.rand(3, 4).softmax(-1)]
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
    assert alignment.soft_aer(weights, sure, possible) == pytest.approx(1 - hits / links, abs=1e-6)


def test_the_diagonal_has_one_link_per_word_from_corner_to_corner():
    for source_length, target_length in ((1, 1), (5, 1), (1, 5), (4, 9), (9, 4)):
        links = alignment.diagonal_links(source_length, target_length)
        assert sorted(target for _, target in links) == list(range(target_length))
        assert (0, 0) in links
        assert target_length == 1 or (source_length - 1, target_length - 1) in links
    assert alignment.diagonal_links(9, 4) == {(0, 0), (3, 1), (5, 2), (8, 3)}
    assert (alignment.diagonal(9, 4), alignment.diagonal(4, 1)) == ([0, 3, 5, 8], [0])


def test_random_links_are_inside_the_sentence_and_repeatable():
    links = alignment.random_links(3, 50, random.Random(5))
    assert {source for source, _ in links} == {0, 1, 2}
    assert len(links) == 50
    assert links == alignment.random_links(3, 50, random.Random(5))


def test_no_choice_of_one_link_per_word_beats_the_best():
    gold = frozenset({(0, 0), (1, 0), (2, 2)})  # word 0 has two links, word 1 none
    choices = [frozenset({(a, 0), (b, 1), (c, 2)}) for a in range(3) for b in range(3) for c in range(3)]
    least = min(alignment.aer([links], [gold]) for links in choices)
    assert alignment.aer([alignment.best_links(gold, 3)], [gold]) == least


def table(links, shape=(6, 5)):
    cells = torch.zeros(shape, dtype=torch.bool)
    for source, target in links:
        cells[target, source] = True
    return cells


def some_links(seed, number):
    draw = random.Random(seed)
    return [frozenset().union(*(alignment.random_links(*pair, draw) for _ in range(number))) for pair in LENGTHS]


def test_a_batch_has_the_links_of_its_sentences():
    for shift in (-2, -1, 0, 1, 9, -9):
        positions = alignment.hard_alignment(RAW, REAL, shift).tolist()
        for row, (source, _), sources in zip(RAW, LENGTHS, positions, strict=True):
            links = {(source, word) for word, source in enumerate(sources) if source >= 0}
            assert links == alignment.hard_links(row, source, 6, shift)


def test_the_error_of_tables_is_that_of_sets_and_of_weights_the_soft_one():
    predicted, sure, possible = some_links(1, 1), some_links(2, 1), some_links(3, 2)
    tables = [torch.stack([table(links) for links in side]) for side in (predicted, sure, possible)]
    error = alignment.alignment_error
    assert error(*tables).item() == pytest.approx(alignment.aer(predicted, sure, possible))
    words = torch.arange(6) < torch.tensor([target for _, target in LENGTHS]).unsqueeze(1)
    weights = RAW * REAL.unsqueeze(1) * words.unsqueeze(2)
    weights = weights / weights.sum(-1, keepdim=True).clamp(1e-9)
    rows = [row[:target, :source] for row, (source, target) in zip(weights, LENGTHS, strict=True)]
    assert error(weights, *tables[1:]).item() == pytest.approx(alignment.soft_aer(rows, sure, possible))


def test_permuted_weights_are_those_of_the_real_tokens_in_the_order_of_their_draws():
    draws = torch.tensor([[0.9, 0.05, 0.6, 0.1, 0.0]])
    permuted = permute_weights(torch.tensor([[0.5, 0.0, 0.3, 0.2, 0.0]]), draws > 0.05, draws)
    torch.testing.assert_close(permuted, torch.tensor([[0.2, 0.0, 0.3, 0.5, 0.0]]))


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


def test_the_prior_favours_the_diagonal_and_sums_to_one():
    prior = position_prior(4, 4, tension=3.0, null_share=0.1)
    torch.testing.assert_close(prior.sum(-1), torch.ones(4))
    assert prior[:, 1:].argmax(-1).tolist() == [0, 1, 2, 3]
    assert prior[:, 0].tolist() == pytest.approx([0.1] * 4)


def test_without_tension_one_pass_is_ibm_model_1_by_hand():
    vocab = Vocabulary(["a", "b"])
    pairs = [Pair(("a", "b"), ("a", "b"), frozenset()), Pair(("a",), ("a",), frozenset())]
    aligner = WordAligner(pairs, vocab, vocab, passes=1, tension=0.0, null_share=0.0)
    # counts t(a|a) 1/2 + 1, t(b|a) 1/2: shares 3/4 and 1/4; t(a|b) and t(b|b) 1/2 each
    weights = aligner.weights(pairs[0])
    torch.testing.assert_close(weights[:, 1:], torch.tensor([[0.6, 0.4], [1 / 3, 2 / 3]]))


def test_a_pair_without_target_words_teaches_the_aligner_nothing():
    vocab = Vocabulary(["a", "b"])
    pairs = [Pair(("a", "b"), ("a", "b"), frozenset()), Pair(("a",), (), frozenset())]
    expected = WordAligner(pairs[:1], vocab, vocab).weights(pairs[0])
    torch.testing.assert_close(WordAligner(pairs, vocab, vocab).weights(pairs[0]), expected)


def test_it_finds_the_words_of_reversed_sequences():
    symbols = Vocabulary([str(symbol) for symbol in range(12)])
    pairs = [pair for pair in reverse(400, 1, (2, 8), 12) if len(set(pair.source)) == len(pair.source)]
    assert [turned(turned(pair)) for pair in pairs] == pairs != [turned(pair) for pair in pairs]
    aligner = WordAligner(pairs, symbols, symbols, tension=0.0)
    assert alignment.aer([aligner.links(pair) for pair in pairs], [pair.links for pair in pairs]) < 0.02
    backwards = WordAligner([turned(pair) for pair in pairs], symbols, symbols, tension=0.0)
    both = [union_links(aligner, backwards, pair) for pair in pairs]
    assert alignment.aer(both, [pair.links for pair in pairs]) < 0.03


def aligned(sure, possible=()):
    return AlignedPair(("a", "b"), ("c", "d"), frozenset(sure), frozenset(sure) | frozenset(possible))


FIRST = aligned({(0, 0), (1, 1)})
SECOND = aligned({(0, 0)}, {(1, 1), (1, 0)})


def test_the_f1_of_sure_links_and_of_all_whose_counts_are_summed_over_the_corpus():
    both = agreement([FIRST], [SECOND])
    assert (both.sure_f1, both.all_f1) == pytest.approx((2 * 1 / (2 + 1), 2 * 2 / (2 + 3)))
    assert agreement([FIRST, aligned({(0, 0)})], [SECOND, aligned({(0, 0)})]).sure_f1 == pytest.approx(2 * 2 / (3 + 2))


def test_kappa_judges_every_pair_of_positions_by_three_labels():
    # cell (0,0) is sure and sure, (1,1) sure and possible, (1,0) none and possible, (0,1) none and none
    observed = 2 / 4
    expected = (2 * 1 + 0 * 2 + 2 * 1) / 16
    assert agreement([FIRST], [SECOND]).kappa == pytest.approx((observed - expected) / (1 - expected))


def test_an_annotator_agrees_fully_with_the_same_links_and_order_does_not_matter():
    assert agreement([FIRST, SECOND], [FIRST, SECOND]) == (1, 1, 1)
    assert agreement([FIRST], [SECOND]) == agreement([SECOND], [FIRST])
    assert min(agreement(*map(annotation, ANNOTATORS))) > 0.9  # of the everyday sentences


def test_precision_asks_for_possible_links_and_recall_for_sure_ones():
    # of three predicted links one is sure and one more possible; of two sure ones, one is found
    predicted = frozenset({(0, 0), (0, 1), (1, 0)})
    gold = aligned({(0, 0), (1, 1)}, {(1, 0)})
    expected = {"precision": 2 / 3, "recall": 1 / 2, "aer": 1 - (1 + 2) / (3 + 2)}
    assert link_scores([predicted], [gold]) == pytest.approx(expected)
    assert link_scores([frozenset()], [FIRST]) == {"aer": 1, "precision": 0, "recall": 0}
