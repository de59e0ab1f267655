r"""Length penalties: divisors of log-probabilities, so that hypotheses of unequal length are comparable.

Each is a function of a tensor of lengths, EOS included, that does not decrease with length.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

Penalty = Callable[[Tensor], Tensor]


def no_penalty(lengths: Tensor) -> Tensor:
    r"""$\mathrm{lp}(n) = 1$: the score is the log-probability, which favours short hypotheses."""
    return torch.ones_like(lengths)


def mean_penalty(lengths: Tensor) -> Tensor:
    r"""$\mathrm{lp}(n) = n$: the score is the mean log-probability per word, EOS included."""
    return lengths


def gnmt_penalty(alpha: float) -> Penalty:
    r"""$\mathrm{lp}(n) = \left(\frac{5 + n}{6}\right)^\alpha$ (Wu et al., 2016, section 7, equation 14).

    Raises:
        TypeError: alpha is a tensor, such as the lengths: this makes the penalty, and is not the penalty itself.
        ValueError: alpha is below 0, which would penalise longer hypotheses twice.
    """
    if isinstance(alpha, Tensor):
        raise TypeError("alpha: got a tensor, expected a number; call it first: `penalty=gnmt_penalty(0.6)`.")
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha: got {alpha}, expected 0 (no normalisation) or more; 0.6 to 1 is common.")
    return lambda lengths: ((5 + lengths) / 6) ** alpha


def penalties_of(penalty: Penalty, lengths: Tensor) -> Tensor:
    """The penalty of each length.

    Raises:
        TypeError: it is not a function of them.
        ValueError: one is not a finite number above 0, or below that of a shorter length.
    """
    penalties = penalty(lengths) if callable(penalty) else None
    if not isinstance(penalties, Tensor) or penalties.shape != lengths.shape:
        raise TypeError(
            f"penalty: got {penalty!r}, expected a function of a tensor of lengths that gives as many numbers, such as "
            "no_penalty, mean_penalty or gnmt_penalty(0.6)."
        )
    if not (penalties.isfinite() & (penalties > 0)).all() or (penalties.diff() < 0).any():
        raise ValueError(
            f"penalty: got {penalties.tolist()!s:.60} for lengths from {int(lengths[0])} on, expected finite numbers "
            "above 0 that do not fall, because they divide, and the search ends where no longer hypothesis can win."
        )
    return penalties


def normalised_scores(
    log_probabilities: Tensor,
    lengths: Tensor,
    alpha: float,
) -> Tensor:
    r"""The scores by which hypotheses of unequal length are compared (Wu et al., 2016, section 7, equation 14).

    $$s = \frac{\log p(y \mid x)}{\mathrm{lp}(|y|)}, \qquad
      \mathrm{lp}(n) = \left(\frac{5 + n}{6}\right)^\alpha$$

    With $\alpha = 0$ they are the log-probabilities.

    Shape:
        log_probabilities, scores: any
        lengths: the same, or broadcastable to it; words, EOS included
    """
    return log_probabilities / ((5 + lengths) / 6) ** alpha
