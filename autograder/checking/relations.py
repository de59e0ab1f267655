"""How wrong values relate to the right ones if no change of the reference explains them.

A relation is reported only if it holds in every case with wrong values.
"""

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from autograder.checking.equal import equal
from autograder.checking.values import is_data, is_number
from autograder.checking.wording import plural, singular

Relation = tuple[str, str]  # id, words

FUNCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "exp": torch.exp,
    "log": torch.log,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "abs": torch.abs,
    "square": torch.square,
    "sqrt": torch.sqrt,
    "softmax": lambda x: x.softmax(-1),
    "log_softmax": lambda x: x.log_softmax(-1),
}
OTHERS: dict[str, tuple[str, Callable[[Tensor], Tensor]]] = {
    "one_minus": ("these are 1 minus the right values", lambda x: 1 - x),
    "inverse": ("these are 1 divided by the right values", lambda x: 1 / x),
}


def relation(cases: Sequence[tuple[Any, ...]]) -> Relation | None:
    """The first relation that holds in all failing cases, given (right value, wrong value, axis names, …) of each."""
    relations = [_relations(right, wrong, axes) for right, wrong, axes, *_ in cases]
    if not relations:
        return None
    right, wrong, *_ = cases[0]
    for name, words in relations[0].items():
        if name == "factor" and len({repr(case[0]) for case in cases}) == 1 and not _is_plain(right, wrong):
            continue
        if all(name in others for others in relations[1:]):
            same_words = all(others[name] == words for others in relations[1:])
            if not same_words and not isinstance(right, Tensor):
                continue  # for single numbers, a different factor in each case says nothing
            return name, words if same_words else words.partition(" of ")[0] + ", a different one in each case"
    return None


def _is_plain(right: Any, wrong: Any) -> bool:
    """Whether a common factor is meaningful: for single numbers, only if it or its inverse is a whole number."""
    if isinstance(right, Tensor) and right.numel() > 1:
        return True
    factor = float(wrong) / float(right)
    return any(math.isclose(ratio, round(ratio), rel_tol=1e-4) for ratio in (factor, 1 / factor) if abs(ratio) < 1.01e4)


def _relations(right: Any, wrong: Any, axes: Sequence[str]) -> dict[str, str]:
    if isinstance(right, Tensor):
        if not isinstance(wrong, Tensor) or right.shape != wrong.shape:
            return {}
        if right.dtype == torch.bool:
            exchanged = {"not": "True and False are exchanged"} if torch.equal(right, ~wrong) else {}
            return exchanged | _reshaped(right.double(), wrong.double(), axes)
        return _of_tensors(right.double(), wrong.double(), axes, right.dtype)
    if is_number(right) and is_number(wrong):
        relations = _of_numbers(float(right), float(wrong))
        if isinstance(right, int):  # a count of 0 instead of 1 is one too small, not a logarithm, and 6 no factor of 6
            for name in ("one_minus", "inverse", "log", "exp", "factor"):
                relations.pop(name, None)
        return relations
    if isinstance(right, list | tuple) and isinstance(wrong, list | tuple) and is_data(wrong):
        return _of_lists(list(right), list(wrong))
    return {}


def _of_tensors(right: Tensor, wrong: Tensor, axes: Sequence[str], dtype: torch.dtype) -> dict[str, str]:
    if not wrong.isfinite().all() or right.isnan().any() or not right.numel():
        return {}
    relations = _scaled(right, wrong)
    if not dtype.is_floating_point:  # a factor means nothing for indices
        relations = {name: words for name, words in relations.items() if name in ("sign", "offset")}
    if dtype == torch.float64 and _near(wrong, right):
        relations = {
            "single_precision": "only about seven digits are right: is something computed in float32, or is a small "
            "number added somewhere?"
        } | relations
    relations |= (
        _through_a_function(right, wrong) if dtype.is_floating_point else {}
    )  # `relu` means nothing for indices
    relations |= _moved(right, wrong, axes) | _reshaped(right, wrong, axes)
    if right.dim() and _sums_to_one(right) and not _sums_to_one(wrong):
        if (wrong < 0).any():
            relations["negative"] = "some are negative, which no probability is: are these scores, or logarithms?"
        else:
            relations["no_distribution"] = "a row does not sum to 1, as weights do"
    if (
        not relations
        and wrong.numel() > 1
        and float(wrong.max() - wrong.min()) < 1e-7 < float(right.max() - right.min())
    ):
        relations["constant"] = "all values are the same, where the right ones differ"
    return relations


def _near(values: Tensor, expected: Tensor) -> bool:
    return equal(expected.float(), values.float())


def _scaled(right: Tensor, wrong: Tensor) -> dict[str, str]:
    relations: dict[str, str] = {}
    gap = wrong - right
    if _near(wrong, -right):
        relations["sign"] = "the sign is flipped: these are minus the right values"
    elif (factor := _factor(right, wrong)) is not None:
        relations["factor"] = f"the values are right up to a factor of {factor:.4g}"
    if right.numel() > 1 and _near(gap, gap.mean().expand_as(gap)):
        relations["offset"] = f"every value is off by the same amount of {float(gap.mean()):.4g}"
    elif right.dim() > 1 and right.size(-1) > 1 and _near(gap, gap[..., :1].expand_as(gap)):
        relations["row_offset"] = "in each row every value is off by the same amount"
    return relations


def _through_a_function(right: Tensor, wrong: Tensor) -> dict[str, str]:
    known = {name: function for name, function in FUNCTIONS.items() if right.dim() or "softmax" not in name}
    relations = {
        name: f"these are the right values after a `{name}`, which does not belong here"
        for name, function in known.items()
        if _near(wrong, function(right))
    }
    relations |= {
        f"no_{name}": f"a `{name}` of these would give the right values: it is missing"
        for name, function in known.items()
        if _near(function(wrong), right)
    }
    return relations | {name: words for name, (words, function) in OTHERS.items() if _near(wrong, function(right))}


def _moved(right: Tensor, wrong: Tensor, axes: Sequence[str]) -> dict[str, str]:
    """Values in reverse order, or one place off, along one of the axes."""
    relations: dict[str, str] = {}
    for axis in range(right.dim()):
        name = axes[axis]
        several, noun = plural(name), singular(name)
        if right.size(axis) > 1 and _near(wrong, right.flip(axis)):
            reverse = f"with the {several} in reverse order" if several else f"in reverse order along {name}"
            relations[f"flipped_{axis}"] = f"the right values, but {reverse}"
        if right.size(axis) > 2:
            front, back = _cut(axis, right.dim(), 0, -1), _cut(axis, right.dim(), 1, None)
            for word, ours, theirs in (("late", front, back), ("early", back, front)):
                if _near(wrong[theirs], right[ours]) and not _near(right[theirs], right[ours]):
                    off = f"one {noun} too {word}" if noun else f"one place too {word} along {name}"
                    relations[f"shifted_{axis}_{word}"] = f"the right values, but {off}"
    return relations


def _reshaped(right: Tensor, wrong: Tensor, axes: Sequence[str]) -> dict[str, str]:
    """The right values, reshaped where two axes should have been exchanged."""
    for axis, other in combinations(range(right.dim()), 2):
        exchanged = right.transpose(axis, other).flatten()
        if _near(wrong.flatten(), exchanged) and min(right.size(axis), right.size(other)) > 1:
            names = (axes[axis], axes[other])
            first, second = (name if name.startswith("axis ") else f"`{name}`" for name in names)
            words = f"{first} and {second} should change places; `view` and `reshape` only regroup the numbers"
            return {f"reshaped_{axis}_{other}": words}
    return {}


def _cut(axis: int, dims: int, first: int, last: int | None) -> tuple[slice, ...]:
    return tuple(slice(first, last) if index == axis else slice(None) for index in range(dims))


def _factor(right: Tensor, wrong: Tensor) -> float | None:
    scale = float((right * right).sum())
    if scale == 0:
        return None
    factor = float((right * wrong).sum()) / scale
    if abs(factor) < 1e-6 or abs(factor - 1) < 1e-6 or right.count_nonzero() < 2:
        return None
    return factor if _near(wrong, factor * right) else None


def _sums_to_one(values: Tensor) -> bool:
    sums = values.sum(-1)
    return (
        bool((values >= 0).all()) and bool(((sums - 1).abs() < 1e-4).logical_or(sums == 0).all()) and bool(sums.any())
    )


def _of_numbers(right: float, wrong: float) -> dict[str, str]:
    if not (math.isfinite(right) and math.isfinite(wrong)):
        return {}
    related = {  # id → what it would be, where that has a meaning, and words
        "sign": (-right if right else None, "the sign is flipped"),
        "one_minus": (1 - right if right not in (0, 1) else None, "this is 1 minus the right value"),
        "inverse": (1 / right if right else None, "this is 1 divided by the right value"),
        "log": (math.log(right) if right > 0 and right != 1 else None, "this is the logarithm of the right value"),
        "exp": (math.exp(right) if right < 50 else None, "this is exp of the right value"),
        "off_1": (right + 1, "the value is one too large"),
        "off_-1": (right - 1, "the value is one too small"),
    }
    relations = {name: words for name, (value, words) in related.items() if value is not None and equal(value, wrong)}
    if right and not relations and abs(wrong) > 1e-9 and not math.isclose(wrong, right, rel_tol=1e-3):
        relations["factor"] = f"the value is right up to a factor of {wrong / right:.4g}"
    return relations


def _of_lists(right: list[Any], wrong: list[Any]) -> dict[str, str]:
    related = {  # id → whether it holds, and words
        "reversed": (wrong == right[::-1] and len(right) > 1, "these are in reverse order"),
        "first_missing": (wrong == right[1:], "the first is missing"),
        "last_missing": (wrong == right[:-1], "the last is missing"),
        "first_extra": (wrong[1:] == right, "there is one too many at the beginning"),
        "last_extra": (wrong[:-1] == right, "there is one too many at the end"),
    }
    relations = {name: words for name, (holds, words) in related.items() if holds and wrong}
    numbers = all(isinstance(item, int) and not isinstance(item, bool) for item in [*right, *wrong])
    if numbers and right and len(right) == len(wrong):
        steps = {item - other for item, other in zip(wrong, right, strict=True)}
        if len(steps) == 1 and steps < {1, -1}:
            relations["off"] = f"every number is one too {'large' if steps == {1} else 'small'}"
    if not relations and len(right) == len(wrong) and sorted(map(repr, right)) == sorted(map(repr, wrong)):
        relations["order"] = "the right ones, in another order"
    if not relations and len(right) != len(wrong):
        relations["length"] = f"there are {len(wrong)}, expected {len(right)}"
    return relations
