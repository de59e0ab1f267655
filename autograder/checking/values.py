"""Values that answers return, with the same rules in the notebook and over the wire.

A numpy array counts as a tensor; a number is Python's, numpy's or a one-element tensor; a list is a list, a tuple or
one axis of an array.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy
import torch
from torch import Tensor

from autograder.expect import CheckFailed, same
from autograder.wording import brief


def plain(value: Any) -> Any:
    """The value with numpy types converted to torch's and Python's, detached from any graph."""
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, numpy.ndarray):
        return torch.from_numpy(value.copy()) if value.dtype.kind in "biuf" else [plain(item) for item in value]
    if isinstance(value, list | tuple):
        return tuple(plain(item) for item in value) if isinstance(value, tuple) else [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return value


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


FACTOR, LEAST = 16, 100_000


def most(right: Any) -> int:
    """The most numbers that an answer's tensor may have where this is right; one with more is not looked into."""
    return max(LEAST, FACTOR * _largest(right))


def _largest(value: Any) -> int:
    if isinstance(value, Tensor):
        return value.numel()
    if isinstance(value, dict):
        value = list(value.values())
    return max(map(_largest, value), default=0) if isinstance(value, list | tuple) else 1


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
    return tensor.layout is torch.strided and tensor.device.type != "meta"


def is_data(value: Any) -> bool:
    """Whether the value consists of Python numbers, strings, booleans and None, in lists, tuples and dictionaries."""
    if type(value) in (list, tuple):
        return all(map(is_data, value))
    if type(value) is dict:
        return all(is_data(key) and is_data(item) for key, item in value.items())
    return value is None or type(value) in (bool, int, float, str)


def alike(expected: Any, got: Any, tolerance: float | None = None) -> bool:
    """Whether ``got`` equals ``expected`` up to rounding; both have passed through :func:`plain`."""
    if isinstance(expected, Tensor):
        return isinstance(got, Tensor) and mismatch(expected, got) == "" and _same(expected, got, tolerance)
    if isinstance(expected, bool):
        return _truth(got) is expected
    if isinstance(expected, int | float):
        if not is_number(got) or (isinstance(expected, int) and not _is_whole(got)):
            return False
        return _close(float(expected), float(got), tolerance)
    if isinstance(expected, list | tuple):
        items = got.tolist() if isinstance(got, Tensor) and got.dim() and has_values(got) else got
        if not isinstance(items, list | tuple) or len(items) != len(expected):
            return False
        return all(alike(one, other, tolerance) for one, other in zip(expected, items, strict=True))
    if isinstance(expected, dict):
        if not isinstance(got, dict) or list(map(str, sorted(expected, key=str))) != list(
            map(str, sorted(got, key=str))
        ):
            return False
        return all(key in got and alike(one, got[key], tolerance) for key, one in expected.items())
    return type(got) is type(expected) and (not is_data(expected) or got == expected)  # objects: only their types


def bits(value: Any) -> int:
    """The rough information content of a result: many mistakes give the same True, few the same forty numbers."""
    if isinstance(value, Tensor):
        return value.numel() * (16 if value.is_floating_point() else 1 if value.dtype == torch.bool else 3)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return sum(map(bits, value))
    return {bool: 1, int: 3, float: 16, str: 1}.get(type(value), 0)


def mismatch(expected: Tensor, got: Tensor) -> str:
    """How two tensors differ apart from their values: "layout", "device", "dtype", "shape" or ""."""
    if got.layout is not torch.strided:
        return "layout"
    if got.device.type != expected.device.type:
        return "device"
    if got.dtype != expected.dtype and not (_counts(got.dtype) and _counts(expected.dtype)):
        return "dtype"
    return "shape" if got.shape != expected.shape else ""


def _counts(dtype: torch.dtype) -> bool:
    """Whether it is an integer type of any width."""
    return not dtype.is_floating_point and not dtype.is_complex and dtype != torch.bool


def _same(expected: Tensor, got: Tensor, tolerance: float | None) -> bool:
    if not has_values(expected):  # the answer's own result, compared with its earlier one
        return True
    return same(got, expected, tolerance if expected.dtype != torch.float64 else None, equal_nan=True)


def _truth(value: Any) -> bool | None:
    if isinstance(value, Tensor) and value.numel() == 1 and value.dtype == torch.bool and has_values(value):
        return bool(value)
    return value if isinstance(value, bool) else None


def _is_whole(value: Any) -> bool:
    return _counts(value.dtype) if isinstance(value, Tensor) else isinstance(value, int)


def _close(expected: float, got: float, tolerance: float | None) -> bool:
    if math.isnan(expected) or math.isnan(got):
        return math.isnan(expected) and math.isnan(got)
    return math.isclose(got, expected, rel_tol=tolerance or 1e-4, abs_tol=tolerance or 1e-6)
