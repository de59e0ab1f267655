"""The decoders that look at one position and the losses that train them: against soft attention and the exact sums."""

import math

import pytest
import torch
from small_models import assert_same, randomise

from seq2seq.batch import Batch, collate, length_mask
from seq2seq.corpora.toys import copy
from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.hard.attention import expected_log_likelihood, masked_log_softmax, score_estimates
from seq2seq.hard.variance import leave_one_out_variance, one_draw_variance
from seq2seq.losses.hard import BestPositionsLoss, LeaveOneOutLoss, ScoreFunctionLoss, SoftBaselineLoss, marginal_loss
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.training import forced_loss, masked_loss
from seq2seq.vocab import Vocabulary

WORDS, HIDDEN, ENCODER = 9, 5, 8
BATCH, SOURCE_LEN, TARGET_LEN = 2, 6, 4
LENGTHS = torch.tensor([6, 4])
SMALL = collate(copy(3, 1, (2, 4), 4), Vocabulary(list("0123")), Vocabulary(list("0123")))


def seq2seq(kind=HardAttentionDecoder, words=WORDS):
    decoder = kind(words, 3, HIDDEN, ENCODER, BilinearScorer(HIDDEN, ENCODER))
    return Seq2Seq(Encoder(words, 3, ENCODER // 2), decoder).double()


def softened(model):
    soft = seq2seq(LuongDecoder)
    soft.load_state_dict(model.state_dict(), strict=False)  # without the baseline
    return soft


@pytest.fixture
def batch():
    source_mask = length_mask(LENGTHS, SOURCE_LEN)
    return Batch(
        source=torch.randint(4, WORDS, (BATCH, SOURCE_LEN)) * source_mask,
        source_lengths=LENGTHS,
        source_mask=source_mask,
        target_in=torch.randint(4, WORDS, (BATCH, TARGET_LEN)),
        target_out=torch.randint(4, WORDS, (BATCH, TARGET_LEN)),
        target_mask=length_mask(torch.tensor([3, 4]), TARGET_LEN),
    )


def decided(model, batch):
    """The decoder, its memory, states, and log-weights."""
    memory, state = model.read(batch.source, batch.source_lengths)
    return model.decoder, memory, *model.decoder.decide(batch.target_in, state, memory)


def exact_gradient(model, batch, parameters):
    """Of the lower bound, by enumeration."""
    decoder, memory, hidden, log_weights = decided(model, batch)
    likelihoods = decoder.log_likelihoods(decoder.every_position(hidden, memory), batch.target_out)
    bound = expected_log_likelihood(log_weights, likelihoods)[batch.target_mask].mean()
    return torch.cat([part.flatten() for part in torch.autograd.grad(-bound, parameters)])


def repeated(batch, times):
    return Batch(*(getattr(batch, name).repeat_interleave(times, 0) for name in Batch.__dataclass_fields__))


def drawn_gradients(loss, model, batch, parameters, times):
    draws = (torch.autograd.grad(loss(model, batch, 1.0), parameters) for _ in range(times))
    return torch.stack([torch.cat([part.flatten() for part in parts]) for parts in draws])


def test_the_mixture_is_the_same_however_many_positions_go_at_a_time(batch, monkeypatch):
    model = seq2seq(MarginalAttentionDecoder)
    at_once = model(batch.source, batch.source_lengths, batch.target_in)
    for few in (1, 4):
        monkeypatch.setattr("seq2seq.decoders.hard._NUMBERS_AT_A_TIME", few * BATCH * TARGET_LEN * WORDS)
        assert_same(model(batch.source, batch.source_lengths, batch.target_in), at_once)


def test_the_likelihood_at_each_position_is_that_of_looking_there_and_some_are_those_of_every_position(batch):
    decoder, memory, hidden, _ = decided(seq2seq(), batch)
    every = decoder.every_position(hidden, memory)
    ours = decoder.log_likelihoods(every, batch.target_out)
    for i, choice in enumerate(torch.eye(SOURCE_LEN, dtype=torch.float64)[:4]):  # real in both rows
        log_probabilities = decoder.look(choice.expand(BATCH, TARGET_LEN, -1), hidden, memory).log_softmax(-1)
        assert_same(ours[..., i], log_probabilities.gather(-1, batch.target_out.unsqueeze(-1)).squeeze(-1))
    positions = torch.randint(0, SOURCE_LEN, (BATCH, TARGET_LEN, 3))
    rows, steps = torch.arange(BATCH).view(-1, 1, 1), torch.arange(TARGET_LEN).view(-1, 1)
    assert_same(decoder.some_positions(positions, hidden, memory), every[rows, steps, positions])


def test_the_position_of_a_masked_row_counts_as_a_look_at_nothing(batch):
    decoder, memory, hidden, _ = decided(seq2seq(), batch)
    nowhere = memory._replace(source_mask=torch.zeros(BATCH, SOURCE_LEN, dtype=torch.bool))
    _, log_weights = decoder.decide(batch.target_in, decoder.bridge(torch.zeros(BATCH, ENCODER).double()), nowhere)
    assert log_weights.equal(masked_log_softmax(torch.zeros_like(log_weights), torch.tensor([True])))
    attentional = decoder.every_position(hidden, nowhere)
    nothing = decoder.attentional(torch.zeros(BATCH, TARGET_LEN, ENCODER, dtype=torch.float64), hidden)
    torch.testing.assert_close(attentional, nothing.unsqueeze(2).expand_as(attentional))


def test_the_marginal_loss_is_the_masked_loss_of_the_mixture(batch):
    model = seq2seq(MarginalAttentionDecoder)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    assert_same(marginal_loss(model, batch, 0.0), masked_loss(logits, batch.target_out, batch.target_mask))


@pytest.mark.parametrize(
    ("loss", "copies"),
    [
        *((LeaveOneOutLoss(3, 0.0), 30), (SoftBaselineLoss(0.5, 0.0), 30)),
        (ScoreFunctionLoss(entropy_weight=0.0, soft_share=0.0), 300),
    ],
    ids=["others", "soft", "score function"],
)
def test_the_mean_gradient_of_many_draws_is_the_exact_one(loss, copies):
    torch.manual_seed(0)
    model = randomise(seq2seq(words=8), std=0.7).eval()  # a baseline that stays where it is
    parameters = [model.decoder.attention.scorer.key_layer.weight, model.decoder.attentional_layer.weight]
    exact = exact_gradient(model, SMALL, parameters)
    drawn = drawn_gradients(loss, model, repeated(SMALL, copies), parameters, 50)
    error = drawn.std(0).norm() / len(drawn) ** 0.5
    assert (drawn.mean(0) - exact).norm() < 2 * error
    assert error < 0.2 * exact.norm()


def test_the_loss_over_fewer_positions_is_never_lower_and_over_all_it_is_the_marginal_one(batch):
    model = seq2seq()
    losses = [BestPositionsLoss(k, 0.0)(model, batch, 0.0).item() for k in (1, 2, 3, SOURCE_LEN)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]
    assert_same(BestPositionsLoss(99, 0.0)(model, batch, 0.0), marginal_loss(model, batch, 0.0))


@pytest.mark.parametrize(
    ("loss", "progress"),
    [
        *((ScoreFunctionLoss(entropy_weight=0.0, soft_share=1.0), 0.9), (BestPositionsLoss(2, soft_until=0.5), 0.4)),
        (SoftBaselineLoss(0.5), 0.0),  # nothing drawn has a share
    ],
)
def test_a_loss_that_is_still_soft_is_that_of_soft_attention(batch, loss, progress):
    model = seq2seq()
    assert_same(loss(model, batch, progress), forced_loss(softened(model), batch, progress))
    if progress < 0.5:
        assert loss(model, batch, 0.5) != forced_loss(softened(model), batch, 0.5)


@pytest.mark.parametrize("kind", [ScoreFunctionLoss, LeaveOneOutLoss, SoftBaselineLoss])
def test_entropy_lowers_the_loss_by_its_weight(batch, kind):
    model, losses = seq2seq().eval(), []
    for weight in (0.0, 1.0):
        torch.manual_seed(0)
        losses.append(kind(entropy_weight=weight)(model, batch, 0.9))
    _, _, _, log_weights = decided(model, batch)
    entropy = -(log_weights.exp() * log_weights).sum(-1)[batch.target_mask].mean()
    assert_same(losses[0] - losses[1], entropy)


def test_training_moves_the_baseline_and_evaluation_does_not(batch):
    model, loss = seq2seq().eval(), ScoreFunctionLoss(soft_share=0.0)
    loss(model, batch, 0.0)
    assert model.decoder.baseline.item() == pytest.approx(-math.log(WORDS), abs=1e-6)
    loss(model.train(), batch, 0.0)
    assert model.decoder.baseline.item() != pytest.approx(-math.log(WORDS), abs=1e-6)


def drawn_word(draws):
    """The weights and the log-likelihoods of a word, and draws of it."""
    generator = torch.Generator().manual_seed(2)
    weights = torch.randn(5, generator=generator, dtype=torch.float64).softmax(-1)
    likelihoods = 2 * torch.randn(5, generator=generator, dtype=torch.float64)
    return weights, likelihoods, torch.multinomial(weights, draws, replacement=True, generator=generator)


@pytest.mark.parametrize("baseline", [0.0, -1.5])
def test_the_variance_of_one_draw_is_that_of_many(baseline):
    weights, likelihoods, drawn = drawn_word(100_000)
    expected = score_estimates(weights, likelihoods, baseline)[drawn].var(0).sum().item()
    assert one_draw_variance(weights, likelihoods, baseline).item() == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("draws", [2, 4])
def test_the_variance_of_leave_one_out_is_that_of_many(draws):
    weights, likelihoods, drawn = drawn_word(100_000 * draws)
    rewards = likelihoods[drawn].view(-1, draws)
    advantages = rewards - (rewards.sum(1, keepdim=True) - rewards) / (draws - 1)
    slopes = torch.eye(5, dtype=torch.float64)[drawn].view(-1, draws, 5) - weights
    estimates = (advantages.unsqueeze(-1) * slopes).mean(1)
    exact = leave_one_out_variance(weights, likelihoods, draws).item()
    assert exact == pytest.approx(estimates.var(0).sum().item(), rel=0.03)
