"""Descriptions of values and shapes for messages: short, with named axes."""

import math
from collections.abc import Mapping

import numpy
from torch import Tensor

SQUEEZED = "a bare `.squeeze()` drops every axis of size 1, the batch too: name the axis that should go"


def difference(got: Tensor, expected: Tensor, case: str) -> tuple[str, str]:
    """Where the two differ most; in a hidden case, only that they do."""
    if case:
        return "wrong values", "those of the equation"
    got, expected = got.detach().double(), expected.detach().double()
    same = (got == expected) | (got.isnan() & expected.isnan())  # ∞ - ∞ is NaN
    gap = (got - expected).abs().masked_fill(same, 0.0)
    most = int(gap.nan_to_num(math.inf).argmax())
    index = tuple(map(int, numpy.unravel_index(most, gap.shape)))  # torch's version imports sympy: 0.5 s
    place = f" at {list(index)}" if index else ""
    return f"{_number(got[index])}{place}", _number(expected[index])


def _number(value: Tensor) -> str:
    return f"{float(value):.4g}"


def listed(rows: list[int]) -> str:
    """The first few of many."""
    return ", ".join(map(str, rows[:4])) + (", …" if len(rows) > 4 else "")


def shape_reason(shape: tuple[int, ...], axes: Mapping[str, int]) -> str:
    """What most likely went wrong, or nothing."""
    expected, names = tuple(axes.values()), list(axes)
    if shape == (*expected, 1):
        return "did you forget `.squeeze(-1)`?"
    if len(shape) == len(expected) + 1:
        for axis, size in enumerate(shape):
            if size == 1 and shape[:axis] + shape[axis + 1 :] == expected:
                return f"axis {axis} of size 1 is one too many"
    if len(shape) == len(expected) and sorted(shape) == sorted(expected) and len(set(shape)) == len(shape):
        order = ", ".join(names[expected.index(size)] for size in shape)
        return f"the axes came out as ({order})"
    if len(shape) < len(expected):
        lost = [name for name, size in axes.items() if size not in shape]
        return f"the axis `{lost[0]}` was lost" if len(lost) == 1 else ""
    return ""


def brief(value: object) -> str:
    """A value in a few words."""
    if value is None:
        return "nothing (None)"
    if isinstance(value, Tensor):
        return f"{tuple(value.shape)}"
    if isinstance(value, bool | int | float | str):
        return f"{value!r:.60}"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    kind, module = type(value).__name__, type(value).__module__
    given = getattr(value, "type_name", None)  # what a remote answer returned in place of plain data
    if isinstance(given, str):
        return f"a {given}"
    return f"a {kind}" if module in ("builtins", "__main__") else f"a {module}.{kind}"
