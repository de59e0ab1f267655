"""The tasks of the exercise on masking that no page of the book shows."""

import torch
from torch import Tensor


def absorb(
    largest: Tensor, total: Tensor, summed: Tensor, scores: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention over keys that arrive block by block: add one block (Milakov and Gimelshein, 2018).

    $$M = \max_{j:\, m_j = 1} e_j, \qquad Z = \sum_j m_j \exp(e_j - M), \qquad u = \sum_j m_j \exp(e_j - M)\, v_j$$

    The sums run over all keys so far, of which nothing else is kept; the context is $u / Z$.
    Before the first block, and as long as a sentence has no real token, $M$ is the lowest finite number of the dtype,
    and $Z$ and $u$ are 0.

    Shape:
        largest: (batch,), $M$ before the block
        total: (batch,), $Z$ before the block
        summed: (batch, value_size), $u$ before the block
        scores: (batch, keys), those of the block, finite
        values: (batch, keys, value_size)
        source_mask: (batch, keys), bool, True = real token
        returns: largest, total and summed after the block
    """
    low = scores.masked_fill(~source_mask, torch.finfo(scores.dtype).min)
    raised = torch.maximum(largest, low.amax(dim=-1))
    shares = (low - raised.unsqueeze(-1)).exp() * source_mask
    shrunk = (largest - raised).exp()
    total = total * shrunk + shares.sum(dim=-1)
    summed = summed * shrunk.unsqueeze(-1) + (shares.unsqueeze(1) @ values).squeeze(1)
    return raised, total, summed


def mask_convention(scores: Tensor, mask: Tensor, weights: Tensor) -> str:
    r"""What a library did with the mask, inferred from the weights it gave for these scores.

    "real": True takes part. "padding": True is left out. "added": the mask, as 1 and 0, was added to the scores.
    "afterwards": the softmax ran over everything, and the weights at False were then set to 0.
    "ignored": the mask was not used. "unknown": none of these fits, or more than one does.

    Shape:
        scores: (batch, keys), finite
        mask: (batch, keys), bool
        weights: (batch, keys), accurate to about 5 digits
    """
    lowest = torch.finfo(scores.dtype).min

    def masked(real: Tensor) -> Tensor:
        return torch.softmax(scores.masked_fill(~real, lowest), dim=-1).masked_fill(~real, 0.0)

    everything = torch.softmax(scores, dim=-1)
    conventions = {
        "real": masked(mask),
        "padding": masked(~mask),
        "added": torch.softmax(scores + mask, dim=-1),
        "afterwards": everything * mask,
        "ignored": everything,
    }
    fitting = [name for name, expected in conventions.items() if torch.allclose(expected, weights, atol=1e-4)]
    return fitting[0] if len(fitting) == 1 else "unknown"
