"""Inputs, and a predicate, that tell an exhibit from its repair: the ingredients of a test of such code."""

import torch
from torch import Tensor


def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Two batches with the same first sentence and different other sentences.

    Correct code gives the first sentence the same weights in both.

    Shape:
        scores: (batch, keys), all of similar size, of a batch of at least two sentences without padding
        one batch, other batch: (any number of sentences, at least 1, keys)
    """
    return scores[:1], scores


def query_proof(weights: Tensor) -> bool:
    """Whether the query matters: within some sentence, a decoder step has other weights than the first.

    Differences of rounding, below 1e-5, do not count.

    Shape:
        weights: (batch, queries, keys)
    """
    return bool((weights - weights[:, :1]).abs().max() > 1e-5)


def padding_proof(losses: Tensor, target_mask: Tensor) -> tuple[Tensor, Tensor]:
    """The same sentences in a batch with more padding.

    Correct code gives both batches the same perplexity, whatever the finite losses at padding.

    Shape:
        losses: (batch, target_len)
        target_mask: (batch, target_len), bool, True = real token
        padded losses, padded mask: (batch, a larger target_len)
    """
    more_losses = torch.cat([losses, losses + 1.0], dim=1)
    more_mask = torch.cat([target_mask, torch.zeros_like(target_mask)], dim=1)
    return more_losses, more_mask
