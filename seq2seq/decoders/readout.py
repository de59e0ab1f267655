r"""Readouts of state, word and context: the deep output layer with maxout, and what public code has instead."""

import torch
from torch import Tensor, nn


class MaxoutReadout(nn.Module):
    r"""A deep output with one maxout layer (Bahdanau et al., 2015, appendix A.2.2).

    $$\tilde t_i = U_o s_i + V_o E y_{i-1} + C_o c_i, \qquad
      t_i = \left[\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})\right]_{j=1}^{l}$$

    The appendix prints $s_{i-1}$ here, while equation 4 of the paper's body says $g(y_{i-1}, s_i, c_i)$.
    It is not a misprint: the authors' code generates before it updates, and its $s_{i-1}$ has already read $y_{i-1}$.
    The caller chooses the state; here it is that of equation 4, which has read $y_{i-1}$ and $c_i$.
    The three matrices are side by side in one layer, and share a bias.

    Shape:
        state: (..., state_size)
        embedded: (..., embedding_size), the previous word $E y_{i-1}$
        context: (..., context_size)
        readout: (..., readout_size), $l$ maxima of pairs
    """

    def __init__(
        self,
        state_size: int,
        embedding_size: int,
        context_size: int,
        readout_size: int,
    ) -> None:
        super().__init__()
        joined_size = state_size + embedding_size + context_size
        self.layer = nn.Linear(joined_size, 2 * readout_size)  # [U_o, V_o, C_o]

    def forward(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        joined = torch.cat([state, embedded, context], dim=-1)
        pairs = self.layer(joined).unflatten(-1, (-1, 2))
        return torch.maximum(*pairs.unbind(-1))  # (..., l, 2) → (..., l)


class Concatenation(nn.Module):
    r"""A readout without the maxout layer: the three vectors side by side, $[s_i; c_i; E y_{i-1}]$.

    Shape:
        state: (..., state_size)
        embedded: (..., embedding_size)
        context: (..., context_size)
        readout: (..., state_size + context_size + embedding_size)
    """

    def forward(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        return torch.cat([state, context, embedded], dim=-1)
