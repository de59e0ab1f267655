r"""Two answers to the exercise on hard attention that no page of the book shows."""

import torch
from torch import Tensor


def rollout_objective(log_likelihood: Tensor, log_choice: Tensor, target_mask: Tensor) -> Tensor:
    r"""An objective for draws that affect all that follows, with several draws for each sentence.

    $$J = \frac{1}{K} \sum_{k} \sum_{t} m_t \left[ \ell_{kt} + (R_{kt} - b_{kt}) \log \alpha_{kt} \right], \qquad
      R_{kt} = \sum_{t' \ge t} m_{t'} \, \ell_{kt'}, \qquad b_{kt} = \frac{1}{K - 1} \sum_{l \ne k} R_{lt}$$

    Where a drawn value goes into the next state, a draw affects every later word (Xu et al., 2015, section 4.1).
    It cannot affect an earlier one, so earlier words do not count towards its reward.
    The baseline of a sentence's draw is the mean reward of its other draws (Kool, van Hoof & Welling, 2019).
    Only the gradient is meaningful; it treats $R$ and $b$ as constants.

    Shape:
        log_likelihood: (draws, batch, steps), $\ell_{kt}$, at least two draws; anything finite at padding
        log_choice: (draws, batch, steps), $\log \alpha_{kt}$, the log-weight of the position drawn
        target_mask: (batch, steps), bool, True = real token
        objective: (batch,)
    """
    rewards = log_likelihood.detach().masked_fill(~target_mask, 0.0)
    returns = rewards.flip(-1).cumsum(-1).flip(-1)
    baseline = (returns.sum(0) - returns) / (len(returns) - 1)
    terms = log_likelihood + (returns - baseline) * log_choice
    return terms.masked_fill(~target_mask, 0.0).sum(-1).mean(0)


def judge_estimators(tables: Tensor, weights: Tensor, log_likelihoods: Tensor) -> tuple[Tensor, Tensor, int]:
    r"""Bias and variance of several estimators, and which of them to choose.

    $g^{(c)}_{ij}$ is the estimate of candidate $c$ for score $j$ when position $i$ is drawn, and $g_j$ the exact
    gradient of $\sum_i \alpha_i \log p(y \mid s = i)$. For each word of the batch
    $$B_c = \max_j \Big| \sum_i \alpha_i \, g^{(c)}_{ij} - g_j \Big|, \qquad
      V_c = \sum_i \alpha_i \sum_j \big( g^{(c)}_{ij} - g_j \big)^2$$
    The bias of a candidate is that of the word for which it is largest; its variance is a mean over the words.
    The candidate of least variance among those whose bias is below 0.0001 is chosen.

    Shape:
        tables: (candidates, batch, drawn, keys), $g^{(c)}_{ij}$
        weights: (batch, keys), $\alpha$, the softmax of the scores
        log_likelihoods: (batch, keys), $\log p(y \mid s = i)$
        returns: biases (candidates,), variances (candidates,), and the number of the chosen candidate, from 0; -1 if
            none has a bias below 0.0001
    """
    advantages = log_likelihoods - (weights * log_likelihoods).sum(-1, keepdim=True)
    exact = (weights * advantages).unsqueeze(-2)
    chances = weights.unsqueeze(-1)
    biases = (chances * (tables - exact)).sum(-2).abs().amax((1, 2))
    variances = (chances * (tables - exact).square()).sum((-1, -2)).mean(-1)
    fair = biases < 1e-4
    taken = int(variances.masked_fill(~fair, torch.inf).argmin()) if fair.any() else -1
    return biases, variances, taken
