"""Scheduled sampling: the schedules, what the decoder reads, and the loss of it."""

import math

import pytest
import torch
from small_models import PAIRS, VOCAB, bahdanau, feeding, fixed, luong, sharpen

from seq2seq.batch import collate, token_batches
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
from seq2seq.vocab import BOS, PAD


@pytest.fixture(params=[fixed, bahdanau, luong, feeding])
def model(request):
    return sharpen(request.param())


@pytest.fixture
def batch():
    return collate(PAIRS, VOCAB, VOCAB)


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


def test_a_share_of_one_is_the_forced_loss_to_the_bit(model, batch):
    assert torch.equal(ScheduledSampling(always(1.0))(model, batch, 0.3), forced_loss(model, batch, 0.3))


def test_a_share_of_one_reads_the_gold_words(model, batch):
    assert torch.equal(mixed_inputs(model, batch, 1.0), batch.target_in)


def test_a_share_of_zero_is_free_running(model, batch):
    loss = ScheduledSampling(always(0.0), best)(model, batch, 0.3)
    torch.testing.assert_close(loss, free_running_loss(model, batch))


def test_the_gradient_of_free_running_is_that_of_the_loop(model, batch):
    losses = ScheduledSampling(always(0.0), best)(model, batch, 0.3), free_running_loss(model, batch)
    gradients = [torch.autograd.grad(loss, list(model.parameters()), allow_unused=True) for loss in losses]
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_the_first_word_is_bos_and_padding_stays_padding(model, batch, share):
    mixed = mixed_inputs(model, batch, share)
    assert mixed.shape == batch.target_in.shape
    assert mixed[:, 0].eq(BOS).all()
    assert mixed[~batch.target_mask].eq(PAD).all()


def test_each_word_read_is_gold_or_what_the_model_says_after_the_words_read_so_far(model, batch):
    mixed = mixed_inputs(model, batch, 0.5, best)
    logits, _ = model(batch.source, batch.source_lengths, mixed)
    said = logits[:, :-1].argmax(-1)
    own = mixed[:, 1:] == said
    gold = mixed[:, 1:] == batch.target_in[:, 1:]
    assert (own | gold)[batch.target_mask[:, 1:]].all()
    assert (own & ~gold).any()
    assert (gold & ~own)[batch.target_mask[:, 1:]].any()


def test_the_share_of_gold_words_is_the_one_asked_for():
    model, batch = sharpen(luong()), collate(PAIRS * 100, VOCAB, VOCAB)
    model.decoder.output_layer.bias.data[PAD] = 1e9  # a word that is never gold
    mixed = mixed_inputs(model, batch, 0.7)
    real = batch.target_mask[:, 1:]
    assert (mixed[:, 1:] != PAD)[real].double().mean().item() == pytest.approx(0.7, abs=0.03)


def test_each_sentence_and_step_has_a_coin_of_its_own():
    model, batch = sharpen(luong()), collate([PAIRS[0]] * 50, VOCAB, VOCAB)
    model.decoder.output_layer.bias.data[PAD] = 1e9
    coins = mixed_inputs(model, batch, 0.5)[:, 1:] != PAD
    assert coins.any(0).all()
    assert not coins.all(0).any()
    assert len(coins.unique(dim=0)) > 2


def test_drawn_words_follow_the_distribution():
    probabilities = torch.tensor([0.6, 0.3, 0.1])
    drawn = draw(probabilities.log().expand(20_000, 3))
    torch.testing.assert_close(drawn.bincount() / 20_000, probabilities, atol=0.02, rtol=0)


def test_the_mode_of_the_model_and_the_batch_are_left_as_they_were(model, batch):
    before = batch.target_in.clone()
    ScheduledSampling(always(0.5))(model.train(), batch, 0.3)
    assert model.training
    assert torch.equal(batch.target_in, before)


@pytest.mark.parametrize("schedule", [linear, exponential, inverse_sigmoid])
def test_a_schedule_falls_from_mostly_gold_to_mostly_own(schedule):
    shares = [schedule(progress / 50) for progress in range(51)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.8
    assert shares[-1] < 0.2
    assert all(0 <= share <= 1 for share in shares)


def test_the_linear_schedule_equals_the_paper_and_stops_at_its_floor():
    assert linear(0.25, slope=0.8, start=0.9) == pytest.approx(0.9 - 0.8 * 0.25)
    assert linear(0.9, slope=1.0, floor=0.3) == 0.3


def test_the_exponential_schedule_equals_the_paper():
    assert exponential(0.5, base=0.2) == pytest.approx(math.sqrt(0.2))


def test_the_inverse_sigmoid_schedule_is_one_half_at_k_log_k():
    assert inverse_sigmoid(4 * math.log(4) / 10, pace=4, length=10) == pytest.approx(0.5)


def test_a_training_run_takes_it_as_its_loss_and_tells_it_the_progress():
    seen = []

    def noted(progress):
        seen.append(progress)
        return linear(progress)

    train(
        luong(), token_batches(PAIRS, VOCAB, VOCAB, 20), steps=4, loss=ScheduledSampling(noted), device="cpu",
        progress=False,
    )  # fmt: skip
    assert seen == [0, 0.25, 0.5, 0.75]
