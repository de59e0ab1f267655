r"""Two answers to the exercise on the models of Luong et al. (2015) that no page of the book shows."""

from itertools import combinations, permutations

import torch
from torch import Tensor, nn


def unroll_unfinished(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor, target_lengths: Tensor
) -> tuple[Tensor, Tensor]:
    r"""Input feeding over targets of different lengths: each step runs only the unfinished sentences.

    $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$

    (Luong et al., 2015, section 3.3.) After the end of a target, attentional states and weights are 0.

    Shape:
        step: ``step(word, fed, state, projected_keys, values, source_mask)`` → (attentional state, weights, new state),
            with ``step.project_keys(values)``, which runs once, before the first step
        embedded: (batch, target_len, embedding_size), the embedded previous words, BOS first
        state: (batch, hidden_size), $h_0$
        values: (batch, source_len, encoder_size)
        source_mask: (batch, source_len), bool, True = real token
        target_lengths: (batch,), from 1 to target_len, in any order
        returns: attentional states (batch, target_len, hidden_size) and weights (batch, target_len, source_len)
    """
    projected_keys, fed = step.project_keys(values), torch.zeros_like(state)
    rows = torch.arange(len(embedded), device=embedded.device)
    attentionals = state.new_zeros(*embedded.shape[:2], state.size(1))
    weights = values.new_zeros(*embedded.shape[:2], values.size(1))
    for t in range(int(target_lengths.max())):
        going = target_lengths[rows] > t
        rows, fed, state = rows[going], fed[going], state[going]
        projected_keys, values, source_mask = projected_keys[going], values[going], source_mask[going]
        fed, row, state = step(embedded[rows, t], fed, state, projected_keys, values, source_mask)
        attentionals[rows, t], weights[rows, t] = fed, row
    return attentionals, weights


def told_apart(runs: dict[str, list[float]], level: float) -> list[tuple[str, str]]:
    """Which models are better than which, beyond chance differences of seeds: an exact permutation test (Fisher, 1935).

    If two models were alike, every way to divide their pooled scores between them would be equally likely.
    The chance is the share of these in which the first model's mean is at least as far above the second's as observed.

    Shape:
        runs: the scores of each model's runs, by name; higher is better
        level: the largest chance at which two models count as different
        returns: the pairs (better, worse), in the order of the names
    """
    found = []
    for better, worse in permutations(runs, 2):
        seen = sum(runs[better])
        sums = [sum(group) for group in combinations(runs[better] + runs[worse], len(runs[better]))]
        if sum(total >= seen for total in sums) / len(sums) <= level:
            found.append((better, worse))
    return found
