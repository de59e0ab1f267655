r"""How much an estimate of the scores' gradient varies from draw to draw, computed exactly from every position.

The estimates are those of :func:`seq2seq.hard.attention.score_estimates`; the variance is summed over a word's scores.
"""

import torch
from torch import Tensor

from seq2seq.guards import check_at_least
from seq2seq.hard.attention import score_estimates


def one_draw_variance(weights: Tensor, log_likelihoods: Tensor, baseline: Tensor | float = 0.0) -> Tensor:
    r"""Of the estimate from one draw, with a baseline (Xu et al., 2015, section 4.1).

    $$V = \sum_i \alpha_i \lVert g_i - g \rVert^2, \qquad g = \sum_i \alpha_i g_i$$

    Shape:
        weights: (..., keys), $\alpha$, each row sums to 1
        log_likelihoods: (..., keys), $\log p(y \mid s = i)$, finite
        baseline: (...) or one number
        variance: (...)
    """
    rewards = log_likelihoods - torch.as_tensor(baseline).unsqueeze(-1)
    estimates = score_estimates(weights, rewards)  # (..., drawn, keys)
    exact = (weights.unsqueeze(-1) * estimates).sum(-2, keepdim=True)
    return (weights * (estimates - exact).square().sum(-1)).sum(-1)


def leave_one_out_variance(weights: Tensor, log_likelihoods: Tensor, draws: int) -> Tensor:
    r"""Of the mean estimate of $K$ draws, each with the mean of the others as its baseline (Kool et al., 2019).

    It is a mean over pairs of draws of $h(i, j) = \frac12 (\ell_i - \ell_j)(e_i - e_j)$, and its variance that of a
    U-statistic of order 2 (Hoeffding, 1948), with $\ell_i = \log p(y \mid s = i)$ and $e_i$ a one-hot row:
    $$V = \frac{2}{K (K - 1)} \left(2 (K - 2) \, \mathrm{Var} \, E[h \mid i] + \mathrm{Var} \, h\right)$$

    Shape: as :func:`one_draw_variance`

    Raises:
        ValueError: there are fewer than two draws.
    """
    check_at_least("draws", draws, 2, ", because each has the others as its baseline")
    mean = (weights * log_likelihoods).sum(-1, keepdim=True)
    advantages = log_likelihoods - mean
    exact = weights * advantages  # the gradient, E[h]
    length = exact.square().sum(-1)
    pair_variance = (weights * advantages.square()).sum(-1) - length  # |h|² = (l_i - l_j)² / 2
    gaps = log_likelihoods.unsqueeze(-1) - log_likelihoods.unsqueeze(-2)  # l_i - l_j
    given_first = (torch.diag_embed(advantages) - weights.unsqueeze(-2) * gaps) / 2  # E[h | i], a row for each i
    first_variance = (weights * given_first.square().sum(-1)).sum(-1) - length
    return 2 / (draws * (draws - 1)) * (2 * (draws - 2) * first_variance + pair_variance)
