"""Losses of drawn positions: their gradients against the exact one, and the exact variances against draws."""

import pytest
import torch

from seq2seq.batch import collate
from seq2seq.corpora.toys import copy
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.encoders import Encoder
from seq2seq.hard.attention import expected_log_likelihood, score_estimates
from seq2seq.hard.draws import GumbelLoss, LeaveOneOutLoss, SoftBaselineLoss
from seq2seq.hard.variance import leave_one_out_variance, one_draw_variance
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary(list("0123"))
BATCH = collate(copy(3, 1, (2, 4), 4), VOCAB, VOCAB)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    decoder = HardAttentionDecoder(len(VOCAB), 4, 6, 8, BilinearScorer(6, 8))
    made = Seq2Seq(Encoder(len(VOCAB), 4, 4), decoder).double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    return made


def exact_gradient(model):
    """Of the lower bound, by enumeration, at the scorer's matrix."""
    decoder, real = model.decoder, BATCH.target_mask
    memory, state = model.read(BATCH.source, BATCH.source_lengths)
    hidden, log_weights = decoder.decide(BATCH.target_in, state, memory)
    likelihoods = decoder.log_likelihoods(decoder.every_position(hidden, memory)[real], BATCH.target_out[real])
    bound = expected_log_likelihood(log_weights[real], likelihoods).mean()
    return torch.autograd.grad(-bound, decoder.attention.scorer.key_layer.weight)[0]


@pytest.mark.parametrize("loss", [LeaveOneOutLoss(3, 0.0), SoftBaselineLoss(0.5, 0.0)], ids=["others", "soft"])
def test_the_mean_gradient_of_many_draws_is_the_exact_one(model, loss):
    exact, weight = exact_gradient(model), model.decoder.attention.scorer.key_layer.weight
    torch.manual_seed(1)
    drawn = torch.stack([torch.autograd.grad(loss(model, BATCH, 1.0), weight)[0] for _ in range(1500)])
    error = drawn.std(0).norm() / len(drawn) ** 0.5
    assert (drawn.mean(0) - exact).norm() < 2 * error
    assert error < 0.2 * exact.norm()


def test_the_soft_baseline_starts_as_soft_attention(model):
    soft = SoftBaselineLoss(0.5)
    assert torch.equal(soft(model, BATCH, 0.0), soft(model, BATCH, 0.0))  # nothing drawn has a share
    assert not torch.equal(soft(model, BATCH, 0.5), soft(model, BATCH, 0.5))


def test_the_gumbel_loss_moves_the_scores(model):
    weight = model.decoder.attention.scorer.key_layer.weight
    assert torch.autograd.grad(GumbelLoss()(model, BATCH, 0.0), weight)[0].abs().sum() > 0


@pytest.fixture(scope="module")
def word():
    generator = torch.Generator().manual_seed(2)
    weights = torch.randn(5, generator=generator, dtype=torch.float64).softmax(-1)
    return weights, 2 * torch.randn(5, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("baseline", [0.0, -1.5])
def test_the_variance_of_one_draw_is_that_of_many(word, baseline):
    weights, likelihoods = word
    drawn = torch.multinomial(weights, 100_000, replacement=True, generator=torch.Generator().manual_seed(3))
    estimates = score_estimates(weights, likelihoods, baseline)[drawn]
    assert one_draw_variance(weights, likelihoods, baseline).item() == pytest.approx(
        estimates.var(0).sum().item(), rel=0.03
    )


@pytest.mark.parametrize("draws", [2, 4])
def test_the_variance_of_leave_one_out_is_that_of_many(word, draws):
    weights, likelihoods = word
    places = torch.multinomial(weights, 100_000 * draws, replacement=True, generator=torch.Generator().manual_seed(4))
    rewards = likelihoods[places].view(-1, draws)
    advantages = rewards - (rewards.sum(1, keepdim=True) - rewards) / (draws - 1)
    slopes = torch.eye(5, dtype=torch.float64)[places].view(-1, draws, 5) - weights
    estimates = (advantages.unsqueeze(-1) * slopes).mean(1)
    exact = leave_one_out_variance(weights, likelihoods, draws).item()
    assert exact == pytest.approx(estimates.var(0).sum().item(), rel=0.03)
