"""Descriptions of values and shapes for messages: short, with named axes."""

import math
from collections.abc import Mapping

import numpy
import torch
from torch import Tensor

# Of the names of axes in tasks: what one place on the axis is called, and several.
PLACES = {
    "batch": ("sentence", "sentences"),
    "sentences": ("sentence", "sentences"),
    "keys": ("key", "keys"),
    "queries": ("query", "queries"),
    "heads": ("head", "heads"),
    "hops": ("hop", "hops"),
    "bells": ("bell", "bells"),
    "words": ("word", "words"),
    "vocab_size": ("word", "words"),
    "steps": ("step", "steps"),
    "positions": ("position", "positions"),
    "length": ("position", "positions"),
    "longest": ("position", "positions"),
    "source_len": ("source position", "source positions"),
    "target_len": ("target position", "target positions"),
    "window": ("place of the window", "places of the window"),
    "beam_size": ("hypothesis", "hypotheses"),
    "hypotheses": ("hypothesis", "hypotheses"),
    "candidates": ("candidate", "candidates"),
    "draws": ("draw", "draws"),
    "drawn": ("draw", "draws"),
    "directions": ("feature", "features"),
    "features": ("feature", "features"),
}
ASKED = "what the task asks for"  # of a hidden case, whose values are told to nobody
SQUEEZED = "a bare `.squeeze()` drops every axis of size 1, the batch too: name the axis that should go"


def axis_names(axes: str, dims: int) -> list[str]:
    """The names of a result's axes; "axis 0", … where none are known for a result with so many.

    ``axes``: "batch keys", or, for a result that may have more axes or fewer, "keys | batch keys".
    """
    choices = [names.split() for names in axes.split("|")]
    return next((names for names in choices if len(names) == dims), [f"axis {axis}" for axis in range(dims)])


def singular(axis: str) -> str:
    """What one place on the axis is called: "key" on `keys`; empty if the axis has no name."""
    return _nouns(axis)[0]


def plural(axis: str) -> str:
    """What the places on the axis are called: "keys" on `keys`; empty if the axis has no name."""
    return _nouns(axis)[1]


def _nouns(axis: str) -> tuple[str, str]:
    if axis.startswith("axis "):
        return "", ""
    if axis == "size" or axis.endswith("_size"):
        return PLACES.get(axis, PLACES["features"])
    return PLACES.get(axis, (f"place on `{axis}`", f"places on `{axis}`"))


def difference(got: Tensor, expected: Tensor, case: str) -> tuple[str, str]:
    """Where the two differ most; in a hidden case, only that they do."""
    if case:
        return "wrong values", ASKED
    written = _truth if expected.dtype == torch.bool else _number
    got, expected = got.detach().double(), expected.detach().double()
    same = (got == expected) | (got.isnan() & expected.isnan())  # ∞ - ∞ is NaN
    gap = (got - expected).abs().masked_fill(same, 0.0)
    most = int(gap.nan_to_num(math.inf).argmax())
    index = tuple(map(int, numpy.unravel_index(most, gap.shape)))  # torch's version imports sympy: 0.5 s
    where = f" at {list(index)}" if index else ""
    return f"{written(got[index])}{where}", written(expected[index])


def _number(value: Tensor) -> str:
    return f"{float(value):.4g}"


def _truth(value: Tensor) -> str:
    return str(bool(value))


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
        return with_article(given)
    return with_article(kind if module in ("builtins", "__main__") else f"{module}.{kind}")


def with_article(noun: str) -> str:
    """The noun with its article."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"  # mostly "a u…", as in "a UnicodeError"
