r"""Attention with deliberately altered weights, to test how much a model's words depend on them.

Jain & Wallace (2019) permute the weights of a trained model; Wiegreffe & Pinter (2019) train one with uniform weights.
Assign one of these to ``decoder.attention``; a decoder with hard or local attention, which weighs the scores itself,
refuses it.
"""

import torch
from torch import Tensor

from seq2seq.attention import Attention
from seq2seq.scorer import Scorer


def permute_weights(weights: Tensor, source_mask: Tensor, draws: Tensor) -> Tensor:
    r"""The weights of each row, randomly permuted among the real tokens (Jain & Wallace, 2019, section 4.2.1).

    $$\hat\alpha_{r_n} = \alpha_{r_{\pi(n)}}$$

    with $r_1 < r_2 < \ldots$ the positions of the real tokens, and $\pi$ the order that sorts their draws.
    Padding keeps its 0.

    Shape:
        weights: (..., keys)
        source_mask: bool, broadcastable to the weights, True = real token
        draws: (..., keys), random numbers from 0 to 1
        permuted: (..., keys)
    """
    mask = source_mask.expand_as(weights)
    # Padding is sorted last: the n-th place in order of position is real,
    # and so is the n-th in order of draw.
    positions = torch.arange(weights.size(-1), device=weights.device)
    in_order = positions.masked_fill(~mask, weights.size(-1)).argsort(-1)
    drawn = draws.masked_fill(~mask, 2.0).argsort(-1)
    return torch.zeros_like(weights).scatter(-1, in_order, weights.gather(-1, drawn))


def median_total_variation(original: Tensor, permuted: Tensor) -> Tensor:
    r"""How far permuting changes an output: the median over trials (Jain & Wallace, 2019, section 4.2.1).

    $$\Delta = \operatorname{median}_n \; \frac{1}{2} \sum_y |p(y) - p_n(y)|$$

    0: no permutation changes anything; 1: the distributions share no word.

    Shape:
        original: (batch, vocab_size), probabilities $p$
        permuted: (trials, batch, vocab_size), $p_n$, an odd number of trials
        distance: (batch,)
    """
    distances = (permuted - original).abs().sum(dim=-1) / 2  # (trials, batch)
    return distances.median(dim=0).values


class UniformAttention(Attention):
    r"""Every real token gets the same weight, $\alpha_j = 1 / S$ with $S$ the sentence's length, whatever its score."""

    def weigh(self, scores: Tensor, source_mask: Tensor) -> Tensor:
        real = source_mask.expand_as(scores).to(scores.dtype)
        return real / real.sum(-1, keepdim=True).clamp(min=1)


class PermutedAttention(Attention):
    """The weights of each step, randomly permuted among the real tokens, independently at each step.

    Argument:
        generator: of the permutations, on the device of the weights
    """

    def __init__(self, scorer: Scorer, generator: torch.Generator) -> None:
        super().__init__(scorer)
        self.generator = generator

    def weigh(self, scores: Tensor, source_mask: Tensor) -> Tensor:
        draws = torch.rand(scores.shape, generator=self.generator, device=scores.device)
        return permute_weights(super().weigh(scores, source_mask), source_mask, draws)
