"""Answers that return several tensors: as many as asked for, in their order, each with its shape and its values."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor

from autograder.expect import (
    CheckFailed,
    ask,
    expect_close,
    expect_finite,
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
)
from autograder.wording import brief, labelled

Axes = Mapping[str, Mapping[str, int]]  # name of a result → its axes in order, with their sizes
Shapes = Mapping[str, Mapping[tuple[int, ...], str]]  # name of a result → wrong shape → what leads to it
Mistakes = Callable[[], Mapping[str, Mapping[str, Tensor]]]  # name of a result → why → value


def compare_results(
    what: str,
    answer: Callable[..., Any],
    inputs: Mapping[str, Any],
    expected: Mapping[str, Tensor],
    axes: Axes,
    mistakes: Mistakes,
    shapes: Shapes | None = None,
    case: str = "",
    before_values: Callable[[], None] = lambda: None,
) -> None:
    """Hold every result of one call against the reference, in the order of ``expected``."""
    given = {name: value.clone() if isinstance(value, Tensor) else value for name, value in inputs.items()}
    with torch.no_grad():
        got = several(what, ask(what, answer, case=case, **given), axes, shapes or {}, _kind(expected), case)
        before_values()
        table = None
        for name, value in expected.items():
            table = mistakes() if table is None else table
            expect_close(name, got[name], value, partial(table.get, name, {}), case=case)
    for name, value in inputs.items():
        if isinstance(value, Tensor):
            expect_unchanged(name, given[name], value, case)


def several(what: str, result: object, axes: Axes, shapes: Shapes, like: Tensor, case: str) -> dict[str, Tensor]:
    """The results by name, once number, order and shapes are right; a single one may come bare."""
    names = list(axes)
    if len(names) == 1 and isinstance(result, Tensor):
        result = (result,)
    if len(names) > 1 and (not isinstance(result, tuple | list) or len(result) != len(names)):
        why = "is the `return` missing?" if result is None else "the caller needs all of them"
        raise CheckFailed(labelled(what, case), brief(result), f"({', '.join(names)})", why)
    results = result if isinstance(result, tuple | list) else (result,)
    for name, value in zip(names, results, strict=True):
        expect_tensor(name, value, like=like, case=case)
    wanted: dict[tuple[int, ...], str] = {}
    for name, sizes in axes.items():
        shape = tuple(sizes.values())
        wanted[shape] = f"{wanted[shape]} or {name}" if shape in wanted else name
    right = [wanted[tuple(sizes.values())] for sizes in axes.values()]
    found = [wanted.get(tuple(value.shape), "") for value in results]
    if found != right and sorted(found) == sorted(right):
        order = f"({', '.join(found)})", f"({', '.join(names)})"
        raise CheckFailed(labelled(what, case), *order, "the order is another")
    for name, value in zip(names, results, strict=True):
        expect_shape(name, value, shapes.get(name), case, **axes[name])
        expect_finite(name, value, case=case)
    return dict(zip(names, results, strict=True))


def compare_gradients(
    what: str,
    answer: Callable[..., Any],
    reference: Callable[..., Any],
    inputs: Mapping[str, Any],
    parameters: tuple[Mapping[str, Tensor], Mapping[str, Tensor]] = ({}, {}),
    case: str = "",
) -> None:
    """Gradients of all results together reach the inputs that are real numbers, and the answer's own parameters."""
    theirs, ours = (
        {name: _leaf(value) if isinstance(value, Tensor) else value for name, value in inputs.items()} for _ in range(2)
    )
    learned = [name for name, value in ours.items() if isinstance(value, Tensor) and value.requires_grad]
    pairs = {name: (theirs[name], ours[name]) for name in learned}
    pairs |= {name: (parameters[0][name], own) for name, own in parameters[1].items()}
    got = _joined(ask(what, answer, case=case, **theirs))
    expect_gradients(what, got, _joined(reference(*ours.values())), pairs, case)


def _leaf(value: Tensor) -> Tensor:
    return value.detach().clone().requires_grad_(value.is_floating_point())


def _joined(results: Any) -> Tensor:
    results = results if isinstance(results, tuple | list) else (results,)
    return torch.cat([value.flatten() for value in results])


def _kind(expected: Mapping[str, Tensor]) -> Tensor:
    return next(iter(expected.values()))
