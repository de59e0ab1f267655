r"""Attention without a query and without recurrence, and its baseline, the mean."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.attention import masked_softmax, weighted_sum


class FeedForwardAttention(nn.Module):
    r"""A sequence becomes one vector; each state determines its own score (Raffel & Ellis, 2015, section 2).

    $$e_t = \tanh(w^\top h_t + b), \qquad \alpha = \mathrm{softmax}(e), \qquad c = \sum_t \alpha_t h_t$$

    There is no query: the weights do not depend on what has been written.
    Scores lie between -1 and 1, so one weight is at most $e^2 \approx 7.4$ times another.

    Shape:
        states: (batch, steps, size), $h_t$
        mask: (batch, steps), bool, True = real step
        context: (batch, size)
        weights: (batch, steps)

    Raises:
        TypeError: the mask is not boolean.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.score_layer = nn.Linear(size, 1)  # w, b
        nn.init.normal_(self.score_layer.weight, std=1 / math.sqrt(size))
        nn.init.zeros_(self.score_layer.bias)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        scores = torch.tanh(self.score_layer(states)).squeeze(-1)  # (batch, steps)
        weights = masked_softmax(scores, mask)
        return weighted_sum(weights, states), weights


class Mean(nn.Module):
    r"""The control of Raffel & Ellis (2015, section 3.2): every real step has the same weight.

    $$c = \frac{1}{T} \sum_{t=1}^{T} h_t$$

    Shape and errors are those of :class:`FeedForwardAttention`.
    """

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        weights = masked_softmax(states.new_zeros(mask.shape), mask)
        return weighted_sum(weights, states), weights


class FeedForwardNetwork(nn.Module):
    r"""From a sequence of vectors to one number, without recurrence (Raffel & Ellis, 2015, section 3.2).

    $$h_t = \mathrm{LReLU}(W_{xh} x_t + b_h), \qquad c = \mathrm{pool}(h), \qquad
      s = \mathrm{LReLU}(W_{cs} c + b_s), \qquad y = \mathrm{LReLU}(W_{sy} s + b_y)$$

    The order of the steps is lost, both with attention and with the mean.
    Initial weights are drawn from $N(0, 1/n)$ with $n$ inputs, biases start at 0.

    Shape:
        inputs: (batch, steps, input_size)
        mask: (batch, steps), bool, True = real step
        outputs: (batch,)
        weights: (batch, steps), those of the pooling
    """

    def __init__(self, pooling: FeedForwardAttention | Mean, input_size: int = 2, size: int = 100) -> None:
        super().__init__()
        self.pooling = pooling
        self.input_layer = nn.Linear(input_size, size)  # W_xh, b_h
        self.hidden_layer = nn.Linear(size, size)  # W_cs, b_s
        self.output_layer = nn.Linear(size, 1)  # W_sy, b_y
        for layer in (self.input_layer, self.hidden_layer, self.output_layer):
            nn.init.normal_(layer.weight, std=1 / math.sqrt(layer.in_features))
            nn.init.zeros_(layer.bias)

    def forward(self, inputs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        states = F.leaky_relu(self.input_layer(inputs))  # slope .01 below 0
        context, weights = self.pooling(states, mask)
        hidden = F.leaky_relu(self.hidden_layer(context))
        return F.leaky_relu(self.output_layer(hidden)).squeeze(-1), weights  # (batch, 1) → (batch,)
