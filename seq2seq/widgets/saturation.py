"""A slider for the vector size: weights of random queries and keys by the plain and the scaled dot product."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from seq2seq.attention import masked_softmax
from seq2seq.scorers import DotScorer, ScaledDotScorer
from seq2seq.widgets.widget import Widget

SCORERS = {"dot product": DotScorer(), "scaled dot product": ScaledDotScorer()}
SIZES = [2**power for power in range(11)]  # 1 to 1024


class Saturation(Widget, script="saturation"):
    """Ten random keys and a random query: their weights by both scores, against the vector size."""

    data = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        generator: torch.Generator,
        sizes: Sequence[int] = SIZES,
        keys: int = 10,
        draws: int = 1000,
        shown: int = 8,
    ) -> None:
        super().__init__(label="Weights of random keys by vector size")
        self.data = {
            "scorers": list(SCORERS),
            "sizes": list(sizes),
            "draws": draws,
            "rows": saturation(sizes, keys, draws, shown, generator),
        }

    def text(self) -> str:
        first, last = self.data["rows"][0]["dot product"], self.data["rows"][-1]["dot product"]
        return (
            f"The largest weight of the dot product, mean over {self.data['draws']} draws: {first['largest']} at size "
            f"{self.data['sizes'][0]}, {last['largest']} at size {self.data['sizes'][-1]}."
        )


def slope(weights: Tensor) -> Tensor:
    r"""The size of the gradient through the softmax: the Frobenius norm of its Jacobian.

    $$J_{jl} = \alpha_j ([j = l] - \alpha_l)$$

    Shape:
        weights: (..., keys)
        norm: (...)
    """
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return jacobian.flatten(-2).norm(dim=-1)


def saturation(
    sizes: Sequence[int], keys: int, draws: int, shown: int, generator: torch.Generator
) -> list[dict[str, dict[str, Any]]]:
    """For each size and scorer: the weights and slopes of the first `shown` draws, and the means over all of them.

    A draw is one query and its keys with entries of variance 1, of the largest size;
    a smaller size takes their first entries.
    """
    query = torch.randn(draws, max(sizes), generator=generator)
    table = torch.randn(draws, keys, max(sizes), generator=generator)
    mask = torch.ones(draws, keys, dtype=torch.bool)
    rows = []
    for size in sizes:
        row = {}
        for name, scorer in SCORERS.items():
            weights = masked_softmax(scorer(query[:, :size], table[:, :, :size]), mask)
            slopes = slope(weights)
            row[name] = {
                "weights": [[round(value, 4) for value in draw] for draw in weights[:shown].tolist()],
                "slopes": [float(f"{value:.3g}") for value in slopes[:shown].tolist()],
                "largest": round(weights.amax(-1).mean().item(), 3),
                "slope": float(f"{slopes.mean().item():.3g}"),
            }
        rows.append(row)
    return rows
