"""Prepares a case of a task: its inputs, drawn once, and how the answer is used with them."""

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from autograder import expect
from autograder.checking.draw import Draw
from autograder.checking.observe import Inputs, Making, Use
from autograder.checking.task import Case, Task
from autograder.expect import generator


class Draws(dict[str, Inputs]):
    """The inputs of one case; each draw is made once, on demand."""

    def __init__(self, task: Task, case: Case) -> None:
        super().__init__()
        self.task, self.case = task, case

    def __missing__(self, again: str) -> Inputs:
        return self.setdefault(again, _drawn(self.task, self.case, again))


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
