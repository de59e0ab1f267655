r"""Exercise 14: what the last positions may see, positions as rotations, and decoding with a cache."""

import math

import torch
from torch import Tensor, nn


def seen_by_last(source_mask: Tensor, queries: int | None = None) -> Tensor:
    r"""Which keys each of the last positions of a sentence may see: real ones that are not in the future.

    $$V_{ij} = m_j \wedge [\, j \le i \,]$$

    where $i$ runs over the last positions only, as for a decoder that has already read the others.

    Shape:
        source_mask: (batch, keys), bool, $m_j$, True = real token
        queries: how many of the last positions are queries; None: any query may see all real tokens
        visible: (batch, queries, keys), or (batch, 1, keys) for None, bool, True = may be seen

    Raises:
        ValueError: there are fewer keys than queries.
    """
    real = source_mask.unsqueeze(1)
    if queries is None:
        return real
    keys = source_mask.size(1)
    if queries > keys:
        raise ValueError(f"queries: got {queries}, expected at most {keys}, because the last positions are keys too.")
    ones = torch.ones(queries, keys, dtype=torch.bool, device=source_mask.device)
    return real & ones.tril(keys - queries)


def rotate(vectors: Tensor, first: int = 0) -> Tensor:
    r"""Queries or keys with their positions encoded: each pair of features is rotated (Su et al., 2021, section 3.2.2).

    $$\begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} =
      \begin{pmatrix} \cos \phi & -\sin \phi \\ \sin \phi & \cos \phi \end{pmatrix}
      \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}, \qquad
      \phi = p \cdot 10000^{-2i/d}$$

    for position $p$ and $i$ from 0 to $d/2 - 1$. The product of a rotated query and key depends only on the distance of
    their positions.

    Shape:
        vectors: (..., positions, size), the size even
        first: $p$ of the first position; the others follow it
        turned: as vectors

    Raises:
        ValueError: the size is odd.
    """
    positions, size = vectors.shape[-2:]
    if size % 2:
        raise ValueError(f"vectors: got {size} features, expected an even number, because they are turned in pairs.")
    kind: dict = {"dtype": vectors.dtype, "device": vectors.device}
    indices = first + torch.arange(positions, **kind)
    angles = indices.unsqueeze(-1) * 10000.0 ** (-torch.arange(0, size, 2, **kind) / size)
    even, odd = vectors[..., ::2], vectors[..., 1::2]
    turned = even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)


class CachedAttention(nn.Module):
    r"""Causal self-attention, a word at a time: the keys and values of earlier words are kept, not recomputed.

    $$q = W_q x, \qquad K = [K; W_k x], \qquad V = [V; W_v x], \qquad
      c = \mathrm{softmax}\left(\frac{q K^\top}{\sqrt d}\right) V$$

    Only the last words are kept, at most $w$ of them, the new one included: the oldest word is dropped
    (Beltagy et al., 2020, section 3.1).

    Shape:
        word: (batch, input_size), $x$
        cache: (keys, values) of the words before, (batch, words, attention_size) and (batch, words, value_size);
            None before the first word
        context: (batch, value_size)
    """

    def __init__(self, input_size: int, attention_size: int, value_size: int, window: int) -> None:
        super().__init__()
        self.window = window  # w
        self.query_layer = nn.Linear(input_size, attention_size, bias=False)  # W_q
        self.key_layer = nn.Linear(input_size, attention_size, bias=False)  # W_k
        self.value_layer = nn.Linear(input_size, value_size, bias=False)  # W_v

    def step(self, word: Tensor, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The context of the word, and the cache for the word after it."""
        keys, values = self.key_layer(word).unsqueeze(1), self.value_layer(word).unsqueeze(1)
        if cache is not None:
            keys, values = torch.cat([cache[0], keys], dim=1), torch.cat([cache[1], values], dim=1)
        keys, values = keys[:, -self.window :], values[:, -self.window :]
        query = self.query_layer(word).unsqueeze(1)  # (batch, 1, attention_size)
        weights = torch.softmax(query @ keys.mT / math.sqrt(keys.size(-1)), dim=-1)
        return (weights @ values).squeeze(1), (keys, values)
