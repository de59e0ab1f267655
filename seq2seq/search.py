"""Search: from a trained model to a translation."""

from collections.abc import Callable
from typing import Any, NoReturn

import torch
from torch import Tensor

from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.state import tensors, with_tensors
from seq2seq.device import between_looks
from seq2seq.dropout import without_dropout
from seq2seq.guards import check_at_least
from seq2seq.model import Seq2Seq, decoder_of
from seq2seq.recordings import Recordings
from seq2seq.vocab import BOS, EOS, PAD

STEPS = 8  # of a GPU between two looks at whether all sentences have ended


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
        TypeError: the model has no decoder, or one that does not give logits.
        FloatingPointError: it gives NaN.
    """
    decoder: Decoder = decoder_of(model)

    def choose(previous: Tensor, state: Any) -> tuple[Tensor, Tensor | None, Any]:
        logits, weights, state = decoder.step(previous, state, memory)
        return logits.argmax(dim=-1), weights, state

    with without_dropout(model):
        memory, state = model.read(source, source_lengths)
        first = source.new_full((source.size(0),), BOS, dtype=torch.long)  # a source may be pictures
        ids, weights, silent = speak(choose, first, state, max_length)
        if silent and decoder.step(first, state, memory)[0].isnan().any():  # PAD is the largest where all are NaN
            refuse_nan()
        return ids, weights


def refuse_nan() -> NoReturn:
    """The error for a model that gives NaN in place of logits.

    Raises:
        FloatingPointError: always.
    """
    raise FloatingPointError(
        "logits: got NaN, expected numbers; are the weights NaN, as after training at too high a rate?"
    )


def speak(
    choose: Callable[[Tensor, Any], tuple[Tensor, Tensor | None, Any]], previous: Tensor, state: Any, max_length: int
) -> tuple[Tensor, Tensor | None, int]:
    """Word after word of every sentence, until each has produced EOS, or `max_length` words; then PAD.

    `choose(previous, state)` is the next word of each, its weights, and the next state.
    Whether all have ended is asked at every step; of a GPU only every few, and what it computed in vain is cut off.

    Shape:
        previous: (batch,), ids, what is before the first word
        ids: (batch, steps), steps ≤ max_length
        weights: (batch, steps, source_len), or None where there are none
        silent: a number, of the sentences whose first word is PAD

    Raises:
        ValueError: max_length is below 1.
    """
    check_at_least("max_length", max_length, 1)

    def advance(previous: Tensor, finished: Tensor, *parts: Tensor) -> tuple[Tensor, ...]:
        chosen, weights, following = choose(previous, with_tensors(state, parts))
        spoken = chosen.masked_fill(finished, PAD)
        shown = () if weights is None else (weights,)
        return spoken, finished | (spoken == EOS), *tensors(following), *shown

    looking = between_looks(previous.device, STEPS)
    step = Recordings(advance, previous.device)
    known = [previous, torch.zeros_like(previous, dtype=torch.bool), *tensors(state)]
    rest: list[Tensor]  # weights, where there are some
    words: list[Tensor] = []
    weights: list[Tensor] = []
    for count in range(1, max_length + 1):
        (*results,) = step(*known)
        known, rest = results[: len(known)], results[len(known) :]
        words.append(known[0])
        weights += rest
        if count % looking == 0 and known[1].all():
            break
    ids = torch.stack(words, 1)
    ends = ids == EOS
    lengths = torch.where(ends.any(1), ends.int().argmax(1) + 1, ids.size(1))
    steps, silent = torch.stack([lengths.max(), (ids[:, 0] == PAD).sum()]).tolist()  # one look at both
    return ids[:, :steps], torch.stack(weights, 1)[:, :steps] if weights else None, silent
