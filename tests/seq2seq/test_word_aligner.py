"""The word aligner on sentences whose links are known."""

import pytest
import torch

from seq2seq.alignment import aer
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.evaluation.word_aligner import WordAligner, position_prior, turned, union_links
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary([str(symbol) for symbol in range(12)])


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


def test_it_finds_the_words_of_reversed_sequences():
    pairs = [pair for pair in reverse(400, 1, (2, 8), 12) if len(set(pair.source)) == len(pair.source)]
    aligner = WordAligner(pairs, VOCAB, VOCAB, tension=0.0)
    assert aer([aligner.links(pair) for pair in pairs], [pair.links for pair in pairs]) < 0.02
    backwards = WordAligner([turned(pair) for pair in pairs], VOCAB, VOCAB, tension=0.0)
    assert aer([union_links(aligner, backwards, pair) for pair in pairs], [pair.links for pair in pairs]) < 0.03


def test_turned_twice_is_the_same():
    pair = Pair(("a", "b"), ("c",), frozenset({(1, 0)}))
    assert turned(pair).links == {(0, 1)}
    assert turned(turned(pair)) == pair
