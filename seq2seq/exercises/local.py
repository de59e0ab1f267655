r"""Beyond chapter 9: local attention from fetched windows, and windows that only move forward."""

import torch
from torch import Tensor

from seq2seq.attention import masked_softmax


def attend_fetched(
    queries: Tensor, keys: Tensor, values: Tensor, source_mask: Tensor, centres: Tensor, half_width: int
) -> tuple[Tensor, Tensor]:
    r"""Local-p with dot scores, from the words of each window alone (Luong et al., 2015, section 3.2).

    $$e_{tj} = q_t^\top k_{\pi_{tj}}, \qquad c_t = \sum_{j=0}^{2D} a_{tj} v_{\pi_{tj}}$$

    $\pi_{t0}, \ldots, \pi_{t,2D}$ are the whole numbers from $\lceil p_t - D \rceil$ on, whether or not a word is
    there. The weights $a_{tj}$ are those of local-p: the softmax over the real words of the window, times the
    Gaussian with $\sigma = D / 2$.

    Shape:
        queries: (batch, queries, key_size)
        keys: (batch, keys, key_size)
        values: (batch, keys, value_size)
        source_mask: (batch, keys), bool, True = real token
        centres: (batch, queries), $p_t$, counted from 0
        contexts: (batch, queries, value_size)
        weights: (batch, queries, 2 × half_width + 1), 0 where the window has no real word
    """
    first = (centres.detach() - half_width).ceil().long()
    positions = first.unsqueeze(-1) + torch.arange(2 * half_width + 1, device=keys.device)
    inside = positions.clamp(0, keys.size(1) - 1)
    rows = torch.arange(keys.size(0), device=keys.device).view(-1, 1, 1)
    distances = positions - centres.unsqueeze(-1)
    real = (positions == inside) & source_mask[rows, inside] & (distances.abs() <= half_width)
    scores = (keys[rows, inside] @ queries.unsqueeze(-1)).squeeze(-1)
    weights = masked_softmax(scores, real) * torch.exp(-2 * (distances / half_width) ** 2)
    return (weights.unsqueeze(-2) @ values[rows, inside]).squeeze(-2), weights


def graves_window(raw: Tensor, before: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
    r"""A window of several Gaussian bells whose centres only move forward (Graves, 2013, section 5).

    $$\phi_t(s) = \sum_k \alpha_{tk} \exp\left(-\beta_{tk} (p_{tk} - s)^2\right), \qquad
      p_{tk} = p_{t-1,k} + \exp(\hat p_{tk})$$

    The last axis of `raw` holds $\hat\alpha$, $\hat\beta$ and $\hat p$, a third each, in this order;
    $\alpha_{tk} = \exp(\hat\alpha_{tk})$ and $\beta_{tk} = \exp(\hat\beta_{tk})$.
    There is no score and no softmax: a row of weights may have any sum. Padding gets 0.

    Shape:
        raw: (batch, queries, 3 × bells), from the decoder states
        before: (batch, bells), the centres before the first of these queries, $p_{t-1,k}$
        source_mask: (batch, keys), bool, True = real token
        weights: (batch, queries, keys), $\phi_t(s)$, positions $s$ counted from 0
        centres: (batch, queries, bells), $p_{tk}$
    """
    heights, widths, steps = torch.exp(raw).chunk(3, dim=-1)
    centres = before.unsqueeze(1) + steps.cumsum(1)
    positions = torch.arange(source_mask.size(1), device=raw.device)
    distances = centres.unsqueeze(-1) - positions
    bells = heights.unsqueeze(-1) * torch.exp(-widths.unsqueeze(-1) * distances**2)
    return bells.sum(2) * source_mask.unsqueeze(1), centres
