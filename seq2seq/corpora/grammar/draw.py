"""Random choices, and the exception for phrases of an impossible length."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Choice = TypeVar("Choice")


class Misfit(Exception):
    """This draw gave no phrase of the required length; the caller draws again."""


class Draw:
    """The random choices that the samplers share."""

    def __init__(self, rng: Random) -> None:
        self.random = rng.random

    def pick(self, choices: Sequence[Choice]) -> Choice:
        return choices[int(self.random() * len(choices))]

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + int(self.random() * (high - low + 1))
