r"""Losses for hard attention, in the form that :func:`seq2seq.training.train` expects: loss(model, batch, progress).

What trains on drawn positions differs in the baseline: the estimate of Xu et al. (2015, section 4.1) is unbiased with
any that does not depend on the draw, and varies the less, the nearer the baseline is to what the other positions would
have given *this* word.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.batch import Batch
from seq2seq.decoders.decoder import Memory
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.guards import check_above_zero, check_at_least, check_share
from seq2seq.hard.attention import (
    entropy,
    marginal_log_likelihood,
    move_baseline,
    sample_choice,
    score_function_objective,
    straight_through_gumbel,
)
from seq2seq.model import Seq2Seq, decoder_of


@dataclass(frozen=True)
class ScoreFunctionLoss:
    r"""Draw a position for every word; learn from the estimate of section 4.1 of Xu et al. (2015).

    $$-\frac{1}{T} \sum_t \log p(y_t \mid s_t) + \lambda_r (\log p(y_t \mid s_t) - b) \log p(s_t) + \lambda_e H_t$$

    Only the gradient of the second term is meaningful; the sum runs over real target tokens.
    Xu et al. reward a draw for the whole sentence; in this wiring it affects only one word, and is rewarded for that.
    For a share of the sentences, one half as in the paper, the weighted mean of the states replaces the one drawn,
    which lowers the variance further; these sentences use plain soft attention.
    Each call updates ``model.decoder.baseline`` from the draws.
    Draws come from PyTorch's global generator.

    Raises:
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.hard.HardAttentionDecoder`.
    """

    reward_weight: float = 1.0  # lambda_r
    entropy_weight: float = 0.01  # lambda_e
    soft_share: float = 0.5

    def __post_init__(self) -> None:
        check_share("soft_share", self.soft_share, ", of sentences")

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder, hidden, log_weights, weights, memory = _decided(model, batch)
        drawn = sample_choice(weights)
        coins = torch.rand(weights.size(0), 1, 1, device=weights.device)
        soft = coins < self.soft_share  # (batch, 1, 1)
        logits = decoder.look(torch.where(soft, weights, drawn), hidden, memory)
        words = batch.target_out
        losses = F.cross_entropy(
            logits.flatten(0, 1),
            words.flatten(),
            reduction="none",
        )
        log_likelihood = -losses.view(words.shape)
        log_choice = (drawn * log_weights).sum(-1).masked_fill(soft.squeeze(-1), 0.0)
        objective = score_function_objective(
            log_likelihood,
            log_choice,
            decoder.baseline,
            self.reward_weight,
        )
        objective = objective + self.entropy_weight * entropy(log_weights)
        judged = batch.target_mask & ~soft.squeeze(-1)
        if decoder.training and judged.any():
            moved = move_baseline(decoder.baseline, log_likelihood[judged])
            decoder.baseline.copy_(moved)
        return -objective[batch.target_mask].mean()


@dataclass(frozen=True)
class LeaveOneOutLoss:
    r"""Several draws for each word; the baseline of each is the mean of the others (Kool et al., 2019).

    $$b_k = \frac{1}{K - 1} \sum_{l \ne k} \log p(y_t \mid s_t^l)$$

    There is no soft attention: no weighted mean of states is ever read out.
    """

    draws: int = 4  # K, at least 2
    entropy_weight: float = 0.01  # lambda_e

    def __post_init__(self) -> None:
        check_at_least("draws", self.draws, 2, ", because each has the others as its baseline")

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder, hidden, log_weights, weights, memory = _decided(model, batch)
        choices = [sample_choice(weights) for _ in range(self.draws)]
        likelihoods = torch.stack(
            [_log_likelihood(decoder, choice, hidden, memory, batch) for choice in choices],
        )
        log_choices = torch.stack(
            [(choice * log_weights).sum(-1)[batch.target_mask] for choice in choices],
        )
        baselines = (likelihoods.sum(0) - likelihoods) / (self.draws - 1)
        objective = score_function_objective(likelihoods, log_choices, baselines).mean(0)
        entropies = entropy(log_weights)[batch.target_mask]
        return -(objective + self.entropy_weight * entropies).mean()


@dataclass(frozen=True)
class SoftBaselineLoss:
    r"""One draw for each word; the baseline is what the weighted mean of the states gives that word.

    $$b_t = \log p\Big(y_t \mid \sum_i \alpha_{ti} \bar h_i\Big), \qquad
      L_u = w_u L_\mathrm{soft} + (1 - w_u) L_\mathrm{drawn}, \qquad w_u = (1 - u / u_s)_+$$

    Training starts as soft attention and ends as hard: $u$ is the share of the budget that is used.
    Xu et al. (2015) keep soft attention for half of the sentences throughout.
    """

    soft_until: float = 0.5  # u_s
    entropy_weight: float = 0.01  # lambda_e

    def __post_init__(self) -> None:
        check_above_zero("soft_until", self.soft_until, "; LeaveOneOutLoss is hard from the start")

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder, hidden, log_weights, weights, memory = _decided(model, batch)
        soft_share = max(0.0, 1 - progress / self.soft_until)
        with torch.set_grad_enabled(soft_share > 0):
            soft = _log_likelihood(decoder, weights, hidden, memory, batch)
        choice = sample_choice(weights)
        drawn = _log_likelihood(decoder, choice, hidden, memory, batch)
        log_choice = (choice * log_weights).sum(-1)[batch.target_mask]
        objective = score_function_objective(drawn, log_choice, soft)
        objective = objective + self.entropy_weight * entropy(log_weights)[batch.target_mask]
        return -(soft_share * soft + (1 - soft_share) * objective).mean()


@dataclass(frozen=True)
class GumbelLoss:
    """A drawn position forward, the Gumbel softmax backward (Jang et al., 2017, section 2.2): no score function."""

    temperature: float = 1.0

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder, hidden, log_weights, _, memory = _decided(model, batch)
        choice = straight_through_gumbel(log_weights, memory.source_mask.unsqueeze(1), self.temperature)
        return -_log_likelihood(decoder, choice, hidden, memory, batch).mean()


def marginal_loss(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    r"""The exact negative log-likelihood per real target token, the position of each word summed out.

    $$-\frac{1}{T} \sum_t \log \sum_i \alpha_{ti} \, p(y_t \mid s_t = i)$$

    Raises:
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.hard.HardAttentionDecoder`.
    """
    decoder, hidden, log_weights, _, memory = _decided(model, batch)
    real = batch.target_mask  # flattens (batch, target_len) to the real tokens: padding gets no softmax
    log_likelihoods = decoder.log_likelihoods(decoder.every_position(hidden, memory)[real], batch.target_out[real])
    return -marginal_log_likelihood(log_weights[real], log_likelihoods).mean()


@dataclass(frozen=True)
class BestPositionsLoss:
    r"""The exact marginal over the few positions of largest weight: cheaper, and never below the exact loss.

    $$-\frac{1}{T} \sum_t \log \sum_{i \in \mathrm{top}_k(\alpha_t)} \alpha_{ti} \, p(y_t \mid s_t = i)
      \ge -\frac{1}{T} \sum_t \log p(y_t)$$

    The two are close where the weights are sharp, as trained ones are.
    Initial weights are not, and the few that happen to be largest would be reinforced: so until `soft_until` of the
    budget is used the loss is that of soft attention.
    Compare the top-$k$ sums of Shankar, Garg & Sarawagi (2018).

    Raises:
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.hard.HardAttentionDecoder`.
    """

    positions: int = 3  # k
    soft_until: float = 0.3

    def __post_init__(self) -> None:
        check_at_least("positions", self.positions, 1, ", because their sum is what is learned from")

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder, hidden, log_weights, weights, memory = _decided(model, batch)
        real = batch.target_mask
        words = batch.target_out[real]
        if progress < self.soft_until:
            logits = decoder.look(weights, hidden, memory)
            return F.cross_entropy(logits[real], words)
        most = min(self.positions, log_weights.size(-1))
        best, positions = log_weights.topk(most, dim=-1)
        attentional = decoder.some_positions(positions, hidden, memory)
        log_likelihoods = decoder.log_likelihoods(attentional[real], words)
        return -marginal_log_likelihood(best[real], log_likelihoods).mean()


def _decided(model: Seq2Seq, batch: Batch) -> tuple[HardAttentionDecoder, Tensor, Tensor, Tensor, Memory]:
    """The decoder, its states, the log-weights and weights of every step, and the memory."""
    decoder = decoder_of(model, HardAttentionDecoder, "; this loss needs predictions from single positions")
    memory, state = model.read(batch.source, batch.source_lengths)
    hidden, log_weights = decoder.decide(batch.target_in, state, memory)
    weights = log_weights.exp().masked_fill(~memory.source_mask.unsqueeze(1), 0.0)
    return decoder, hidden, log_weights, weights, memory


def _log_likelihood(
    decoder: HardAttentionDecoder, choice: Tensor, hidden: Tensor, memory: Memory, batch: Batch
) -> Tensor:
    """Of every real word, with the context given by `choice`, flat; padding gets no softmax."""
    real = batch.target_mask
    attentional = decoder.attentional(torch.bmm(choice, memory.values), hidden)[real]
    return -F.cross_entropy(decoder.output_layer(attentional), batch.target_out[real], reduction="none")
