"""Guided alignment: the cross-entropy with the guide, and the guide of a batch."""

import math

import pytest
import torch

from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.losses.guided import GuidedLoss, guided_loss
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary(list("abc"))
PAIRS = [
    Pair(("a", "b", "c"), ("c", "a"), frozenset({(2, 0), (0, 1), (1, 1)})),
    Pair(("b",), ("a", "b"), frozenset({(0, 1)})),
]
BATCH = collate(PAIRS, VOCAB, VOCAB)


def model():
    torch.manual_seed(0)
    return Seq2Seq(Encoder(len(VOCAB), 4, 4), LuongDecoder(len(VOCAB), 4, 6, 8, BilinearScorer(6, 8)))


def test_the_cross_entropy_is_over_linked_words_alone():
    weights = torch.tensor([[[0.5, 0.5], [0.9, 0.1], [0.3, 0.7]]])
    guide = torch.tensor([[[0.5, 0.5], [0.0, 0.0], [0.0, 1.0]]])
    assert guided_loss(weights, guide).item() == pytest.approx((math.log(2) - math.log(0.7)) / 2)


def test_without_any_link_it_is_zero():
    assert guided_loss(torch.full((1, 2, 2), 0.5), torch.zeros(1, 2, 2)) == 0


def test_the_guide_has_the_links_of_each_sentence_in_its_place():
    guide = GuidedLoss(PAIRS, VOCAB, VOCAB).guide(BATCH, torch.zeros(2, 3, 3))
    assert guide.tolist() == [[[0, 0, 1], [0.5, 0.5, 0], [0, 0, 0]], [[0, 0, 0], [1, 0, 0], [0, 0, 0]]]


def test_a_sentence_without_links_is_not_guided():
    loss = GuidedLoss(PAIRS[:1], VOCAB, VOCAB)
    assert loss.guide(BATCH, torch.zeros(2, 3, 3))[1].eq(0).all()
    other = collate([PAIRS[1]], VOCAB, VOCAB)
    assert torch.equal(loss(model(), other, 0.0), forced_loss(model(), other, 0.0))


def test_it_pulls_the_weights_to_the_guide():
    guided, loss = model(), GuidedLoss(PAIRS, VOCAB, VOCAB, weight=5.0)
    optimiser = torch.optim.Adam(guided.parameters(), 0.02)
    for _ in range(150):
        optimiser.zero_grad()
        loss(guided, BATCH, 0.0).backward()
        optimiser.step()
    _, weights = guided(BATCH.source, BATCH.source_lengths, BATCH.target_in)
    assert weights[0, 0, 2] > 0.9
    assert weights[0, 1, :2].tolist() == pytest.approx([0.5, 0.5], abs=0.05)
