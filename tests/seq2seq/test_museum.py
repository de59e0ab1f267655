"""The bug museum: every exhibit is wrong where its repair is right, and every proof tells the two apart."""

import math

import pytest
import torch
from torch.nn import functional as F

from seq2seq.attention import masked_softmax
from seq2seq.encoders import Encoder
from seq2seq.museum import exhibits, proofs, repairs
from seq2seq.scorers import AdditiveScorer
from seq2seq.training import masked_loss

MASK = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])


def test_mended_weights_are_the_masked_softmax():
    scores = torch.randn(2, 5)
    torch.testing.assert_close(repairs.mended_weights(scores, MASK), masked_softmax(scores, MASK))


def test_the_crowd_makes_each_word_compete_with_other_sentences():
    scores = torch.randn(3, 5)
    weights = exhibits.exhibit_weights(scores, torch.ones(3, 5, dtype=torch.bool))
    torch.testing.assert_close(weights.sum(0), torch.ones(5))


@torch.no_grad()
def test_the_mended_summary_is_the_encoders_final_state():
    encoder = Encoder(9, 4, 6)
    source, lengths = torch.randint(9, (3, 7)), torch.tensor([7, 4, 1])
    states, final = encoder(source, lengths)
    torch.testing.assert_close(repairs.mended_summary(states, lengths), final)
    assert not torch.allclose(exhibits.exhibit_summary(states, lengths), final)


@torch.no_grad()
def test_mended_scores_are_those_of_the_additive_scorer():
    scorer = AdditiveScorer(3, 4, 6)
    queries, keys = torch.randn(2, 3, 3), torch.randn(2, 5, 4)
    mine = repairs.mended_scores(
        scorer.query_layer(queries), scorer.project_keys(keys), scorer.energy_layer.weight.squeeze(0)
    )
    torch.testing.assert_close(mine, scorer.score_all(queries, scorer.project_keys(keys)))


def test_without_the_tanh_the_query_cancels():
    asked, offered, energy = torch.randn(2, 4, 6), torch.randn(2, 5, 6), torch.randn(6)
    assert not proofs.query_proof(exhibits.exhibit_scores(asked, offered, energy).softmax(-1))
    assert proofs.query_proof(repairs.mended_scores(asked, offered, energy).softmax(-1))


def test_the_mended_perplexity_is_the_exponential_of_the_masked_loss():
    logits, target = torch.randn(2, 5, 9), torch.randint(9, (2, 5))
    losses = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")
    expected = masked_loss(logits, target, MASK).exp()
    torch.testing.assert_close(repairs.mended_perplexity(losses, MASK), expected)
    torch.testing.assert_close(exhibits.exhibit_perplexity(losses, MASK), expected ** (8 / 10))


def test_the_whisperer_goes_on_from_the_right_word_whatever_was_said():
    follows = F.one_hot(torch.tensor([[1, 4, 3, 0, 4]]), 5).float()  # after 1 the decoder says 4 for ever, 2 is right
    target = torch.tensor([[1, 2, 3]])
    assert exhibits.exhibit_translation(follows, target, bos=0).tolist() == [[1, 4, 3]]
    assert repairs.mended_translation(follows, bos=0, steps=3).tolist() == [[1, 4, 4]]


def test_the_proof_by_neighbours_catches_the_crowd_and_not_its_repair():
    batches = proofs.neighbour_proof(torch.randn(3, 5))
    for weights, caught in ((exhibits.exhibit_weights, True), (repairs.mended_weights, False)):
        one, other = (weights(scores, torch.ones_like(scores).bool())[0] for scores in batches)
        assert (not torch.allclose(one, other)) == caught


@pytest.mark.parametrize(("code", "caught"), [("exhibit_perplexity", True), ("mended_perplexity", False)])
def test_the_proof_by_padding_catches_the_generous_average_and_not_its_repair(code, caught):
    perplexity = getattr(exhibits if caught else repairs, code)
    losses = torch.rand(2, 5)
    before, after = perplexity(losses, MASK), perplexity(*proofs.padding_proof(losses, MASK))
    assert (not math.isclose(before, after, rel_tol=1e-5)) == caught
