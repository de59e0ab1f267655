"""A query to turn like a dial: scores, weights and context follow."""

import math
from collections.abc import Mapping, Sequence

import torch
import traitlets
from torch import Tensor

from seq2seq.scorer import Scorer
from seq2seq.widgets.widget import Widget

STEP = 5  # degrees between directions of the query
THOUSANDTH = 1000


class LookUp(Widget, script="look_up"):
    """Keys and values in the plane, and a query to turn and stretch, with the scores of several scorers.

    Shape:
        keys: (words, 2)
        values: (words, 2)

    Raises:
        ValueError: the numbers of words, keys and values differ, or keys or values are not two-dimensional.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        words: Sequence[str],
        keys: Tensor,
        values: Tensor,
        scorers: Mapping[str, Scorer],
        lengths: Sequence[float] = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0),
    ) -> None:
        for name, given in (("keys", keys), ("values", values)):
            if given.shape != (len(words), 2):
                raise ValueError(f"{name}: got shape {tuple(given.shape)}, expected (words={len(words)}, 2).")
        super().__init__(label="A query among keys and values")
        self.data = {
            "words": list(words),
            "keys": [[round(number, 3) for number in key] for key in keys.tolist()],
            "values": [[round(number, 3) for number in value] for value in values.tolist()],
            "step": STEP,
            "lengths": list(lengths),
            "scorers": list(scorers),  # their order; a dictionary loses its order on the way to the page
            "scores": tabulate(scorers, keys, lengths),
        }

    def text(self) -> str:
        return f"A query among the keys and values of {', '.join(self.data['words'])}."


def directions() -> list[int]:
    """The directions of the query in degrees, full circle."""
    return list(range(0, 360, STEP))


def queries(lengths: Sequence[float]) -> Tensor:
    """Queries of every length in every direction.

    Shape:
        queries: (lengths, directions, 2)
    """
    turns = torch.tensor(directions()) * math.pi / 180
    return torch.tensor(lengths).view(-1, 1, 1) * torch.stack([turns.cos(), turns.sin()], dim=-1)


@torch.no_grad()
def tabulate(scorers: Mapping[str, Scorer], keys: Tensor, lengths: Sequence[float]) -> dict[str, list[int]]:
    """Each scorer's scores of every query, in whole thousandths, flattened: by length, then direction, then key.

    Shape:
        keys: (keys, 2)
    """
    every = queries(lengths).view(1, -1, 2)  # (1, lengths × directions, 2)
    table = {}
    for name, scorer in scorers.items():
        scores = scorer.score_all(every, scorer.project_keys(keys.unsqueeze(0)))
        table[name] = (THOUSANDTH * scores).round().int().flatten().tolist()
    return table
