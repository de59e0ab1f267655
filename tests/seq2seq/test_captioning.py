import pytest
import torch

from seq2seq.beyond.captioning import (
    REGIONS,
    Captioner,
    DoublyStochasticLoss,
    DrawingBatches,
    PictureEncoder,
    collate_drawings,
    pointing_accuracy,
)
from seq2seq.corpora.drawings import CELL, COLOURS, FORMS, GRID, Shape, describe, drawings, paint
from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.hard.losses import ScoreFunctionLoss, marginal_loss
from seq2seq.scorers import BilinearScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss, train
from seq2seq.vocab import BOS, EOS, Vocabulary

VOCAB = Vocabulary(["a", "above", "below", "left", "of", *COLOURS, *FORMS])
STATE, HIDDEN, EMBEDDING = 10, 9, 5
DRAWINGS = drawings(6, seed=2)
LOSSES = {
    "soft": (LuongDecoder, forced_loss),
    "doubly stochastic": (LuongDecoder, DoublyStochasticLoss(0.1)),
    "score function": (HardAttentionDecoder, ScoreFunctionLoss()),
    "marginal": (MarginalAttentionDecoder, marginal_loss),
}


def captioner(kind=LuongDecoder):
    decoder = kind(len(VOCAB), EMBEDDING, HIDDEN, STATE, BilinearScorer(HIDDEN, STATE))
    return Captioner(PictureEncoder(STATE, channels=4), decoder)


@pytest.fixture
def batch():
    return collate_drawings(DRAWINGS, VOCAB)


def test_a_batch_holds_pictures_and_captions(batch):
    assert batch.source[3].equal(paint(DRAWINGS[3]))
    length = len(DRAWINGS[3].caption)
    assert batch.target_in[3, : length + 1].tolist() == [BOS, *VOCAB.encode(DRAWINGS[3].caption)]
    assert batch.target_out[3, : length + 1].tolist() == [*VOCAB.encode(DRAWINGS[3].caption), EOS]
    assert batch.target_mask.sum(1).tolist() == [len(drawing.caption) + 1 for drawing in DRAWINGS]
    assert batch.source_mask.shape == (len(DRAWINGS), REGIONS)
    assert batch.source_mask.all()


def test_a_pass_has_every_drawing_once_in_another_order_and_in_theirs_without_a_generator():
    batches = DrawingBatches(DRAWINGS, VOCAB, 4, torch.Generator().manual_seed(1))
    first, second = (torch.cat([batch.source for batch in batches]) for _ in range(2))
    assert first.shape == second.shape == (6, 3, GRID * CELL, GRID * CELL)
    assert not first.equal(second)
    assert first.sum() == pytest.approx(second.sum().item(), rel=1e-5)
    (plain,) = DrawingBatches(DRAWINGS, VOCAB, 6)
    assert plain.source.equal(collate_drawings(DRAWINGS, VOCAB).source)


def test_a_shape_moves_the_states_of_its_neighbourhood_only():
    encoder = PictureEncoder(STATE, channels=4)
    small = describe((Shape("red", "ring", 2, 1),))
    large = describe((Shape("red", "ring", 2, 1), Shape("blue", "square", 2, 4)))
    with torch.no_grad():
        states, _ = encoder(torch.stack([paint(small), paint(large)]))
    moved = (states[0] != states[1]).any(-1).nonzero().flatten().tolist()
    near = {row * GRID + column for row in (1, 2, 3) for column in (3, 4, 5)}
    assert 2 * GRID + 4 in moved
    assert set(moved) <= near


def test_the_final_state_is_the_mean_of_the_states(batch):
    states, final = PictureEncoder(STATE)(batch.source)
    assert states.shape == (6, REGIONS, STATE)
    torch.testing.assert_close(final, states.mean(1))


def test_the_doubly_stochastic_loss_of_weight_zero_is_the_masked_loss(batch):
    model = captioner()
    plain = forced_loss(model, batch, 0.0)
    torch.testing.assert_close(DoublyStochasticLoss(0.0)(model, batch, 0.0), plain)
    assert DoublyStochasticLoss(1.0)(model, batch, 0.0) > plain


@pytest.mark.parametrize("name", LOSSES)
def test_every_loss_reaches_the_pixels_and_falls(name):
    torch.manual_seed(4)
    kind, loss = LOSSES[name]
    model = captioner(kind)
    before = model.encoder.edges.weight.clone()
    batches = DrawingBatches(drawings(64, 3, (1, 1)), VOCAB, 16, torch.Generator().manual_seed(0))
    history = train(model, batches, steps=40, warmup_steps=1, loss=loss, device="cpu", progress=False)
    assert not model.encoder.edges.weight.equal(before)
    if name != "score function":  # the value of this one has no meaning
        assert sum(history.losses[-5:]) < 0.9 * sum(history.losses[:5])


def test_greedy_search_takes_pictures_and_weighs_their_regions(batch):
    ids, weights = greedy(captioner(), batch.source, batch.source_lengths, max_length=7)
    assert ids.dtype == torch.long
    torch.testing.assert_close(weights.sum(-1), torch.ones(6, ids.size(1)))
    assert weights.size(-1) == REGIONS


def test_weights_on_the_gold_regions_point_right_every_time(batch):
    weights = torch.zeros(6, batch.target_in.size(1), REGIONS)
    for row, drawing in enumerate(DRAWINGS):
        for region, word in drawing.names:
            weights[row, word, region] = 1.0
    assert pointing_accuracy(weights, DRAWINGS) == 1
    assert pointing_accuracy(weights.roll(1, dims=-1), DRAWINGS) == 0
