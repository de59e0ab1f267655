r"""Answers to exercise 2 that are not part of the library: which GRU made a step, and how probable a translation is."""

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.exercises.plain_decoder import PlainDecoder


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
