r"""Two answers to the exercise on score functions that no page of the book shows."""

import math

import torch
from torch import Tensor, nn

from seq2seq.scorer import Scorer


class WorthScorer(Scorer):
    r"""A scaled bilinear score of low rank, plus a score of the key alone (compare Dozat & Manning, 2017).

    $$e_j = \frac{(A q)^\top (B k_j)}{\sqrt{r}} + u^\top k_j$$

    What does not depend on the query is one tensor: $B k_j$ followed by $u^\top k_j$.

    Shape:
        query: (batch, query_size), the decoder state $q$
        keys: (batch, keys, key_size), the encoder states $k_j$
        projected keys: (batch, keys, rank + 1)
        scores: (batch, keys), unnormalised and unmasked
    """

    def __init__(self, query_size: int, key_size: int, rank: int) -> None:
        super().__init__()
        self.query_layer = nn.Linear(query_size, rank, bias=False)  # A
        self.key_layer = nn.Linear(key_size, rank, bias=False)  # B
        self.worth_layer = nn.Linear(key_size, 1, bias=False)  # u

    def project_keys(self, keys: Tensor) -> Tensor:
        return torch.cat([self.key_layer(keys), self.worth_layer(keys)], dim=-1)

    def score(self, query: Tensor, projected_keys: Tensor) -> Tensor:
        carried, worth = projected_keys[..., :-1], projected_keys[..., -1]
        asked = self.query_layer(query)
        return (carried @ asked.unsqueeze(-1)).squeeze(-1) / math.sqrt(asked.size(-1)) + worth


def score_behind(weights: Tensor, query: Tensor, keys: Tensor) -> tuple[str, float]:
    r"""Which score gave these weights for a known query and keys, and at which temperature.

    $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_l \exp(e_l / \tau)}$$

    The score is the dot product $q^\top k_j$, the cosine $q^\top k_j / (\lVert q \rVert \lVert k_j \rVert)$, or minus
    the squared distance $\lVert q - k_j \rVert^2$, and $\tau > 0$ is the same for all sentences.
    It fits if it explains every $\log \alpha_j$ to within 0.001.

    Shape:
        weights: (batch, keys), none of them 0, at least 3 keys
        query: (batch, size)
        keys: (batch, keys, size)
        returns: "dot", "cosine" or "distance", and the temperature; "none" and 0.0 where none of the three fits
    """
    asked, logs = query.unsqueeze(1), weights.log()
    logs = logs - logs.mean(-1, keepdim=True)  # the denominator is the same for all keys of a sentence
    scores_of = {
        "dot": (asked * keys).sum(-1),
        "cosine": torch.cosine_similarity(asked, keys, dim=-1),
        "distance": -(asked - keys).square().sum(-1),
    }
    for name, scores in scores_of.items():
        scores = scores - scores.mean(-1, keepdim=True)
        sharpness = (logs * scores).sum() / scores.square().sum()
        if sharpness > 0 and (logs - sharpness * scores).abs().max() < 1e-3:
            return name, 1 / float(sharpness)
    return "none", 0.0
