r"""Score functions: how well each key matches the query.

A scorer returns raw *scores*: unnormalised and unmasked, one number per key.
Masking, normalising and summing are done in :mod:`seq2seq.attention`.

The dot, scaled dot and bilinear scorers each spell out their one matrix product instead of inheriting it:
each is a complete answer to its own task.
"""

import math

import torch
from torch import Tensor, nn

from seq2seq.scorer import Scorer


class DotScorer(Scorer):
    r"""Dot-product scores (Luong et al., 2015, section 3.1, equation 7, "dot").

    $$e_j = q^\top k_j$$

    Shape:
        query: (batch, size), the decoder state $q$
        keys: (batch, keys, size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        RuntimeError: query and keys differ in size; dot scores need equal sizes.
    """

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return (projected_keys @ query.unsqueeze(-1)).squeeze(-1)

    def score_all(self, queries: Tensor, projected_keys: Tensor) -> Tensor:
        return queries @ projected_keys.transpose(1, 2)


class ScaledDotScorer(Scorer):
    r"""Dot-product scores divided by the root of the size (Vaswani et al., 2017, section 3.2.1).

    $$e_j = \frac{q^\top k_j}{\sqrt{d}}$$

    With independent entries of unit variance the dot product of two vectors of size $d$ has variance $d$;
    the division brings it back to 1, so the softmax does not saturate as $d$ grows.

    Shape:
        query: (batch, size), the decoder state $q$
        keys: (batch, keys, size), the encoder states $k_j$
        scores: (batch, keys), unnormalised and unmasked
    """

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        products = (projected_keys @ query.unsqueeze(-1)).squeeze(-1)
        return products / math.sqrt(query.size(-1))

    def score_all(self, queries: Tensor, projected_keys: Tensor) -> Tensor:
        return queries @ projected_keys.transpose(1, 2) / math.sqrt(queries.size(-1))


class BilinearScorer(Scorer):
    r"""Bilinear scores (Luong et al., 2015, section 3.1, equation 7, "general").

    $$e_j = q^\top W k_j$$

    $W$ carries the keys into the query's space, so the two may differ in size.
    $W k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        projected keys: (batch, keys, query_size)
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)  # W

    def project_keys(self, keys: Tensor) -> Tensor:
        return self.key_layer(keys)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        return (projected_keys @ query.unsqueeze(-1)).squeeze(-1)

    def score_all(self, queries: Tensor, projected_keys: Tensor) -> Tensor:
        return queries @ projected_keys.transpose(1, 2)


class AdditiveScorer(Scorer):
    r"""Additive scores (Bahdanau et al., 2015, appendix A.1.2).

    $$e_j = v^\top \tanh(W q + U k_j)$$

    The tanh is what makes the query matter: without it, $v^\top W q$ is the same for every key, and the
    softmax cancels it.
    $U k_j$ does not depend on the query: it is computed once per sentence.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        projected keys: (batch, keys, attention_size)
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, attention_size, bias=False)  # W
        self.key_layer = nn.Linear(key_size, attention_size, bias=False)  # U
        self.energy_layer = nn.Linear(attention_size, 1, bias=False)  # v

    def project_keys(self, keys: Tensor) -> Tensor:
        return self.key_layer(keys)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        hidden = torch.tanh(self.query_layer(query).unsqueeze(-2) + projected_keys)
        return self.energy_layer(hidden).squeeze(-1)  # (batch, keys)

    def score_all(self, queries: Tensor, projected_keys: Tensor) -> Tensor:
        return self.score(queries, projected_keys.unsqueeze(1))  # each query meets the same keys, none copied


class LocationScorer(Scorer):
    r"""Location-based scores (Luong et al., 2015, section 3.1, equation 8).

    $$e = W q, \qquad e_j = W_{j,:}\, q$$

    The content of the keys is ignored, only their number is used: row $j$ of $W$ scores position $j$.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), only their number is used; keys ≤ max_keys
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        ValueError: there are more keys than positions that the scorer knows.
    """

    def __init__(self, query_size: int, max_keys: int) -> None:
        super().__init__()
        self.position_layer = nn.Linear(query_size, max_keys, bias=False)  # W

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        keys, max_keys = projected_keys.size(-2), self.position_layer.out_features
        if keys > max_keys:
            raise ValueError(
                f"keys: got {keys} on axis 1, expected at most max_keys={max_keys}; "
                "location scores have one row of weights per position and none for "
                "positions beyond; build the scorer with a larger max_keys."
            )
        return self.position_layer(query)[..., :keys]  # (batch, max_keys) → (batch, keys)

    def score_all(self, queries: Tensor, projected_keys: Tensor) -> Tensor:
        return self.score(queries, projected_keys.unsqueeze(1))  # each query meets the same keys, none copied
