"""Trainable bugs: each is a correct part of a model, or a correct loss, with one thing wrong.

Each has the same parameters as the correct part, so the same seed gives both the same initial weights.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.batch import Batch
from seq2seq.decoders.decoder import Memory
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.layers.recurrent import RecurrentState
from seq2seq.model import Seq2Seq
from seq2seq.museum.exhibits import exhibit_summary, exhibit_weights
from seq2seq.training import masked_loss
from seq2seq.vocab import BOS, PAD


class MaskedAfterwards(Attention):
    """The mask comes after the softmax: padding has taken its share."""

    def weigh(self, scores: Tensor, source_mask: Tensor) -> Tensor:
        return torch.softmax(scores, dim=-1) * source_mask


class AcrossTheBatch(Attention):
    """The sentences of a batch compete for each position."""

    def weigh(self, scores: Tensor, source_mask: Tensor) -> Tensor:
        return exhibit_weights(scores, source_mask)


class LastColumn(Encoder):
    """The decoder starts from the states at the last column."""

    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        states, _ = super().forward(source, source_lengths)
        return states, exhibit_summary(states, source_lengths)


class NeverFed(InputFeedingDecoder):
    """What is fed is a vector of zeros at every step."""

    def _feed(self, embedded: Tensor, state: tuple, memory: Memory) -> tuple:
        recurrent_state, fed = state
        nothing = torch.zeros_like(fed)
        return super()._feed(embedded, (recurrent_state, nothing), memory)


class OneMark(LuongDecoder):
    """The sentence begins with the id of padding: one half of PAD = BOS, :func:`loss_masked_by_id` is the other."""

    def step(self, previous: Tensor, state: RecurrentState, memory: Memory) -> tuple[Tensor, Tensor, RecurrentState]:
        return super().step(one_mark(previous), state, memory)

    def unroll(self, target_in: Tensor, state: RecurrentState, memory: Memory) -> tuple[Tensor, Tensor]:
        return super().unroll(one_mark(target_in), state, memory)


def one_mark(ids: Tensor) -> Tensor:
    """The ids of a vocabulary that has the same id for PAD and BOS."""
    return ids.masked_fill(ids == BOS, PAD)


def loss_masked_by_id(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    """The mask of the loss is computed from the input ids, so that it hides BOS as well."""
    real = one_mark(batch.target_in) != PAD  # every first position is masked
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    return masked_loss(logits, batch.target_out, real)


def loss_over_padding(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    """Padding is set to 0 in the sum, but counted in the divisor."""
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    losses = F.cross_entropy(logits.flatten(0, 1), batch.target_out.flatten(), reduction="none")
    return losses.view_as(batch.target_out).masked_fill(~batch.target_mask, 0.0).mean()
