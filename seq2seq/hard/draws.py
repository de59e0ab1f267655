r"""Losses that train drawn positions with a better baseline than a moving average, for :func:`seq2seq.training.train`.

The estimate of Xu et al. (2015, section 4.1) is unbiased with any baseline that does not depend on the draw.
The nearer the baseline is to what the other positions would have given *this* word, the less the estimate varies.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.batch import Batch
from seq2seq.decoders.decoder import Memory
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.guards import check_at_least
from seq2seq.hard.attention import entropy, sample_choice, score_function_objective, straight_through_gumbel
from seq2seq.hard.losses import hard_decoder
from seq2seq.model import Seq2Seq


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
        likelihoods = torch.stack([_log_likelihood(decoder, choice, hidden, memory, batch) for choice in choices])
        log_choices = torch.stack([(choice * log_weights).sum(-1)[batch.target_mask] for choice in choices])
        baselines = (likelihoods.sum(0) - likelihoods) / (self.draws - 1)
        objective = score_function_objective(likelihoods, log_choices, baselines).mean(0)
        return -(objective + self.entropy_weight * entropy(log_weights)[batch.target_mask]).mean()


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


def _decided(model: Seq2Seq, batch: Batch) -> tuple[HardAttentionDecoder, Tensor, Tensor, Tensor, Memory]:
    """The decoder, its states, the log-weights and weights of every step, and the memory."""
    decoder = hard_decoder(model)
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
