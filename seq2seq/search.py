"""Search: from a trained model to a translation."""

import torch
from torch import Tensor

from seq2seq.guards import check_at_least
from seq2seq.model import Seq2Seq, without_dropout
from seq2seq.vocab import BOS, EOS, PAD


@torch.no_grad()
def greedy(model: Seq2Seq, source: Tensor, source_lengths: Tensor, max_length: int) -> tuple[Tensor, Tensor | None]:
    r"""Greedy decoding: the most probable word at every step, fed back as the next step's previous word.

    $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x)$$

    It stops when every sentence of the batch has produced EOS, or after `max_length` words; after its EOS a
    sentence gets PAD.
    Dropout is off during the search; the model's mode is restored.

    Shape:
        source: (batch, source_len), ids
        source_lengths: (batch,)
        ids: (batch, steps), steps ≤ max_length
        weights: (batch, steps, source_len), or None where the decoder has no attention

    Raises:
        ValueError: max_length is below 1.
    """
    check_at_least("max_length", max_length, 1)
    with without_dropout(model):
        memory, state = model.read(source, source_lengths)
        previous = source.new_full((source.size(0),), BOS, dtype=torch.long)  # a source may be pictures
        finished = torch.zeros_like(previous, dtype=torch.bool)
        ids: list[Tensor] = []
        weights: list[Tensor] = []
        for _ in range(max_length):
            logits, step_weights, state = model.decoder.step(previous, state, memory)
            previous = logits.argmax(dim=-1).masked_fill(finished, PAD)
            ids.append(previous)
            if step_weights is not None:
                weights.append(step_weights)
            finished = finished | (previous == EOS)
            if finished.all():
                break
    return torch.stack(ids, 1), torch.stack(weights, 1) if weights else None
