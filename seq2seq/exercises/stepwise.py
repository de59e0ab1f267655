r"""Running a decoder word by word: on the true words, or on its own."""

import torch
from torch import Tensor

from seq2seq.exercises.plain_decoder import PlainDecoder
from seq2seq.vocab import BOS, EOS, PAD


def teacher_forced(decoder: PlainDecoder, target_in: Tensor, state: Tensor) -> Tensor:
    r"""Teacher forcing: at every step the decoder reads the true previous word, whatever it would predict itself.

    $$p(y \mid x) = \prod_i p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    Shape:
        target_in: (batch, target_len), ids, BOS first
        state: (batch, hidden_size), the decoder state before the first word
        logits: (batch, target_len, vocab_size)
    """
    logits = []
    for previous in target_in.unbind(1):
        step_logits, state = decoder.step(previous, state)
        logits.append(step_logits)
    return torch.stack(logits, dim=1)


def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    r"""Greedy decoding: the most probable word at every step, fed back as the next step's previous word.

    $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x)$$

    It begins with BOS and stops when every sentence of the batch has produced EOS, or after `max_length` words; after
    its EOS a sentence gets PAD.

    Shape:
        state: (batch, hidden_size), the decoder state before the first word
        ids: (batch, steps), steps ≤ max_length
    """
    previous = torch.full((state.size(0),), BOS, device=state.device)
    finished = torch.zeros_like(previous, dtype=torch.bool)
    ids = []
    for _ in range(max_length):
        logits, state = decoder.step(previous, state)
        previous = logits.argmax(dim=-1).masked_fill(finished, PAD)
        ids.append(previous)
        finished = finished | (previous == EOS)
        if finished.all():
            break
    return torch.stack(ids, dim=1)
