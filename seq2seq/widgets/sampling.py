"""Soft against hard: the mean of the values, and draws of one of them, with stored random numbers."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from seq2seq.attention import masked_softmax
from seq2seq.widgets.widget import Widget

TEMPERATURES = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
FINE, DRAWS = 100_000, 1000


class Sampling(Widget, script="sampling"):
    """A few values in the plane with their scores, to average by their weights and to draw from.

    Shape:
        scores: (keys,)
        values: (keys, 2)

    Raises:
        ValueError: the numbers of values and scores differ, or the values are not two-dimensional.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, scores: Tensor, values: Tensor, generator: torch.Generator) -> None:
        if values.shape != (len(scores), 2):
            raise ValueError(f"values: got shape {tuple(values.shape)}, expected (keys={len(scores)}, 2).")
        super().__init__(label="The soft context, and draws of the hard one")
        self.data = {
            "values": [[round(number, 3) for number in value] for value in values.tolist()],
            "temperatures": list(TEMPERATURES),
            "weights": tempered(scores, TEMPERATURES),
            "luck": luck(DRAWS, generator),
        }

    def text(self) -> str:
        weights = self.data["weights"][TEMPERATURES.index(1.0)]
        return f"Weights {', '.join(f'{weight:.2f}' for weight in weights)}, to average the values or to draw one."


def tempered(scores: Tensor, temperatures: Sequence[float]) -> list[list[float]]:
    """The weights at every temperature, rounded.

    Shape:
        scores: (keys,)
    """
    mask = torch.ones_like(scores, dtype=torch.bool)
    rows = [masked_softmax(scores, mask, temperature) for temperature in temperatures]
    return [[round(weight, 5) for weight in row.tolist()] for row in rows]


def luck(count: int, generator: torch.Generator) -> list[float]:
    """Uniform numbers, at least 0 and below 1, one for each draw, in multiples of 1 / FINE."""
    return [int(number) / FINE for number in (FINE * torch.rand(count, generator=generator)).tolist()]
