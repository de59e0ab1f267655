r"""Local attention: each query looks at a window of the source around its own centre (Luong et al., 2015, § 3.2).

Two methods give the same contexts and weights.
:func:`attend_masked` scores every key and masks those outside the window; its cost grows with the source.
:func:`attend_gathered` fetches the window first; its cost grows with the window alone.
Both take the function that turns scores into weights: :func:`window_softmax` for centres that are given (local-m),
:func:`gaussian_window_softmax` for centres that are predicted (local-p).

Positions are counted from 0; a centre may lie between two of them.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from seq2seq.attention import masked_softmax
from seq2seq.scorer import Scorer
from seq2seq.scorers import LocationScorer

Weigh = Callable[[Tensor, Tensor, Tensor, int, Tensor], Tensor]


def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    r"""Which positions lie in the window of each centre: $|s - p_t| \le D$ (Luong et al., 2015, section 3.2).

    Shape:
        positions: (keys,), or (batch, queries, keys) where each query has its own keys; counted from 0
        centres: (batch, queries), $p_t$
        inside: (batch, queries, keys), bool

    Raises:
        ValueError: the half width $D$ is below 1.
    """
    if half_width < 1:
        raise ValueError(
            f"half_width: got {half_width}, expected at least 1: the window is "
            "[p - D, p + D] and the Gaussian's sigma is D / 2; did you mean the number "
            "of words on each side of the centre?"
        )
    return (positions - centres.unsqueeze(-1)).abs() <= half_width


def window_softmax(
    scores: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
    source_mask: Tensor,
) -> Tensor:
    r"""Softmax over the window only (Luong et al., 2015, section 3.2 with equation 7).

    $$a_t(s) = \frac{\exp e_{ts}}{\sum_{|s' - p_t| \le D} \exp e_{ts'}} \quad\text{for } |s - p_t| \le D,
      \qquad a_t(s) = 0 \quad\text{elsewhere}$$

    If a window reaches beyond the sentence, only the part inside counts.
    A window without any real token, such as one wholly beyond the end, gets weights of 0, and gradients of 0.

    Shape:
        scores: (batch, queries, keys)
        positions: (keys,) or (batch, queries, keys), the source position of each key
        centres: (batch, queries), $p_t$
        source_mask: (batch, 1, keys) or (batch, queries, keys), bool, True = real token
        weights: (batch, queries, keys), each row sums to 1, or to 0 where the window is empty
    """
    inside = in_window(positions, centres, half_width)
    return masked_softmax(scores, source_mask & inside)


def favour_centre(
    weights: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
) -> Tensor:
    r"""Weights multiplied by a Gaussian around the centre (Luong et al., 2015, section 3.2, equation 10).

    $$a_t(s) = \mathrm{align}_t(s) \exp\left(-\frac{(s - p_t)^2}{2 \sigma^2}\right), \qquad \sigma = \frac{D}{2}$$

    The factor is 1 at the centre and $e^{-2} \approx 0.14$ at the edge of the window.
    The result is not normalised again, so a row that summed to 1 sums to less.

    Shape:
        weights: (batch, queries, keys), the alignment within the window
        positions: (keys,) or (batch, queries, keys), the source position of each key
        centres: (batch, queries), $p_t$, floats or whole numbers
        favoured: (batch, queries, keys)
    """
    sigma = half_width / 2
    distances = positions - centres.unsqueeze(-1)
    return weights * torch.exp(-(distances**2) / (2 * sigma**2))


def gaussian_window_softmax(
    scores: Tensor, positions: Tensor, centres: Tensor, half_width: int, source_mask: Tensor
) -> Tensor:
    r"""Softmax over the window, then times the Gaussian (Luong et al., 2015, equation 10).

    $$a_t(s) = \mathrm{align}(h_t, \bar h_s) \exp\left(-\frac{(s - p_t)^2}{2 \sigma^2}\right), \qquad
      \sigma = \frac{D}{2}$$

    The Gaussian comes after the softmax and nothing is normalised again, so a row sums to less than 1.
    The edge of the window is a step, which has no gradient; the Gaussian gives the centre its gradient.

    Shape: as :func:`window_softmax`; each row sums to at most 1.
    """
    weights = window_softmax(scores, positions, centres, half_width, source_mask)
    return favour_centre(weights, positions, centres, half_width)


class CentrePredictor(nn.Module):
    r"""Where in the source to look, as a real number (Luong et al., 2015, equation 9).

    $$p_t = S \cdot \mathrm{sigmoid}(v_p^\top \tanh(W_p h_t))$$

    $S$ is the length of each sentence itself, not of the batch's longest, so padding does not move centres.
    The paper does not say how many rows $W_p$ has; `position_size` is their number.
    Adam moves every entry of $v_p$ by about the learning rate, so with many rows and a high rate the sigmoid may
    saturate in the first hundred steps, and then no gradient brings the centre back from an end of the sentence.

    Shape:
        hidden: (batch, queries, hidden_size), the decoder states $h_t$
        source_mask: (batch, source_len), bool, True = real token
        centres: (batch, queries), between 0 and $S$
    """

    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        logit = self.position_layer(torch.tanh(self.hidden_layer(hidden))).squeeze(-1)
        share = torch.sigmoid(logit)
        return source_mask.sum(-1, keepdim=True) * share  # (batch, 1) × (batch, queries)


def attend_masked(
    weigh: Weigh,
    scorer: Scorer,
    queries: Tensor,
    projected_keys: Tensor,
    values: Tensor,
    source_mask: Tensor,
    centres: Tensor,
    half_width: int,
) -> tuple[Tensor, Tensor]:
    r"""Local attention by scoring every key: $c_t = \sum_s a_t(s) \bar h_s$, with $a_t$ from `weigh`.

    Shape:
        queries: (batch, queries, query_size)
        projected_keys: (batch, keys, ...), from ``scorer.project_keys``
        values: (batch, keys, value_size)
        source_mask: (batch, keys), bool, True = real token
        centres: (batch, queries), counted from 0
        contexts: (batch, queries, value_size)
        weights: (batch, queries, keys)
    """
    positions = torch.arange(values.size(1), device=values.device)
    scores = scorer.score_all(queries, projected_keys)
    weights = weigh(scores, positions, centres, half_width, source_mask.unsqueeze(1))
    return torch.bmm(weights, values), weights


def attend_gathered(
    weigh: Weigh,
    scorer: Scorer,
    queries: Tensor,
    projected_keys: Tensor,
    values: Tensor,
    source_mask: Tensor,
    centres: Tensor,
    half_width: int,
) -> tuple[Tensor, Tensor]:
    r"""The same as :func:`attend_masked` by fetching each query's window first: $2D + 1$ keys instead of all.

    Only the returned weights, mostly zeros, are as wide as the source.

    Raises:
        TypeError: the scorer is a :class:`~seq2seq.scorers.LocationScorer`, which scores a key by its position in
            the row and would take a position in the window for one in the sentence.
    """
    if isinstance(scorer, LocationScorer):
        raise TypeError("scorer: got LocationScorer, which ignores the keys; use attend_masked.")
    positions = window_positions(centres, half_width)
    keys = values.size(1)
    inside = positions.clamp(0, keys - 1)  # beyond the ends: any key, masked
    rows = torch.arange(values.size(0), device=values.device).view(-1, 1, 1)
    real = (positions == inside) & source_mask[rows, inside]
    flat = (inside + rows * keys).flatten(0, 1)  # rows of one table of all sentences
    window_keys = _rows(projected_keys, flat)
    scores = scorer.score(queries.flatten(0, 1), window_keys).view(positions.shape)
    window_weights = weigh(scores, positions, centres, half_width, real)
    contexts = torch.bmm(window_weights.flatten(0, 1).unsqueeze(1), _rows(values, flat))
    weights = window_weights.new_zeros(*centres.shape, keys)
    weights = weights.scatter_add(2, inside, window_weights)
    return contexts.view(*centres.shape, -1), weights


def window_positions(centres: Tensor, half_width: int) -> Tensor:
    r"""The $2D + 1$ positions from $\lceil p_t - D \rceil$ on, which cover the whole window; some may lie outside.

    Shape:
        centres: (batch, queries)
        positions: (batch, queries, 2 × half_width + 1), whole numbers, below 0 or beyond the end where the window is
    """
    first = (centres.detach() - half_width).ceil().long()
    offsets = torch.arange(2 * half_width + 1, device=centres.device)
    return first.unsqueeze(-1) + offsets


def _rows(sequence: Tensor, flat: Tensor) -> Tensor:
    """Rows of all sentences, (batch, keys, size), by number: (batch × queries, window, size)."""
    return nn.functional.embedding(flat, sequence.flatten(0, 1))
