"""Values that answers return, with the same rules in the notebook and over the wire.

A numpy array counts as a tensor; a number is Python's, numpy's or a one-element tensor; a list is a list, a tuple or
one axis of an array.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import torch
from torch import Tensor

from autograder.checking.wording import brief
from autograder.finding import CheckFailed

LARGEST_WRITTEN = 10**4000  # Python writes and parses whole numbers of at most 4300 digits


def plain(value: Any) -> Any:
    """The value with numpy types converted to torch's and Python's, detached from any graph.

    A whole number that Python cannot write down is infinite: nobody could be told it.
    """
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, int) and abs(value) >= LARGEST_WRITTEN:
        return math.inf if value > 0 else -math.inf
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, numpy.ndarray):
        return torch.from_numpy(value.copy()) if value.dtype.kind in "biuf" else [plain(item) for item in value]
    if isinstance(value, list | tuple):
        return tuple(plain(item) for item in value) if isinstance(value, tuple) else [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return str.__str__(value) if isinstance(value, str) else value  # a member of StrEnum is a text


def named(value: Any, *labels: str) -> Iterator[tuple[str, Any]]:
    """The results of one call in order: one value, or as many as there are labels."""
    if len(labels) == 1:
        yield labels[0], value
        return
    if isinstance(value, Tensor) or not isinstance(value, list | tuple) or len(value) != len(labels):
        got = "one tensor" if isinstance(value, Tensor) else brief(value)
        why = "is the `return` missing?" if value is None else f"return all {len(labels)} of them, in this order"
        raise CheckFailed("the result", got, f"({', '.join(labels)})", why, mistake="results")
    yield from zip(labels, value, strict=True)


def atoms(value: Any) -> Iterator[Any]:
    """What lists, tuples and dictionaries hold, however deep."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from atoms(item)
    else:
        yield value


def mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """The value with each of its atoms changed."""
    if type(value) in (list, tuple):
        return type(value)(mapped(change, item) for item in value)
    return {key: mapped(change, item) for key, item in value.items()} if type(value) is dict else change(value)


FACTOR, LEAST = 16, 100_000


def most(right: Any) -> int:
    """The most numbers that an answer's tensor may have where this is right; one with more is not looked into."""
    sizes = (atom.numel() if isinstance(atom, Tensor) else 1 for atom in atoms(right))
    return max(LEAST, FACTOR * max(sizes, default=0))


BITS = 8  # with less information in the results, a mistake may match them by chance
LARGEST = 1e300  # larger Python integers may not convert to float


def is_number(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.numel() == 1 and value.dtype != torch.bool and not value.is_complex() and has_values(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) < LARGEST


def has_values(tensor: Tensor) -> bool:
    """Whether the tensor is dense and its numbers can be read."""
    return tensor.layout is torch.strided and not tensor.is_meta


def is_data(value: Any, *others: type) -> bool:
    """Whether the value consists of Python numbers, strings, booleans and None, in lists, tuples and dictionaries.

    ``others``: what else may be in it.
    """
    if type(value) in (list, tuple):
        return all(is_data(item, *others) for item in value)
    if type(value) is dict:
        return all(is_data(key) and is_data(item, *others) for key, item in value.items())
    return value is None or type(value) in (bool, int, float, str, *others)


def bits(value: Any) -> int:
    """The rough information content of a result: many mistakes give the same True, few the same forty numbers."""
    return sum(map(_bits, atoms(value)))


def _bits(atom: Any) -> int:
    if isinstance(atom, Tensor):
        return atom.numel() * (16 if atom.is_floating_point() else 1 if atom.dtype == torch.bool else 3)
    return {bool: 1, int: 3, float: 16, str: 1}.get(type(atom), 0)
