r"""Losses for hard attention, in the form that :func:`seq2seq.training.train` expects: loss(model, batch, progress)."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.batch import Batch
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.hard.attention import (
    entropy,
    marginal_log_likelihood,
    move_baseline,
    sample_choice,
    score_function_objective,
)
from seq2seq.model import Seq2Seq


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

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder = hard_decoder(model)
        memory, state = model.read(batch.source, batch.source_lengths)
        hidden, log_weights = decoder.decide(batch.target_in, state, memory)
        real_keys = memory.source_mask.unsqueeze(1)
        weights = log_weights.exp().masked_fill(~real_keys, 0.0)
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


def marginal_loss(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    r"""The exact negative log-likelihood per real target token, the position of each word summed out.

    $$-\frac{1}{T} \sum_t \log \sum_i \alpha_{ti} \, p(y_t \mid s_t = i)$$

    Raises:
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.hard.HardAttentionDecoder`.
    """
    decoder = hard_decoder(model)
    memory, state = model.read(batch.source, batch.source_lengths)
    hidden, log_weights = decoder.decide(batch.target_in, state, memory)
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

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder = hard_decoder(model)
        memory, state = model.read(batch.source, batch.source_lengths)
        hidden, log_weights = decoder.decide(batch.target_in, state, memory)
        real = batch.target_mask
        words = batch.target_out[real]
        if progress < self.soft_until:
            real_keys = memory.source_mask.unsqueeze(1)
            weights = log_weights.exp().masked_fill(~real_keys, 0.0)
            logits = decoder.look(weights, hidden, memory)
            return F.cross_entropy(logits[real], words)
        most = min(self.positions, log_weights.size(-1))
        best, positions = log_weights.topk(most, dim=-1)
        attentional = decoder.some_positions(positions, hidden, memory)
        log_likelihoods = decoder.log_likelihoods(attentional[real], words)
        return -marginal_log_likelihood(best[real], log_likelihoods).mean()


def hard_decoder(model: Seq2Seq) -> HardAttentionDecoder:
    if not isinstance(model.decoder, HardAttentionDecoder):
        raise TypeError(
            f"model: its decoder is a {type(model.decoder).__name__}, expected a HardAttentionDecoder; "
            "this loss needs predictions from single positions."
        )
    return model.decoder
