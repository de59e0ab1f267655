r"""Attention: mask the scores, normalise them into weights, sum the values.

The pieces are plain functions; :class:`Attention` composes them with a scorer of your choice.
Nothing is kept on ``self`` between calls: the caller gets ``(context, weights)`` back.
"""

import torch
from torch import Tensor, nn

from seq2seq.scorer import Scorer


def masked_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    r"""Softmax over the real tokens only (Bahdanau et al., 2015, equation 6, over unpadded positions).

    $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_l m_l \exp(e_l / \tau)}$$

    The mask is applied before the softmax: padding gets a score so low that its weight is exactly 0 and
    the weights of the real tokens sum to 1. A row without any real token gets weights of 0, and gradients of 0,
    instead of NaN. The caller's scores are not modified.

    Shape:
        scores: (..., keys), finite
        source_mask: broadcastable to scores, bool, True = real token
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)

    Raises:
        TypeError: the mask is not boolean (a float mask would be added by some libraries, multiplied by others).
        ValueError: the temperature is not positive.
    """
    if source_mask.dtype != torch.bool:
        raise TypeError(
            f"source_mask: dtype {source_mask.dtype}, expected torch.bool "
            "with True = real token; did you forget `.bool()` or a comparison "
            "such as `ids != pad`?"
        )
    if not temperature > 0:
        raise ValueError(f"temperature: got {temperature}, expected a number above 0.")
    lowest = torch.finfo(scores.dtype).min
    masked = (scores / temperature).masked_fill(~source_mask, lowest)
    weights = torch.softmax(masked, dim=-1)
    return weights.masked_fill(~source_mask, 0.0)  # only changes rows without real tokens


def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    r"""The context, by loops over sentences and keys (Bahdanau et al., 2015, equation 5).

    $$c = \sum_j \alpha_j v_j$$

    Shape:
        weights: (batch, keys)
        values: (batch, keys, value_size), the encoder states $v_j$
        context: (batch, value_size)
    """
    batch, keys, value_size = values.shape
    context = values.new_zeros(batch, value_size)
    for row in range(batch):
        for j in range(keys):
            context[row] += weights[row, j] * values[row, j]
    return context


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    r"""The context: the values, each times its weight, summed (Bahdanau et al., 2015, equation 5).

    $$c = \sum_j \alpha_j v_j$$

    Shape:
        weights: (batch, keys)
        values: (batch, keys, value_size), the encoder states $v_j$
        context: (batch, value_size)
    """
    return torch.bmm(weights.unsqueeze(1), values).squeeze(1)


def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    r"""Score, normalise and sum for every target word of a sentence at once, with dot-product scores.

    $$e_{ij} = q_i^\top k_j, \qquad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_l \exp(e_{il})},
    \qquad c_i = \sum_j \alpha_{ij} v_j$$

    Row $i$ of the table of weights belongs to target word $i$ and sums to 1 over the source words.

    Shape:
        queries: (batch, queries, size), one for each target word
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts: (batch, queries, value_size)
        weights: (batch, queries, keys)
    """
    weights = torch.softmax(queries @ keys.transpose(1, 2), dim=-1)
    return weights @ values, weights


def entropy(weights: Tensor) -> Tensor:
    r"""How spread the weights are: 0 if one key has all the weight, $\ln n$ if $n$ keys share it equally.

    $$H = -\sum_j \alpha_j \ln \alpha_j, \qquad 0 \ln 0 = 0$$

    A weight of 0, as at padding, adds nothing and gets a finite gradient.

    Shape:
        weights: (..., keys), each row sums to 1 (to 0 where no token is real)
        entropy: (...), in nats
    """
    smallest = torch.finfo(weights.dtype).tiny
    return -(weights * weights.clamp_min(smallest).log()).sum(dim=-1)


def score_gradient(weights: Tensor, values: Tensor, context_gradient: Tensor) -> Tensor:
    r"""The gradient of the loss with respect to the scores, derived by hand from the gradient at the context.

    $$\frac{\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top \frac{\partial L}{\partial c}$$

    A score rises when its value points further along the useful direction than the context does; a key
    with weight 0 gets no gradient.

    Shape:
        weights: (batch, keys), the softmax of the scores
        values: (batch, keys, value_size)
        context_gradient: (batch, value_size), $\partial L / \partial c$
        gradient: (batch, keys), $\partial L / \partial e$
    """
    context = weighted_sum(weights, values)
    gain = (values - context.unsqueeze(1)) @ context_gradient.unsqueeze(-1)
    return weights * gain.squeeze(-1)


def attend(
    scores: Tensor,
    values: Tensor,
    source_mask: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""From scores to context: mask, normalise, sum.

    $$\alpha = \mathrm{softmax}(e \mid m), \qquad c = \sum_j \alpha_j v_j$$

    Shape:
        scores: (batch, keys), as a scorer returns them
        values: (batch, keys, value_size), the encoder states $v_j$
        source_mask: (batch, keys), bool, True = real token
        context: (batch, value_size)
        weights: (batch, keys)
    """
    weights = masked_softmax(scores, source_mask)
    return weighted_sum(weights, values), weights


class Attention(nn.Module):
    r"""Attention with a scorer of your choice: ``context, weights = attention(query, projected_keys, values, mask)``.

    Keys are projected once per sentence by ``attention.scorer.project_keys(keys)``; the caller passes the
    result to every step.

    Shape:
        query: (batch, query_size)
        projected_keys: (batch, keys, ...), from ``scorer.project_keys``
        values: (batch, keys, value_size)
        source_mask: (batch, keys), bool, True = real token
        context: (batch, value_size)
        weights: (batch, keys)
    """

    def __init__(self, scorer: Scorer) -> None:
        super().__init__()
        self.scorer = scorer

    def forward(
        self, query: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        weights = self.weigh(self.scorer.score(query, projected_keys), source_mask)
        return weighted_sum(weights, values), weights

    def forward_all(
        self, queries: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Every query at once: queries (batch, queries, query_size) → contexts (batch, queries, value_size)
        and weights (batch, queries, keys)."""
        weights = self.weigh(self.scorer.score_all(queries, projected_keys), source_mask.unsqueeze(1))
        return torch.bmm(weights, values), weights

    def weigh(self, scores: Tensor, source_mask: Tensor) -> Tensor:
        """From scores (..., keys) to weights of the same shape; the mask is broadcastable to them."""
        return masked_softmax(scores, source_mask)
