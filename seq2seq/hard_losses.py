r"""Losses for hard attention, in the form that :func:`seq2seq.training.train` wants: loss(model, batch, progress)."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.batch import Batch
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.hard import (
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

    Only the gradient of the second term has a meaning; the sum runs over real target tokens.
    Xu et al. let a draw answer for the whole sentence; in this wiring it moves one word only, and answers for that.
    For a share of the sentences, the paper's one half, the weighted mean of the states stands for the one drawn, which
    lowers the variance further; these sentences are plain soft attention.
    Each call moves ``model.decoder.baseline`` by what was drawn.
    Draws come from PyTorch's global generator.

    Raises:
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.hard.HardAttentionDecoder`.
    """

    reward_weight: float = 1.0  # lambda_r
    entropy_weight: float = 0.01  # lambda_e
    soft_share: float = 0.5

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder = _hard_decoder(model)
        memory, state = model.read(batch.source, batch.source_lengths)
        hidden, log_weights = decoder.decide(batch.target_in, state, memory)
        weights = log_weights.exp().masked_fill(~memory.source_mask.unsqueeze(1), 0.0)
        drawn = sample_choice(weights)
        soft = torch.rand(weights.size(0), 1, 1, device=weights.device) < self.soft_share
        logits = decoder.look(torch.where(soft, weights, drawn), hidden, memory)
        log_likelihood = -F.cross_entropy(logits.flatten(0, 1), batch.target_out.flatten(), reduction="none")
        log_likelihood = log_likelihood.view(batch.target_out.shape)
        log_choice = (drawn * log_weights).sum(-1).masked_fill(soft.squeeze(-1), 0.0)
        objective = score_function_objective(log_likelihood, log_choice, decoder.baseline, self.reward_weight)
        objective = objective + self.entropy_weight * entropy(log_weights)
        judged = batch.target_mask & ~soft.squeeze(-1)
        if decoder.training and judged.any():
            decoder.baseline.copy_(move_baseline(decoder.baseline, log_likelihood[judged]))
        return -objective[batch.target_mask].mean()


def marginal_loss(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    r"""The exact negative log-likelihood per real target token, the position of each word summed out.

    $$-\frac{1}{T} \sum_t \log \sum_i \alpha_{ti} \, p(y_t \mid s_t = i)$$

    Raises:
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.hard.HardAttentionDecoder`.
    """
    decoder = _hard_decoder(model)
    memory, state = model.read(batch.source, batch.source_lengths)
    hidden, log_weights = decoder.decide(batch.target_in, state, memory)
    log_likelihoods = decoder.log_likelihoods(hidden, memory, batch.target_out)
    return -marginal_log_likelihood(log_weights, log_likelihoods)[batch.target_mask].mean()


def _hard_decoder(model: Seq2Seq) -> HardAttentionDecoder:
    if not isinstance(model.decoder, HardAttentionDecoder):
        raise TypeError(
            f"model: its decoder is a {type(model.decoder).__name__}, expected a HardAttentionDecoder; "
            "this loss asks for the predictions from single positions."
        )
    return model.decoder
