"""What only some losses have: scheduled sampling, guided alignment, the doubly stochastic penalty."""

import math

import pytest
import torch
from small_models import PAIRS, VOCAB, assert_same, luong, sharpen

from seq2seq.attention import masked_softmax
from seq2seq.batch import collate, token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.losses.guided import GuidedLoss, guided_loss
from seq2seq.losses.penalties import doubly_stochastic_penalty
from seq2seq.losses.scheduled_sampling import (
    ScheduledSampling,
    best,
    draw,
    exponential,
    inverse_sigmoid,
    linear,
    mixed_inputs,
)
from seq2seq.training import forced_loss, train
from seq2seq.vocab import BOS, PAD, Vocabulary

LETTERS = Vocabulary(list("abc"))
LINKED = [
    Pair(("a", "b", "c"), ("c", "a"), frozenset({(2, 0), (0, 1), (1, 1)})),
    Pair(("b",), ("a", "b"), frozenset({(0, 1)})),
]


def free_running_loss(model, batch):
    """The definition, a sentence and a step at a time: the model reads its own best word, and is asked for the gold."""
    losses = []
    for row in range(len(batch.source)):
        length = batch.source_lengths[row : row + 1]
        memory, state = model.read(batch.source[row : row + 1, : int(length)], length)
        previous = torch.tensor([BOS])
        for gold in batch.target_out[row, : int(batch.target_mask[row].sum())]:
            logits, _, state = model.decoder.step(previous, state, memory)
            losses.append(-torch.log_softmax(logits[0], -1)[gold])
            previous = logits.argmax(-1)
    return torch.stack(losses).mean()


def always(share):
    return lambda progress: share


def test_a_share_of_one_reads_the_gold_words_and_is_the_forced_loss_to_the_bit(model, batch):
    assert torch.equal(ScheduledSampling(always(1.0))(model, batch, 0.3), forced_loss(model, batch, 0.3))
    assert torch.equal(mixed_inputs(model, batch, 1.0), batch.target_in)


def test_a_share_of_zero_is_free_running_with_its_gradient(model, batch):
    losses = ScheduledSampling(always(0.0), best)(model, batch, 0.3), free_running_loss(model, batch)
    assert_same(*losses)
    assert_same(*(torch.autograd.grad(loss, list(model.parameters()), allow_unused=True) for loss in losses))


def test_each_word_read_is_gold_or_what_the_model_says_after_the_words_read_so_far(model, batch):
    mixed = mixed_inputs(model, batch, 0.5, best)
    logits, _ = model(batch.source, batch.source_lengths, mixed)
    drawn = mixed[:, 1:] == logits[:, :-1].argmax(-1)
    gold = mixed[:, 1:] == batch.target_in[:, 1:]
    assert (drawn | gold)[batch.target_mask[:, 1:]].all()
    assert (drawn & ~gold).any()
    assert (gold & ~drawn)[batch.target_mask[:, 1:]].any()
    assert mixed[:, 0].eq(BOS).all()
    assert mixed[~batch.target_mask].eq(PAD).all()


def test_each_sentence_and_step_has_a_coin_of_its_own_and_their_share_is_the_one_asked_for():
    model, batch = sharpen(luong()), collate([PAIRS[0]] * 300, VOCAB, VOCAB)
    model.decoder.output_layer.bias.data[PAD] = 1e9  # a word that is never gold
    coins = mixed_inputs(model, batch, 0.7)[:, 1:] != PAD
    assert coins.any(0).all()
    assert not coins.all(0).any()
    assert len(coins.unique(dim=0)) > 2
    assert coins.double().mean().item() == pytest.approx(0.7, abs=0.04)


def test_drawn_words_follow_the_distribution():
    probabilities = torch.tensor([0.6, 0.3, 0.1])
    shares = draw(probabilities.log().expand(20_000, 3)).bincount() / 20_000
    torch.testing.assert_close(shares, probabilities, atol=0.02, rtol=0)


def test_schedules_equal_the_paper_fall_from_mostly_gold_to_mostly_own_and_the_linear_one_stops_at_its_floor():
    for schedule in (linear, exponential, inverse_sigmoid):
        shares = [schedule(progress / 50) for progress in range(51)]
        assert shares == sorted(shares, reverse=True)
        assert 1 >= shares[0] > 0.8 > 0.2 > shares[-1] >= 0
    assert linear(0.25, slope=0.8, start=0.9) == pytest.approx(0.9 - 0.8 * 0.25)
    assert linear(0.9, slope=1.0, floor=0.3) == 0.3
    assert exponential(0.5, base=0.2) == pytest.approx(math.sqrt(0.2))
    assert inverse_sigmoid(4 * math.log(4) / 10, pace=4, length=10) == pytest.approx(0.5)
    assert inverse_sigmoid(1.0, pace=1.0, length=1000.0) == pytest.approx(0.0)


def test_a_training_run_takes_it_as_its_loss_and_tells_it_the_progress():
    progress = []
    loss = ScheduledSampling(lambda share: progress.append(share) or linear(share))
    train(luong(), token_batches(PAIRS, VOCAB, VOCAB, 20), steps=4, loss=loss, device="cpu", progress=False)
    assert progress == [0, 0.25, 0.5, 0.75]


def test_the_guided_cross_entropy_is_over_linked_words_alone_and_zero_without_any():
    weights = torch.tensor([[[0.5, 0.5], [0.9, 0.1], [0.3, 0.7]]])
    guide = torch.tensor([[[0.5, 0.5], [0.0, 0.0], [0.0, 1.0]]])
    assert guided_loss(weights, guide).item() == pytest.approx((math.log(2) - math.log(0.7)) / 2)
    assert guided_loss(weights, torch.zeros(1, 3, 2)) == 0


def test_the_guide_has_the_links_of_each_sentence_in_its_place_and_none_where_there_are_none():
    linked, nothing = collate(LINKED, LETTERS, LETTERS), torch.zeros(2, 3, 3)
    guide = GuidedLoss(LINKED, LETTERS, LETTERS).guide(linked, nothing)
    assert guide.tolist() == [[[0, 0, 1], [0.5, 0.5, 0], [0, 0, 0]], [[0, 0, 0], [1, 0, 0], [0, 0, 0]]]
    loss, model, unlinked = GuidedLoss(LINKED[:1], LETTERS, LETTERS), luong(), collate(LINKED[1:], LETTERS, LETTERS)
    assert loss.guide(linked, nothing)[1].eq(0).all()
    assert torch.equal(loss(model, unlinked, 0.0), forced_loss(model, unlinked, 0.0))
    alike = [Pair(("z", "a"), ("b",), frozenset({(1, 0)})), Pair(("y", "a"), ("b",), frozenset({(0, 0)}))]
    guided = GuidedLoss([*alike, *LINKED], LETTERS, LETTERS)  # two that differ in unknown words alone guide nobody
    assert guided.guide(collate(alike, LETTERS, LETTERS), nothing[:, :2, :2]).eq(0).all()
    assert torch.equal(guided.guide(linked, nothing), guide)


def test_the_guided_loss_is_the_forced_one_and_its_weight_times_the_guided_one():
    batch, model, loss = collate(LINKED, LETTERS, LETTERS), luong(), GuidedLoss(LINKED, LETTERS, LETTERS, weight=5.0)
    _, weights = model(batch.source, batch.source_lengths, batch.target_in)
    expected = forced_loss(model, batch, 0.0) + 5.0 * guided_loss(weights, loss.guide(batch, weights))
    torch.testing.assert_close(loss(model, batch, 0.0), expected)


def test_the_doubly_stochastic_penalty_is_that_of_a_loop_and_its_gradient_is_right():
    source_mask = torch.arange(5) < torch.tensor([[5], [3]])
    target_mask = torch.arange(4) < torch.tensor([[4], [2]])
    scores = torch.randn(2, 4, 5, dtype=torch.float64)
    weights = masked_softmax(scores, source_mask.unsqueeze(1)).requires_grad_()
    whole, short = weights[0], weights[1, :2, :3]
    expected = torch.stack([sum((1 - column.sum()) ** 2 for column in part.unbind(1)) for part in (whole, short)])
    torch.testing.assert_close(doubly_stochastic_penalty(weights, source_mask, target_mask), expected)
    assert torch.autograd.gradcheck(lambda w: doubly_stochastic_penalty(w, source_mask, target_mask), weights)
