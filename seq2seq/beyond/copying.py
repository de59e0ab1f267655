r"""Training and decoding of pointer-generators: the losses, and greedy search over the extended vocabulary."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from seq2seq.beyond.extended_vocabulary import ExtendedBatch
from seq2seq.decoders.pointer import PointerDecoder, PointerSteps, coverage_loss, final_distribution
from seq2seq.dropout import without_dropout
from seq2seq.model import Seq2Seq, decoder_of
from seq2seq.search import speak
from seq2seq.training import masked_loss
from seq2seq.vocab import BOS, UNK

Choice = Callable[[PointerSteps, ExtendedBatch], Tensor]  # → (batch, (target_len,) ids), the larger the likelier
_LEAST = 1e-10  # a probability may round to 0, whose logarithm is not finite


def copy_or_generate(steps: PointerSteps, batch: ExtendedBatch) -> Tensor:
    """The mixture: the output of a pointer-generator."""
    return final_distribution(steps, batch.extended_source, batch.extended_size)


def only_generate(steps: PointerSteps, batch: ExtendedBatch) -> Tensor:
    """The output layer alone: attention without a pointer."""
    return steps.logits


def generating_loss(model: Seq2Seq, batch: ExtendedBatch, progress: float) -> Tensor:
    """Attention without a pointer: the masked loss of the output layer, with UNK for unknown words."""
    steps = _forced(model, batch)
    return masked_loss(steps.logits, batch.target_out, batch.target_mask)


def copying_loss(model: Seq2Seq, batch: ExtendedBatch, progress: float) -> Tensor:
    r"""Mean negative log-likelihood of the mixture per real target token (See et al., 2017, equations 6 and 7).

    $$L = -\frac{1}{\sum_t m_t} \sum_t m_t \log P(w_t^*)$$
    """
    return mixture_loss(_forced(model, batch), batch)


def covering_loss(model: Seq2Seq, batch: ExtendedBatch, progress: float) -> Tensor:
    r"""The loss of the mixture plus, late in training, the coverage loss (See et al., 2017, equation 13).

    $$L + \lambda \frac{1}{\sum_t m_t} \sum_t m_t \sum_i \min(a_i^t, c_i^t)$$

    $\lambda$ is 0 at first and 1 in the last third.
    The paper also has a last phase with $\lambda = 1$, but adds coverage to the scores only then; here the scores
    include it from the start.
    """
    steps = _forced(model, batch)
    loss = mixture_loss(steps, batch)
    return loss if progress < 2 / 3 else loss + coverage_loss(steps.weights, batch.target_mask)


def _forced(model: Seq2Seq, batch: ExtendedBatch) -> PointerSteps:
    """The steps of a teacher-forced pass, by a decoder and a batch that have what the losses ask for."""
    decoder_of(model, PointerDecoder, "; other models are trained on the default loss")
    if not isinstance(batch, ExtendedBatch):
        raise TypeError(f"batch: got {type(batch).__name__}, expected an ExtendedBatch, as of `ExtendedBatches`.")
    return model(batch.source, batch.source_lengths, batch.target_in)


def mixture_loss(steps: PointerSteps, batch: ExtendedBatch) -> Tensor:
    """The loss of :func:`copying_loss` from the steps of a teacher-forced pass."""
    distribution = copy_or_generate(steps, batch)
    likelihood = distribution.gather(-1, batch.extended_target_out.unsqueeze(-1)).squeeze(-1)
    return -likelihood.clamp(min=_LEAST).log()[batch.target_mask].mean()


@torch.no_grad()
def greedy_copying(
    model: Seq2Seq, batch: ExtendedBatch, max_length: int, choice: Choice = copy_or_generate
) -> tuple[Tensor, Tensor]:
    r"""Greedy decoding over the extended vocabulary: the likeliest word at every step.

    A copied word is fed back as UNK if the vocabulary lacks it.
    After its EOS a sentence gets PAD.

    Shape:
        ids: (batch, steps), extended ids, for :func:`seq2seq.beyond.extended_vocabulary.decode`; steps ≤ max_length
        weights: (batch, steps, source_len)

    Raises:
        ValueError: max_length is below 1.
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.pointer.PointerDecoder`.
    """
    decoder = decoder_of(model, PointerDecoder, "; other models are searched by seq2seq.search.greedy")

    def choose(previous: Tensor, state: Any) -> tuple[Tensor, Tensor, Any]:
        known = previous.masked_fill(previous >= batch.vocab_size, UNK)
        steps, state = decoder.step(known, state, memory)
        return choice(steps, batch).argmax(dim=-1), steps.weights, state

    with without_dropout(model):
        memory, state = model.read(batch.source, batch.source_lengths)
        first = batch.source.new_full((batch.source.size(0),), BOS, dtype=torch.long)
        ids, weights, _ = speak(choose, first, state, max_length)
    assert weights is not None  # a pointer has some at every step
    return ids, weights
