r"""Additive scores of many queries, a query at a time, with a hand-written backward pass.

All scores at once need a tensor of (batch, queries, keys, attention_size), which no cache holds and which every
operation of the score reads from memory and writes back.
A query's share of it fits, so a loop over the queries is faster.
It gives the same results; the tests compare the two.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class AdditiveSteps(torch.autograd.Function):
    r"""Additive scores (Bahdanau et al., 2015, appendix A.1.2), up to a constant.

    $$v^\top \tanh x = 2 v^\top \sigma(2x) - \textstyle\sum v, \qquad x = W q_i + U h_j$$

    $-\sum v$ is left out: it is the same for every key, and the softmax cancels it.
    So these scores are valid only as input of a softmax, and so is their gradient for $v$: it holds for any loss that
    uses the scores through a softmax, whose gradients at the scores of a query sum to 0.

    Shape:
        projected_queries: (batch, queries, attention_size), $W q_i$
        projected_keys: (batch, keys, attention_size), $U h_j$
        energy_weight: (1, attention_size), $v$
        scores: (batch, queries, keys), each row up to a constant
    """

    @staticmethod
    def forward(ctx: Any, projected_queries: Tensor, projected_keys: Tensor, energy_weight: Tensor) -> Tensor:
        batch, keys, size = projected_keys.shape
        queries = projected_queries.size(1)
        doubled_queries, doubled_keys = 2 * projected_queries.transpose(0, 1), 2 * projected_keys
        energies = 2 * energy_weight.view(-1, 1)
        logistics = projected_keys.new_empty(queries, batch, keys, size)
        scores = projected_keys.new_empty(queries, batch, keys)
        for query, logistic, score in zip(
            doubled_queries.unbind(0), logistics.unbind(0), scores.unbind(0), strict=True
        ):
            torch.add(doubled_keys, query.unsqueeze(1), out=logistic).sigmoid_()
            torch.mm(logistic.view(-1, size), energies, out=score.view(-1, 1))
        ctx.save_for_backward(logistics, energy_weight)
        return scores.transpose(0, 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, at_scores: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        logistics, energy_weight = ctx.saved_tensors
        queries, batch, keys, size = logistics.shape
        at_scores = at_scores.transpose(0, 1).contiguous()
        at_queries = logistics.new_empty(queries, batch, size)
        at_keys = logistics.new_zeros(batch, keys, size)
        energy_gradient = torch.zeros_like(energy_weight)
        slope = torch.empty_like(at_keys)
        for logistic, at_score, at_query in zip(
            logistics.unbind(0), at_scores.unbind(0), at_queries.unbind(0), strict=True
        ):
            energy_gradient.addmm_(at_score.view(1, -1), logistic.view(-1, size), alpha=2)
            torch.addcmul(logistic, logistic, logistic, value=-1, out=slope)  # σ' = σ - σ²
            torch.bmm(at_score.unsqueeze(1), slope, out=at_query.unsqueeze(1))
            at_keys.addcmul_(slope, at_score.unsqueeze(2))
        scale = 4 * energy_weight
        return at_queries.transpose(0, 1) * scale, at_keys * scale, energy_gradient
