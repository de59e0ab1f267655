"""Where wrong values are: at padding, in sentences with padding, or at one end of an axis.

A fact is reported only if it holds in every failing case that can show it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.wording import axis_names, singular

FEW = 3  # on an axis shorter than this, an error at one end is not a pattern


@dataclass(frozen=True)
class Fact:
    id: str
    words: str
    holds: bool


def place(cases: Sequence[tuple[Any, Any, Sequence[str], Mapping[str, Any]]]) -> tuple[str, str] | None:
    """(id, words) of the first fact that holds in all failing cases: (right, wrong, names of axes, inputs) of each."""
    found = [
        {fact.id: fact for fact in _facts(~torch.isclose(right.double(), wrong.double(), 1e-4, 1e-6), axes, inputs)}
        for right, wrong, axes, inputs in cases
        if _are_alike(right, wrong)
    ]
    if len(found) < len(cases):
        return None
    for fact in (fact for one in found for fact in one.values() if fact.holds):
        if all(one[fact.id].holds for one in found if fact.id in one):
            return fact.id, fact.words
    return None


def only_zero_rows(cases: Sequence[tuple[Any, Any, Sequence[str], Mapping[str, Any]]]) -> tuple[str, str] | None:
    """(id, words) if in every failing case the only wrong rows are some that have to hold nothing but 0."""
    if cases and all(_are_alike(right, wrong) and _in_zero_rows(right, wrong) for right, wrong, _, _ in cases):
        return "zero_rows", "everything is right but the rows that have to be 0 from end to end"
    return None


def _in_zero_rows(right: Tensor, wrong: Tensor) -> bool:
    if right.dim() < 2 or not right.dtype.is_floating_point:
        return False
    zero = (right == 0).all(-1)
    wrong_rows = ~torch.isclose(right.double(), wrong.double(), 1e-4, 1e-6).all(-1)
    return bool(zero.any() and not (wrong_rows & ~zero).any())


def _are_alike(right: Any, wrong: Any) -> bool:
    return (
        isinstance(right, Tensor)
        and isinstance(wrong, Tensor)
        and right.shape == wrong.shape
        and right.dim() > 0
        and not right.is_complex()
    )


def _facts(bad: Tensor, axes: Sequence[str], inputs: Mapping[str, Any]) -> Iterator[Fact]:
    names = axes if len(axes) == bad.dim() else axis_names("", bad.dim())
    if names[0] == "batch":
        for name, mask in _masks(inputs):
            if mask.size(0) == bad.size(0):
                yield from _of_padding(bad, name, mask)
        rows = _along(bad, 0)
        if bad.dim() > 1 and len(rows) > 1:
            yield Fact("first_sentence", "only sentence 0 is right", bool(not rows[0] and rows[1:].all()))
    for axis, name in enumerate(names):
        if name != "batch" and bad.size(axis) >= FEW:
            yield from _of_ends(_along(bad, axis), axis, name)


def _along(bad: Tensor, axis: int) -> Tensor:
    """For each position along the axis, whether anything is wrong there."""
    return bad.movedim(axis, 0).reshape(bad.size(axis), -1).any(1)


def _masks(inputs: Mapping[str, Any]) -> Iterator[tuple[str, Tensor]]:
    """(where padding is, mask that is True for real tokens), from masks and lengths."""
    for name, value in inputs.items():
        if not isinstance(value, Tensor) or not value.numel():
            continue
        if value.dtype == torch.bool and value.dim() == 2 and "mask" in name:
            yield f"where `{name}` is False", value
        elif not value.is_floating_point() and value.dim() == 1 and "lengths" in name:
            yield f"beyond `{name}`", torch.arange(int(value.max()))[None] < value[:, None]


def _of_padding(bad: Tensor, name: str, mask: Tensor) -> Iterator[Fact]:
    for axis in range(1, bad.dim()):
        if bad.size(axis) == mask.size(1) and not mask.all():
            at = bad.movedim(axis, 1).flatten(2).any(2) if bad.dim() > 2 else bad
            yield Fact(f"padding_{axis}", f"only what stands at padding is wrong, {name}", not bool((at & mask).any()))
    padded = ~mask.all(1)
    if padded.any() and not padded.all():
        rows = _along(bad, 0)
        words = f"sentences with padding ({name}) are wrong, those without are right"
        yield Fact("padded_sentences", words, torch.equal(rows, padded))
        words = f"sentences without padding are wrong, those with padding ({name}) are right"
        yield Fact("full_sentences", words, torch.equal(rows, ~padded))


def _of_ends(wrong: Tensor, axis: int, name: str) -> Iterator[Fact]:
    one = singular(name)
    first_of = f"{one} 0" if one else f"index 0 of {name}"
    last_of = f"the last {one}" if one else f"the last index of {name}"
    for end, place, at, others in (("first", first_of, wrong[0], wrong[1:]), ("last", last_of, wrong[-1], wrong[:-1])):
        yield Fact(f"{end}_{axis}", f"only {place} is wrong", bool(at and not others.any()))
        if len(wrong) > FEW:
            yield Fact(f"but_{end}_{axis}", f"only {place} is right", bool(not at and others.all()))
