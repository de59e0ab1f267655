"""Probes of an answer whose wrong values are unexplained: is it random, are sentences mixed, does padding count?

A probe reports a failure only if the reference passes it.
"""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from autograder.checking.observe import Seen, Subject
from autograder.checking.playing import results_for
from autograder.checking.task import Case, Task
from autograder.checking.use import Draws
from autograder.checking.values import alike

Inputs = dict[str, Any]

RANDOM = (
    "two calls with the same arguments give different results: is something random, as dropout is, or kept from one "
    "call to the next?"
)


def probed(task: Task, subject: Subject, case: Case) -> tuple[str, str] | None:
    """(id, words) of the first property that the answer lacks."""
    if case.raises:
        return None
    inputs = Draws(task, case)[""]
    right = partial(results_for, task, Subject(task.definition.compiled(), task.tools), case)
    wrong = partial(results_for, task, subject, case)
    before, reference = wrong(inputs), right(inputs)
    if not _values_alike(before, wrong(inputs)):
        return "random", RANDOM
    for other, part, mistake, words in _changed(inputs):
        if _alike_in(part, reference, right(other)) and not _alike_in(part, before, wrong(other)):
            return mistake, words
    return None


Part = tuple[slice, ...]


def _changed(inputs: Inputs) -> list[tuple[Inputs, Part, str, str]]:
    """(changed inputs, the part of the results that must not change, mistake id and words if it does)"""
    found: list[tuple[Inputs, Part, str, str]] = []
    sizes = {one.size(0) for one in inputs.values() if _is(one) and one.dim() > 1}
    if len(sizes) == 1 and next(iter(sizes)) > 1:
        other = {
            name: torch.cat([one[:1], 0.5 - 2.0 * one[1:]]) if _is(one) and one.dim() > 1 else one
            for name, one in inputs.items()
        }
        words = "the results of sentence 0 change when only the other sentences of the batch do: sentences are mixed"
        found.append((other, (slice(0, 1),), "sentences_mixed", words))
    masks = (one for name, one in inputs.items() if "mask" in name and _is(one, torch.bool) and one.dim() == 2)
    mask = next(masks, None)
    if mask is not None and not mask.all():
        other = {
            name: torch.where(_fit(mask, one), one, 3.0 - 2.0 * one)
            if _is(one) and one.dim() >= 2 and one.shape[:2] == mask.shape
            else one
            for name, one in inputs.items()
        }
        words = "the results change when only what stands in the padding does: padding must not count"
        found.append((other, (slice(None),), "padding_counts", words))
    deep = {name: one for name, one in inputs.items() if _is(one) and one.dim() > 2}
    if deep and len({one.size(1) for one in deep.values()}) == 1:
        other = {
            name: torch.cat([one[:, :1], 0.5 - 2.0 * one[:, 1:]], 1) if name in deep else one
            for name, one in inputs.items()
        }
        words = "the result at position 0 changes when only the other positions of its sentence do: positions are mixed"
        found.append((other, (slice(None), slice(0, 1)), "positions_mixed", words))
    return found


def _is(value: Any, dtype: torch.dtype | None = None) -> bool:
    return isinstance(value, Tensor) and (value.is_floating_point() if dtype is None else value.dtype == dtype)


def _fit(mask: Tensor, value: Tensor) -> Tensor:
    return mask.reshape(*mask.shape, *[1] * (value.dim() - 2))


def _values_alike(one: list[Seen], other: list[Seen]) -> bool:
    return len(one) == len(other) and all(
        a.kind == b.kind and (a.kind != "value" or alike(a.value, b.value)) for a, b in zip(one, other, strict=True)
    )


def _alike_in(part: Part, one: list[Seen], other: list[Seen]) -> bool:
    """Whether all tensors with these axes agree in this part."""
    for a, b in zip(one, other, strict=False):
        if a.kind != "value" or b.kind != "value":
            return True  # a failure on the changed inputs says nothing about the original ones
        if not _is(a.value) or a.value.dim() < len(part):
            continue
        if not _is(b.value) or b.value.dim() < len(part) or not alike(a.value[part], b.value[part]):
            return False
    return True
