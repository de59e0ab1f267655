r"""Chapter 2: which GRU made a step, how probable a translation is, and a decoder on the true words or on its own."""

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.exercises.plain_decoder import PlainDecoder
from seq2seq.vocab import BOS, EOS, PAD


def conventions(
    inputs: Tensor,
    state: Tensor,
    input_weight: Tensor,
    state_weight: Tensor,
    input_bias: Tensor,
    state_bias: Tensor,
    following: Tensor,
) -> list[str]:
    r"""Which GRUs may have made the step from `state` to `following`, judging by these numbers.

    - "pytorch": $n = \tanh(W_n x + b_n + r \circ (U_n s + c_n))$ and $s' = (1 - z) \circ n + z \circ s$
    - "cho": $n = \tanh(W_n x + b_n + U_n (r \circ s) + c_n)$ and $s' = (1 - z) \circ n + z \circ s$
    - "bahdanau": $n$ as in "cho", and $s' = z \circ n + (1 - z) \circ s$

    All that fit are returned, in this order; there may be none, one or several.
    A number fits if it is off by less than 0.002.

    Shape:
        inputs: (batch, input_size), $x$; state, following: (batch, hidden_size), $s$ and $s'$
        input_weight: (3 × hidden_size, input_size), $W$ in the order r, z, n; state_weight, the biases $b$, $c$ alike
    """
    input_reset, input_update, input_new = F.linear(inputs, input_weight, input_bias).chunk(3, dim=-1)
    state_reset, state_update, state_new = F.linear(state, state_weight, state_bias).chunk(3, dim=-1)
    reset, update = torch.sigmoid(input_reset + state_reset), torch.sigmoid(input_update + state_update)
    weight, bias = state_weight.chunk(3)[2], state_bias.chunk(3)[2]
    after = torch.tanh(input_new + reset * state_new)
    before = torch.tanh(input_new + F.linear(reset * state, weight, bias))
    steps = {
        "pytorch": (1 - update) * after + update * state,
        "cho": (1 - update) * before + update * state,
        "bahdanau": update * before + (1 - update) * state,
    }
    return [name for name, step in steps.items() if (step - following).abs().max() < 0.002]


def log_probability(
    decoder: PlainDecoder, target_in: Tensor, target_out: Tensor, target_mask: Tensor, state: Tensor
) -> Tensor:
    r"""The logarithm of the probability that the decoder gives to each sentence.

    $$\log p(y \mid x) = \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    Shape:
        target_in, target_out: (batch, target_len), ids, the words that are read and the words to predict
        target_mask: (batch, target_len), bool, True = real token of `target_out`, EOS included
        state: (batch, hidden_size), the decoder state before the first word
        log probabilities: (batch,)
    """
    total = state.new_zeros(state.size(0))
    for step in range(target_in.size(1)):
        previous, word, real = target_in[:, step], target_out[:, step], target_mask[:, step]
        logits, state = decoder.step(previous, state)
        chosen = logits.log_softmax(dim=-1).gather(1, word.unsqueeze(1)).squeeze(1)
        total = total + chosen * real
    return total


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
