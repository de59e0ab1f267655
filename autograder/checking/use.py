"""Prepares a case of a task: its inputs, drawn once, and how the answer is used with them."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from autograder import expect
from autograder.checking.draw import Draw
from autograder.checking.observe import ENDS, SECOND_DRAW, Inputs, Making, Seen, Subject, Use, observe_with
from autograder.checking.task import Case, Task
from autograder.checking.values import alike
from autograder.expect import generator


class Draws(dict[str, Inputs]):
    """The inputs of one case; each draw is made once, on demand.

    Those of SECOND_DRAW are much like the first ones, so that an answer which knows inputs again by a few of their
    numbers takes them for the first.
    """

    def __init__(self, task: Task, case: Case) -> None:
        super().__init__()
        self.task, self.case = task, case
        self.seen: dict[Subject, list[Seen]] = {}

    def __missing__(self, again: str) -> Inputs:
        drawn = _drawn(self.task, self.case, again)
        return self.setdefault(again, self._much_alike(drawn) if again == SECOND_DRAW else drawn)

    def results(self, use: Use, subject: Subject) -> list[Seen]:
        """What a candidate gives for the first inputs, computed once for all the answers that it may explain."""
        if subject not in self.seen:
            self.seen[subject] = list(observe_with(use, subject, self[""]))
        return self.seen[subject]

    def _much_alike(self, drawn: Inputs) -> Inputs:
        """``drawn``, mixed with the first inputs if that is possible input and has other results than those."""
        first, batch = self[""], _batch(drawn)
        if batch < 2 or not _is_alike(first, drawn):
            return drawn
        use, reference = use_of(self.task, self.case), Subject(self.task.definition.compiled(), self.task.tools)
        before = list(observe_with(use, reference, first))
        if not all(isinstance(one.value, Tensor) and one.value.is_floating_point() for one in before):
            return drawn  # of names, truth values and indices one changed row says too little
        for mixed in _mixed(first, drawn, batch):
            got = list(observe_with(use, reference, mixed))
            if any(one.kind in ENDS for one in got):
                return drawn
            if any(not alike(one.value, other.value) for one, other in zip(before, got, strict=False)):
                return mixed
        return drawn


def _mixed(inputs: Inputs, other: Inputs, batch: int) -> Iterator[Inputs]:
    """The inputs with one row of the others, each row in turn, from the middle on."""
    for row in (*range(batch // 2, batch), *range(batch // 2)):
        mixed = deepcopy(inputs)
        for name, value in mixed.items():
            if _rows(value) == batch:
                value[row] = other[name][row]
        yield mixed


def _batch(inputs: Inputs) -> int:
    """The most frequent number of rows; 0 if nothing has rows."""
    counts = Counter(filter(None, map(_rows, inputs.values())))
    return counts.most_common(1)[0][0] if counts else 0


def _rows(value: Any) -> int:
    if isinstance(value, Tensor):
        return value.size(0) if value.dim() else 0
    return len(value) if type(value) is list else 0


def _is_alike(inputs: Inputs, other: Inputs) -> bool:
    shapes = [
        {name: value.shape if isinstance(value, Tensor) else _rows(value) for name, value in side.items()}
        for side in (inputs, other)
    ]
    return shapes[0] == shapes[1]


def _drawn(task: Task, case: Case, again: str) -> Inputs:
    """The inputs of a case; ``again`` names another draw of the same sizes."""
    given = {**task.sizes, **case.given}
    if task.inputs is None:
        return deepcopy(given)
    draw = Draw(f"{task.id} {case.words} {sorted(case.given)} {again}", case.dtype)
    return task.inputs(draw, **_wanted(task.inputs, given, skip=1))


def use_of(task: Task, case: Case) -> Use:
    return Use(
        labels=tuple(task.results),
        again=bool(case.again),
        gradients=bool(case.gradients),
        unchanged=task.unchanged,
        pull=pull,
        play=task.play,
        reading=task.reading,
        making=_making(task, task.reference, case),
        tools=tuple(_making(task, tool, case) for tool in task.tools),
    )


def pull(label: str) -> torch.Generator:
    return generator(f"pull {label}")


def _making(task: Task, reference: Callable[..., Any], case: Case) -> Making | None:
    """How the reference's class, and so an answer's, is built in this case."""
    if not inspect.isclass(reference):
        return None
    arguments = _wanted(reference, {**task.sizes, **case.given})
    name, double = reference.__name__, case.dtype == torch.float64
    if not issubclass(reference, torch.nn.Module):
        return Making(name, tuple(arguments.values()))
    weights = None
    with suppress(Exception):  # a case may expect an error when the object is built
        weights = _weights(reference, tuple(arguments.items()), case.dtype, task.id, expect.seed)  # type: ignore[arg-type]
    return Making(name, tuple(arguments.values()), weights, double)


@lru_cache(maxsize=64)
def _weights(
    reference: type[torch.nn.Module], arguments: tuple[tuple[str, Any], ...], dtype: torch.dtype, name: str, seed: int
) -> dict[str, Tensor]:
    """Random weights under the reference's names; integer and boolean buffers keep their values."""
    draw = generator(f"weights {name} {reference.__name__} {arguments}")
    return {
        key: (0.7 * torch.randn(old.shape, generator=draw)).to(dtype) if old.is_floating_point() else old
        for key, old in reference(**dict(arguments)).state_dict().items()
    }


def _wanted(function: Callable[..., Any], given: Mapping[str, Any], skip: int = 0) -> dict[str, Any]:
    """The entries that the function takes as parameters."""
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    if any(one.kind is one.VAR_KEYWORD for one in parameters) and not inspect.isclass(function):
        return dict(given)
    return {one.name: given[one.name] for one in parameters if one.name in given}
