"""The learner's side of what crosses the wire: data by value, any other object by number."""

from typing import Any

import numpy
from torch import Tensor

from autograder.sandbox.wire import MAX_DEPTH, Handle, Name, WireError

CONTAINERS = (list, tuple, dict, set, frozenset)
BASES = (int, float, complex, str, bytes, *CONTAINERS)  # what derives from one is sent as it


class Objects:
    """The objects of one submission that the judge knows by number."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space
        self.held: list[Any] = []
        self.numbers: dict[int, int] = {}  # id of a kept object → its number

    def materialise(self, value: Any) -> Any:
        """A value of the wire as the answer sees it."""
        if isinstance(value, list | tuple):
            return type(value)(map(self.materialise, value))
        if isinstance(value, dict):
            return {key: self.materialise(item) for key, item in value.items()}
        if isinstance(value, Name):
            return self.named(value.name)
        return self.held[value.key] if isinstance(value, Handle) else value

    def named(self, name: str) -> Any:
        if name not in self.space:
            raise NameError(f"name {name!r} is not defined")
        return self.space[name]

    def portable(self, value: Any, depth: int = 0) -> Any:
        """A result as the wire can carry it; raises WireError if it is nested too deeply, as what holds itself is."""
        if depth > MAX_DEPTH:
            raise WireError(f"values nested deeper than {MAX_DEPTH}")
        if value is None or isinstance(value, bool | Tensor) or type(value) is numpy.ndarray:
            return value
        if isinstance(value, numpy.generic):
            return self.portable(value.item(), depth + 1)  # a long double is its own item
        kind = type(value)
        base = kind if kind in BASES else next((base for base in BASES if isinstance(value, base)), None)
        if base is None:
            return self.handle(value)
        if base is dict:
            return {self.portable(key, depth + 1): self.portable(item, depth + 1) for key, item in value.items()}
        return base(self.portable(item, depth + 1) for item in value) if base in CONTAINERS else base(value)

    def handle(self, value: Any) -> Handle:
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.held)
            self.held.append(value)
        return Handle(self.numbers[id(value)], type(value).__name__)
