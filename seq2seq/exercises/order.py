"""The order of the source words in a batch."""

import torch
from torch import Tensor


def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    """Each sentence from its last word to its first, its padding kept at the end: a b c – – → c b a – –.

    (Sutskever et al., 2014, section 3.3, for sentences that are already padded.)

    Shape:
        source: (batch, source_len), ids, PAD after the end
        source_lengths: (batch,)
        reversed: (batch, source_len)
    """
    positions = torch.arange(source.size(1), device=source.device)
    mirrored = source_lengths.unsqueeze(1) - 1 - positions  # (batch, source_len), below 0 at padding
    return source.gather(1, torch.where(mirrored >= 0, mirrored, positions))
