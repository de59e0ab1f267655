r"""Position encodings to add to the embeddings: attention alone sees a set, not a sequence."""

import math

import torch
from torch import Tensor


def positions(
    length: int,
    size: int,
    first: int = 0,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
) -> Tensor:
    r"""The sinusoidal encodings of consecutive positions (Vaswani et al., 2017, section 3.5).

    $$P_{p,2i} = \sin\!\left(p / 10000^{2i/d}\right), \qquad P_{p,2i+1} = \cos\!\left(p / 10000^{2i/d}\right)$$

    Nothing is learned, so positions beyond the longest sentence of the training have an encoding too.
    The encoding of $p + k$ is that of $p$ with each pair (sine, cosine) turned by an angle that depends on $k$ alone.
    Angles are computed in double precision, whatever the result's type: they grow with the position.

    Shape:
        encodings: (length, size), of the positions first, first + 1, …, counted from 0

    Raises:
        ValueError: the size is odd; it must hold pairs of sine and cosine.
    """
    if size % 2 or size < 2:
        why = "each rate has a sine and a cosine"
        raise ValueError(f"size: got {size}, expected an even number: {why}.")
    positions = torch.arange(first, first + length, dtype=torch.float64, device=device)
    entries = torch.arange(0, size, 2, dtype=torch.float64, device=device)
    rates = torch.exp(entries * (-math.log(10_000.0) / size))
    angles = positions.unsqueeze(1) * rates  # (length, size / 2)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)
    return pairs.flatten(1).to(dtype)  # sines and cosines in turn
