"""The losses that start local-p: the diagonal's penalty, the pull that ends, the window that narrows."""

import pytest
import torch

from seq2seq.batch import collate
from seq2seq.corpora.toys import copy
from seq2seq.decoders.local import LocalPredictiveDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.local.losses import LocalLoss, diagonal_penalty
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary(list("0123"))
BATCH = collate(copy(4, 1, (2, 6), 4), VOCAB, VOCAB)


def model(kind=LocalPredictiveDecoder, **options):
    torch.manual_seed(0)
    decoder = kind(len(VOCAB), 4, 6, 8, BilinearScorer(6, 8), **options)
    return Seq2Seq(Encoder(len(VOCAB), 4, 4), decoder)


def test_the_diagonal_itself_has_no_penalty_whatever_the_lengths_and_the_padding():
    source_mask = torch.arange(6) < torch.tensor([[6], [4]])
    target_mask = torch.arange(3) < torch.tensor([[3], [2]])
    centres = torch.tensor([[1.0, 3.0, 5.0], [1.0, 3.0, 99.0]])
    assert diagonal_penalty(centres, source_mask, target_mask) == 0
    moved = centres + torch.tensor([[0.0, 0.6, 0.0], [0.0, 0.0, 0.0]])
    assert diagonal_penalty(moved, source_mask, target_mask).item() == pytest.approx((0.6 / 6) ** 2 / 5)


def test_without_pull_and_with_its_own_width_it_is_the_forced_loss():
    local = model(half_width=2)
    assert torch.equal(LocalLoss(2)(local, BATCH, 0.0), forced_loss(local, BATCH, 0.0))


def test_the_pull_fades_out():
    local, loss = model(half_width=2), LocalLoss(2, pull=10.0, pull_until=0.5)
    start, half, end = (loss(local, BATCH, progress) for progress in (0.0, 0.25, 0.5))
    assert (start - end).item() == pytest.approx(2 * (half - end).item(), rel=1e-4)
    assert torch.equal(end, forced_loss(local, BATCH, 0.5))


def test_the_window_narrows_to_its_own_width():
    local, loss = model(half_width=2), LocalLoss(2, first_half_width=32, wide_until=0.5)
    assert [loss.width(progress) for progress in (0.0, 0.125, 0.25, 0.5, 1.0)] == [32, 16, 8, 2, 2]
    loss(local, BATCH, 0.125)
    assert local.decoder.half_width == 16


def test_a_decoder_without_predicted_centres_is_refused():
    with pytest.raises(TypeError, match="LuongDecoder, expected a LocalPredictiveDecoder"):
        LocalLoss(2)(model(LuongDecoder), BATCH, 0.0)
