r"""Hard attention: look at one position, drawn from the weights (Xu et al., 2015, section 4.1).

A draw has no derivative, so the weights must learn in another way.
With $\alpha_i = p(s = i)$ the weight of position $i$ and $\log p(y \mid s)$ the log-likelihood of the next word where
only position $s$ is attended to, there are two objectives that sum over every position:

- :func:`expected_log_likelihood`, the lower bound of equation 10 in Xu et al., which sampling estimates;
- :func:`marginal_log_likelihood`, the quantity that it bounds.

Where there is one draw per word and no state depends on it, both are cheap enough to compute exactly.
Where not, :func:`score_function_objective` estimates the bound's gradient without bias, and
:func:`straight_through` and the Gumbel softmax estimate it with lower variance but with bias.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.guards import check_above_zero, check_mask, check_share


def masked_log_softmax(scores: Tensor, source_mask: Tensor) -> Tensor:
    r"""Logarithms of the weights, $\log \alpha_i$; padding gets a finite number so low that its weight is exactly 0.

    A row without any real token is uniform, to avoid NaN; its values must then be masked.

    Shape:
        scores: (..., keys), finite
        source_mask: broadcastable to scores, bool, True = real token
        log_weights: (..., keys)

    Raises:
        TypeError: the mask is not boolean.
    """
    check_mask("source_mask", source_mask)
    return torch.log_softmax(scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min), dim=-1)


def sample_choice(
    weights: Tensor,
    generator: torch.Generator | None = None,
) -> Tensor:
    r"""One position per row, drawn from the weights, as a one-hot row (Xu et al., 2015, equations 8 and 9).

    $$s \sim \mathrm{Categorical}(\alpha), \qquad \hat z = \sum_i s_i a_i$$

    A position of weight 0 is never drawn; a row of zeros, without any real token, gives a row of zeros.
    The draw is a race: position $i$ arrives after a time $\mathrm{Exp}(1) / \alpha_i$, and the first to arrive is
    $i$ with probability $\alpha_i$.
    No gradient passes through it.

    Shape:
        weights: (..., keys), each row sums to 1, or to 0 where no token is real
        choice: (..., keys), of the weights' type
    """
    weights = weights.detach()
    times = torch.empty_like(weights).exponential_(generator=generator)
    return _one_hot(weights / times, weights)


def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:
    r"""The position that a number between 0 and 1 falls on, as a one-hot row (Xu et al., 2015, equations 8 and 9).

    $$s = \min \Big\{ i : \sum_{j \le i} \alpha_j > u \sum_j \alpha_j \Big\}, \qquad u \in [0, 1)$$

    The weights are laid end to end, so that position $i$ covers a stretch of length $\alpha_i$; $u$ points into one.
    If $u$ is uniform, $s$ is drawn from the weights.
    A position of weight 0 covers nothing and is never chosen; a row of zeros gives a row of zeros.
    $u$ is multiplied by the whole sum because rounding may leave it a little below 1.

    Shape:
        weights: (..., keys), each row sums to 1, or to 0 where no token is real
        uniform: (...), $u$, at least 0 and below 1
        choice: (..., keys), of the weights' type; no gradient passes through it
    """
    ends = weights.detach().cumsum(dim=-1)
    # 0 before position s, 1 from s on
    passed = (ends > uniform.unsqueeze(-1) * ends[..., -1:]).to(weights.dtype)
    return passed.diff(prepend=torch.zeros_like(passed[..., :1]))


def best_choice(weights: Tensor) -> Tensor:
    """The position of the largest weight as a one-hot row: the choice of trained hard attention.

    Shape:
        weights: (..., keys)
        choice: (..., keys); a row of zeros gives a row of zeros
    """
    return _one_hot(weights.detach(), weights.detach())


def _one_hot(ranking: Tensor, weights: Tensor) -> Tensor:
    choice = torch.zeros_like(weights).scatter_(-1, ranking.argmax(dim=-1, keepdim=True), 1.0)
    return choice * (weights > 0)


def entropy(log_weights: Tensor) -> Tensor:
    r"""The entropy of the weights: $H = -\sum_i \alpha_i \log \alpha_i$, in nats.

    Shape:
        log_weights: (..., keys), from :func:`masked_log_softmax`
        entropy: (...)
    """
    return -(log_weights.exp() * log_weights).sum(dim=-1)


def expected_log_likelihood(log_weights: Tensor, log_likelihoods: Tensor) -> Tensor:
    r"""The lower bound by enumeration over positions (Xu et al., 2015, equation 10).

    $$L_s = \sum_i \alpha_i \log p(y \mid s = i) \le \log p(y)$$

    Its gradient is what :func:`score_function_objective` estimates with one draw.

    Shape:
        log_weights: (..., keys), from :func:`masked_log_softmax`
        log_likelihoods: (..., keys), $\log p(y \mid s = i)$, finite
        bound: (...)
    """
    return (log_weights.exp() * log_likelihoods).sum(dim=-1)


def marginal_log_likelihood(log_weights: Tensor, log_likelihoods: Tensor) -> Tensor:
    r"""The log-likelihood itself: the position is summed out, not drawn.

    $$\log p(y) = \log \sum_i \alpha_i \, p(y \mid s = i)$$

    Its gradient moves the weights towards the posterior $p(s \mid y)$: positions that explain the word.

    Shape:
        log_weights: (..., keys), from :func:`masked_log_softmax`
        log_likelihoods: (..., keys), $\log p(y \mid s = i)$, finite
        log_likelihood: (...)
    """
    return torch.logsumexp(log_weights + log_likelihoods, dim=-1)


def score_function_objective(
    log_likelihood: Tensor,
    log_choice: Tensor,
    baseline: Tensor | float = 0.0,
    reward_weight: float = 1.0,
) -> Tensor:
    r"""An objective to maximise whose gradient is the score-function estimate (Xu et al., 2015, section 4.1).

    $$\frac{\partial L_s}{\partial W} \approx \frac{\partial \log p(y \mid s)}{\partial W}
      + \lambda_r \left(\log p(y \mid s) - b\right) \frac{\partial \log p(s \mid a)}{\partial W}$$

    Unbiased for $\lambda_r = 1$ and any baseline $b$ that does not depend on this draw; also known as REINFORCE
    (Williams, 1992).
    The paper's third term, $\lambda_e \, \partial H / \partial W$, is not part of it.
    Only the gradient is meaningful, not the value.

    Shape:
        log_likelihood: (...), $\log p(y \mid s)$ at the position drawn
        log_choice: (...), $\log p(s \mid a)$, the log-weight of the position drawn
        baseline: broadcastable to these
        objective: (...)
    """
    advantage = (log_likelihood - baseline).detach()
    return log_likelihood + reward_weight * advantage * log_choice


def score_estimates(
    weights: Tensor,
    log_likelihoods: Tensor,
    baseline: float = 0.0,
) -> Tensor:
    r"""The gradient estimate of every possible draw: row $i$ is the estimate where position $i$ is drawn.

    $$g_{ij} = (\log p(y \mid s = i) - b) \, \frac{\partial \log \alpha_i}{\partial e_j}
      = (\log p(y \mid s = i) - b) \, ([i = j] - \alpha_j)$$

    This is the second term of the score-function estimate (Xu et al., 2015, section 4.1) for all draws at once.
    Weighted with $\alpha_i$ the rows sum to the exact gradient, whatever $b$ is; their spread depends on $b$.

    Shape:
        weights: (..., keys), $\alpha$, each row sums to 1
        log_likelihoods: (..., keys), $\log p(y \mid s = i)$
        estimates: (..., drawn, keys), $g_{ij}$, with as many `drawn` as keys
    """
    unit = torch.eye(weights.size(-1), dtype=weights.dtype, device=weights.device)
    slopes = unit - weights.unsqueeze(-2)  # (..., drawn, keys)
    return (log_likelihoods - baseline).unsqueeze(-1) * slopes


def move_baseline(
    baseline: Tensor,
    log_likelihood: Tensor,
    keep: float = 0.9,
) -> Tensor:
    r"""The moving average of the log-likelihoods after one more batch (Xu et al., 2015, section 4.1).

    $$b_k = 0.9 \, b_{k-1} + 0.1 \, \log p(y \mid s_k)$$

    Estimate with $b_{k-1}$ first and move afterwards: a baseline that includes the draw itself causes bias.

    Shape:
        baseline: ()
        log_likelihood: any; its mean counts

    Raises:
        ValueError: `keep` is not between 0 and 1.
    """
    check_share("keep", keep)
    return keep * baseline + (1 - keep) * log_likelihood.detach().mean()


def straight_through(
    weights: Tensor,
    generator: torch.Generator | None = None,
) -> Tensor:
    r"""A drawn one-hot row whose gradient is that of the weights, as if nothing had been drawn (Bengio et al., 2013).

    $$\frac{\partial \hat s}{\partial \alpha} := 1$$

    Low variance, but biased: it assumes that the loss is linear between the positions.

    Shape:
        weights, choice: (..., keys)
    """
    return sample_choice(weights, generator) + weights - weights.detach()


def gumbel_softmax(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    r"""Weights near a one-hot row, sampled differentiably (Jang et al., 2017; Maddison et al., 2017).

    $$\hat s = \mathrm{softmax}\left((\log \alpha + g) / \tau\right), \qquad g_i \sim \mathrm{Gumbel}(0, 1)$$

    The lower the temperature, the harder the choice and the larger the variance of the gradient.
    The noise comes from PyTorch's global generator.

    Shape:
        scores, choice: (..., keys)
        source_mask: broadcastable to scores, bool, True = real token; a row without any gives zeros

    Raises:
        ValueError: the temperature is not positive.
    """
    check_above_zero("temperature", temperature)
    log_weights = masked_log_softmax(scores, source_mask)
    weights = F.gumbel_softmax(log_weights, tau=temperature)
    return weights.masked_fill(~source_mask, 0.0)


def straight_through_gumbel(
    scores: Tensor,
    source_mask: Tensor,
    temperature: float = 1.0,
) -> Tensor:
    """A one-hot row forward, :func:`gumbel_softmax` backward (Jang et al., 2017, section 2.2); shapes as there."""
    check_above_zero("temperature", temperature)
    log_weights = masked_log_softmax(scores, source_mask)
    return F.gumbel_softmax(log_weights, tau=temperature, hard=True).masked_fill(~source_mask, 0.0)
