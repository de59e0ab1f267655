import pytest
import torch

from seq2seq.beam.search import beam_search
from seq2seq.beyond import captioning
from seq2seq.corpora.drawings import GRID, Shape, describe, drawings, paint
from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments.captions import VOCAB
from seq2seq.losses.hard import ScoreFunctionLoss, marginal_loss
from seq2seq.scorers import BilinearScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss, train
from seq2seq.vocab import BOS, EOS

STATE, HIDDEN, EMBEDDING = 10, 9, 5
DRAWINGS = drawings(6, seed=2)


def captioner(kind=LuongDecoder):
    decoder = kind(len(VOCAB), EMBEDDING, HIDDEN, STATE, BilinearScorer(HIDDEN, STATE))
    return captioning.Captioner(captioning.PictureEncoder(STATE, channels=4), decoder)


@pytest.fixture
def batch():
    return captioning.collate_drawings(DRAWINGS, VOCAB)


def test_a_batch_holds_pictures_and_captions(batch):
    ids = VOCAB.encode(DRAWINGS[3].caption)
    assert batch.source[3].equal(paint(DRAWINGS[3]))
    assert batch.target_in[3, : len(ids) + 1].tolist() == [BOS, *ids]
    assert batch.target_out[3, : len(ids) + 1].tolist() == [*ids, EOS]
    assert batch.target_mask.sum(1).tolist() == [len(drawing.caption) + 1 for drawing in DRAWINGS]
    assert batch.source_mask.shape == (len(DRAWINGS), captioning.REGIONS)
    assert batch.source_mask.all()


def test_a_shape_moves_the_states_of_its_neighbourhood_only_and_the_final_state_is_their_mean():
    shapes = Shape("red", "ring", 2, 1), Shape("blue", "square", 2, 4)
    pictures = torch.stack([paint(describe(shapes[:1])), paint(describe(shapes))])
    states, final = captioning.PictureEncoder(STATE, channels=4)(pictures)
    assert states.shape == (2, captioning.REGIONS, STATE)
    torch.testing.assert_close(final, states.mean(1))
    moved = (states[0] != states[1]).any(-1).nonzero().flatten().tolist()
    near = {row * GRID + column for row in (1, 2, 3) for column in (3, 4, 5)}
    assert 2 * GRID + 4 in moved
    assert set(moved) <= near


def test_the_doubly_stochastic_loss_of_weight_zero_is_the_masked_loss(batch):
    model = captioner()
    plain = forced_loss(model, batch, 0.0)
    torch.testing.assert_close(captioning.DoublyStochasticLoss(0.0)(model, batch, 0.0), plain)
    assert captioning.DoublyStochasticLoss(1.0)(model, batch, 0.0) > plain


@pytest.mark.parametrize(
    ("kind", "loss"),
    [
        *((LuongDecoder, forced_loss), (LuongDecoder, captioning.DoublyStochasticLoss(0.1))),
        *((HardAttentionDecoder, ScoreFunctionLoss()), (MarginalAttentionDecoder, marginal_loss)),
    ],
)
def test_every_loss_reaches_the_pixels_and_falls(kind, loss):
    model = captioner(kind)
    before = model.encoder.edges.weight.clone()
    batches = captioning.DrawingBatches(drawings(64, 3, (1, 1)), VOCAB, 16, torch.Generator().manual_seed(0))
    history = train(model, batches, steps=40, warmup_steps=1, loss=loss, device="cpu", progress=False)
    assert not model.encoder.edges.weight.equal(before)
    if kind is not HardAttentionDecoder:  # the value of its loss has no meaning
        assert sum(history.losses[-5:]) < 0.9 * sum(history.losses[:5])


def test_greedy_search_takes_pictures_and_weighs_their_regions(batch):
    ids, weights = greedy(captioner(), batch.source, batch.source_lengths, max_length=7)
    assert ids.dtype == torch.long
    torch.testing.assert_close(weights.sum(-1), torch.ones(6, ids.size(1)))
    assert weights.size(-1) == captioning.REGIONS


def test_a_beam_takes_pictures_and_the_check_lets_them_pass(batch):
    model = captioner()
    model.check(batch.source, batch.source_lengths, batch.target_in)
    with pytest.raises(ValueError, match="pictures: got shape"):
        model.check(batch.source[:, :, 1:], batch.source_lengths, batch.target_in)
    ids = beam_search(model, batch.source, batch.source_lengths, 5, 1).ids[:, 0]
    assert torch.equal(ids, greedy(model, batch.source, batch.source_lengths, 5)[0])


def test_weights_on_the_gold_regions_point_right_every_time(batch):
    weights = torch.zeros(6, batch.target_in.size(1), captioning.REGIONS)
    for row, drawing in enumerate(DRAWINGS):
        for region, word in drawing.names:
            weights[row, word, region] = 1.0
    assert captioning.pointing_accuracy(weights, DRAWINGS) == 1
    assert captioning.pointing_accuracy(weights.roll(1, dims=-1), DRAWINGS) == 0
