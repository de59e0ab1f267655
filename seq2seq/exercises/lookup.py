"""The task of the exercise on attention as a look-up that no page of the book shows."""

import torch
from torch import Tensor


def look_up_gradients(
    queries: Tensor, keys: Tensor, values: Tensor, contexts_gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""The backward pass of a whole look-up by hand: from the gradient at the contexts to queries, keys and values.

    $$e_{ij} = a(q_i, k_j), \qquad a(q, k) = q^\top k, \qquad
    \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_l \exp(e_{il})}, \qquad c_i = \sum_j \alpha_{ij} v_j$$

    With $g_i = \partial L / \partial c_i$ for each target word $i$, the chain rule gives the rest.

    Shape:
        queries: (batch, queries, size)
        keys: (batch, keys, size)
        values: (batch, keys, value_size)
        contexts_gradient: (batch, queries, value_size), $g$
        queries_gradient, keys_gradient, values_gradient: of the shapes of queries, keys and values
    """
    weights = torch.softmax(queries @ keys.transpose(1, 2), dim=-1)
    at_weights = contexts_gradient @ values.transpose(1, 2)
    level = (weights * at_weights).sum(dim=-1, keepdim=True)
    at_scores = weights * (at_weights - level)
    queries_gradient = at_scores @ keys
    keys_gradient = at_scores.transpose(1, 2) @ queries
    return queries_gradient, keys_gradient, weights.transpose(1, 2) @ contexts_gradient
