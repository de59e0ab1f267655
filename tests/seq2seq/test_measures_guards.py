"""Measures of sentences shorter than an n-gram, of models that still learn, and of losses beyond a float's range."""

import math

import pytest
import torch
from small_models import PAIRS, VOCAB, bahdanau

from seq2seq.batch import collate
from seq2seq.metrics import bleu, bleu_by_length, perplexity

BATCH = collate(PAIRS, VOCAB, VOCAB)
SHORT, LONG = ["le", "chat"], ["le", "chat", "noir", "dort", "ici"]


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_perfect_translations_have_100_however_short_they_are(length):
    sentences = [LONG[:length], LONG[:1]]
    assert bleu(sentences, sentences) == pytest.approx(100.0)
    assert bleu_by_length(sentences, sentences, [3, 3], [(1, 5)]) == {(1, 5): pytest.approx(100.0)}


def test_short_hypotheses_are_judged_by_the_n_grams_they_have():
    """One word of two is right, and no pair of words: one half, and sacrebleu's half of a match for the pair."""
    assert bleu([SHORT], [["le", "chien"]]) == pytest.approx(100 * math.sqrt(0.5 * 0.5))
    assert bleu([["chien"]], [["chat"]]) == 0.0


def test_a_single_hypothesis_of_four_words_brings_all_four_orders_back():
    ours, theirs = [LONG[:4], SHORT], [LONG[:4], ["le", "chien"]]
    assert bleu(ours, theirs) == pytest.approx(100 * (5 / 6 * 3 / 4 * 1 * 1) ** 0.25)


@pytest.mark.parametrize("training", [True, False])
def test_perplexity_leaves_the_mode_as_it_was_also_after_an_error(training):
    model = bahdanau().train(training)
    perplexity(model, [BATCH])
    assert model.training is training
    with pytest.raises(ValueError, match="got no target token"):
        perplexity(model, [])
    assert model.training is training


def test_a_loss_beyond_the_range_of_an_exponential_is_infinity_as_a_tensor_gives_it():
    model = bahdanau()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[4:] = -1e6
    assert perplexity(model, [BATCH]) == math.inf
