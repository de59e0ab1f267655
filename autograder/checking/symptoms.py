"""What wrong values show that no mistake explains: what they change with, and where they are.

Probes try the answer again: is it random, are sentences mixed, does padding count? Places are at padding, in sentences
with padding, or at an end of an axis. A symptom is reported only if the reference has it not, in every failing case
that can show it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.checking.equal import equal, where_wrong
from autograder.checking.observation import Arguments, Candidate, Observation
from autograder.checking.trial import Trial, tried
from autograder.checking.values import has_values
from autograder.checking.wording import singular
from autograder.finding import UNDEFINED

Symptom = tuple[str, str]  # id, words
WrongValue = tuple[Any, Any, Sequence[str], Mapping[str, Any]]  # right, wrong, names of axes, inputs
Part = tuple[slice, ...]

RANDOM = (
    "two calls with the same arguments give different results: is something random, as dropout is, or kept from one "
    "call to the next?"
)
TELLING = 4  # different numbers: zeros and ones may be alike by chance
FEW = 3  # on an axis shorter than this, an error at one end is not a pattern


def reads_a_cell(candidate: Candidate, trial: Trial) -> Symptom | None:
    """An example that another cell made, and that the answer uses in place of what it is given."""
    (without,) = tried(candidate, [trial], brief=True, taken={"data": ()})
    end = without.got[-1].value if without.got and without.got[-1].kind == "raised" else None
    name = UNDEFINED.match(end.detail) if end and end.kind == "NameError" else None
    if name is None or (trial.ended and trial.got[-1].value == end):
        return None
    return "other_cell", f"it uses `{name[1]}` of another cell, which is one example: each call is given its own inputs"


def another_result(failing: Sequence[Trial]) -> Symptom | None:
    """If in every failing case one result of an answer would be right as another."""
    labels: set[str] | None = None
    for trial in failing:
        got = trial.difference.got if trial.difference else None
        if got is None or got.kind != "value" or got.phase:
            return None
        if not isinstance(got.value, Tensor) or not has_values(got.value):
            return None
        if len(set(got.value.flatten().tolist())) < TELLING:  # `unique` knows no complex numbers
            continue
        others = [right for right in trial.expected if right.kind == "value" and right.label != got.label]
        fitting = {right.label for right in others if not right.phase and equal(right.value, got.value)}
        labels = fitting if labels is None else labels & fitting
    return ("another_result", f"this is the right {min(labels)}, in another's place") if labels else None


def probed(candidate: Candidate, trial: Trial) -> Symptom | None:
    """The first property that the answer lacks, and the reference has."""
    if trial.case.raises:
        return None

    def results(answer: Candidate, inputs: Arguments) -> Sequence[Observation]:
        (other,) = tried(answer, [trial.with_inputs(inputs)])
        return other.got

    reference = trial.task.right
    before, right = results(candidate, trial.inputs), results(reference, trial.inputs)
    if not equal(before, results(candidate, trial.inputs)):
        return "random", RANDOM
    for inputs, part, symptom in _changed(trial.inputs):
        stays = _equal_in(part, right, results(reference, inputs))
        if stays and not _equal_in(part, before, results(candidate, inputs)):
            return symptom
    return None


def _changed(inputs: Arguments) -> Iterator[tuple[Arguments, Part, Symptom]]:
    """Yields (changed inputs, the part of the results that must not change, what it says if it does)."""

    def other(is_changed: Callable[[Tensor], bool], change: Callable[[Tensor], Tensor]) -> Arguments:
        changed = {name: change(value) for name, value in inputs.items() if _is(value) and is_changed(value)}
        return {**inputs, **changed}

    numbers = [value for value in inputs.values() if _is(value)]
    sizes = {value.size(0) for value in numbers if value.dim() > 1}
    if len(sizes) == 1 and next(iter(sizes)) > 1:
        sentences = other(lambda value: value.dim() > 1, lambda value: torch.cat([value[:1], 0.5 - 2.0 * value[1:]]))
        words = "the results of sentence 0 change when only the other sentences of the batch do: sentences are mixed"
        yield sentences, (slice(0, 1),), ("sentences_mixed", words)
    masks = [value for name, value in inputs.items() if "mask" in name and _is(value, torch.bool) and value.dim() == 2]
    if masks and not masks[0].all():
        mask = masks[0]
        padding = other(
            lambda value: value.dim() >= 2 and value.shape[:2] == mask.shape,
            lambda value: torch.where(_fit(mask, value), value, 3.0 - 2.0 * value),
        )
        words = "the results change when only what stands in the padding does: padding must not count"
        yield padding, (slice(None),), ("padding_counts", words)
    lengths = {value.size(1) for value in numbers if value.dim() > 2}
    if len(lengths) == 1:
        positions = other(
            lambda value: value.dim() > 2, lambda value: torch.cat([value[:, :1], 0.5 - 2.0 * value[:, 1:]], 1)
        )
        words = "the result at position 0 changes when only the other positions of its sentence do: positions are mixed"
        yield positions, (slice(None), slice(0, 1)), ("positions_mixed", words)


def _is(value: Any, dtype: torch.dtype | None = None) -> bool:
    return isinstance(value, Tensor) and (value.is_floating_point() if dtype is None else value.dtype == dtype)


def _fit(mask: Tensor, value: Tensor) -> Tensor:
    return mask.reshape(*mask.shape, *[1] * (value.dim() - 2))


def _equal_in(part: Part, results: Sequence[Observation], others: Sequence[Observation]) -> bool:
    """Whether all tensors with these axes agree in this part."""
    for result, other in zip(results, others, strict=False):
        if result.kind != "value" or other.kind != "value":
            return True  # a failure on the changed inputs says nothing about the original ones
        before, after = result.value, other.value
        if not _is(before) or before.dim() < len(part) or not before.isfinite().all():
            continue  # what has overflowed changes with anything
        if not _is(after) or after.dim() < len(part) or not equal(before[part], after[part]):
            return False
    return True


@dataclass(frozen=True)
class Fact:
    id: str
    words: str
    holds: bool


def where_in(cases: Sequence[WrongValue]) -> Symptom | None:
    """The first fact about where the wrong values are that holds in all failing cases."""
    facts = [
        {fact.id: fact for fact in _facts(where_wrong(right, wrong), axes, inputs)}
        for right, wrong, axes, inputs in cases
        if _are_alike(right, wrong)
    ]
    if len(facts) < len(cases):
        return None
    for fact in (fact for of_case in facts for fact in of_case.values() if fact.holds):
        if all(of_case[fact.id].holds for of_case in facts if fact.id in of_case):
            return fact.id, fact.words
    return None


def only_zero_rows(cases: Sequence[WrongValue]) -> Symptom | None:
    """If in every failing case the only wrong rows are some that have to hold nothing but 0."""
    if cases and all(_are_alike(right, wrong) and _in_zero_rows(right, wrong) for right, wrong, _, _ in cases):
        return "zero_rows", "everything is right but the rows that have to be 0 from end to end"
    return None


def _in_zero_rows(right: Tensor, wrong: Tensor) -> bool:
    if right.dim() < 2 or not right.dtype.is_floating_point:
        return False
    zero, wrong_rows = (right == 0).all(-1), where_wrong(right, wrong).any(-1)
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
    if axes[0] == "batch":
        for name, mask in _masks(inputs):
            if mask.size(0) == bad.size(0):
                yield from _of_padding(bad, axes, name, mask)
        rows = _along(bad, 0)
        if bad.dim() > 1 and len(rows) > 1:
            yield Fact("first_sentence", "only sentence 0 is right", bool(not rows[0] and rows[1:].all()))
    for axis, name in enumerate(axes):
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


def _of_padding(bad: Tensor, axes: Sequence[str], name: str, mask: Tensor) -> Iterator[Fact]:
    for axis in range(1, bad.dim()):
        if bad.size(axis) == mask.size(1) and not axes[axis].endswith("size") and not mask.all():
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
    noun = singular(name)
    first_of = f"{noun} 0" if noun else f"index 0 of {name}"
    last_of = f"the last {noun}" if noun else f"the last index of {name}"
    for end, position, at, others in (
        ("first", first_of, wrong[0], wrong[1:]),
        ("last", last_of, wrong[-1], wrong[:-1]),
    ):
        yield Fact(f"{end}_{axis}", f"only {position} is wrong", bool(at and not others.any()))
        if len(wrong) > FEW:
            yield Fact(f"but_{end}_{axis}", f"only {position} is right", bool(not at and others.all()))
