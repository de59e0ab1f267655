r"""Attention whose weights are altered on purpose, to ask how much a model's words depend on them.

Jain & Wallace (2019) permute the weights of a trained model; Wiegreffe & Pinter (2019) train one with uniform weights.
Put one of these in the place of ``decoder.attention``.
"""

import torch
from torch import Tensor

from seq2seq.attention import Attention, masked_softmax
from seq2seq.scorer import Scorer


class AlteredAttention(Attention):
    """Attention with ``alter(weights, source_mask)`` between the softmax and the sum."""

    def alter(self, weights: Tensor, source_mask: Tensor) -> Tensor:
        """weights: (..., keys); source_mask: broadcastable to it."""
        raise NotImplementedError

    def forward(
        self, query: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        contexts, weights = self.forward_all(query.unsqueeze(1), projected_keys, values, source_mask)
        return contexts.squeeze(1), weights.squeeze(1)

    def forward_all(
        self, queries: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        mask = source_mask.unsqueeze(1)
        weights = self.alter(masked_softmax(self.scorer.score_all(queries, projected_keys), mask), mask)
        return torch.bmm(weights, values), weights


class UniformAttention(AlteredAttention):
    r"""Every real token gets the same weight, $\alpha_j = 1 / S$ with $S$ the sentence's length, whatever its score."""

    def alter(self, weights: Tensor, source_mask: Tensor) -> Tensor:
        real = source_mask.expand_as(weights).to(weights.dtype)
        return real / real.sum(-1, keepdim=True).clamp(min=1)


class PermutedAttention(AlteredAttention):
    """The weights of each step change places at random among the real tokens; each step is drawn anew.

    Argument:
        generator: of the permutations, on the device of the weights
    """

    def __init__(self, scorer: Scorer, generator: torch.Generator) -> None:
        super().__init__(scorer)
        self.generator = generator

    def alter(self, weights: Tensor, source_mask: Tensor) -> Tensor:
        mask = source_mask.expand_as(weights)
        draws = torch.rand(weights.shape, generator=self.generator, device=weights.device)
        # Sorted with padding last, the n-th place in order of position and the n-th in order of draw are both real.
        places = torch.arange(weights.size(-1), device=weights.device).expand_as(weights)
        in_order = places.masked_fill(~mask, weights.size(-1)).argsort(-1)
        drawn = draws.masked_fill(~mask, 2.0).argsort(-1)
        return torch.zeros_like(weights).scatter(-1, in_order, weights.gather(-1, drawn))
