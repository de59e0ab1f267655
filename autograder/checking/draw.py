"""The inputs of a case, drawn once by seed and name in the case's dtype, and how the answer is used with them."""

import hashlib
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from autograder.checking.equal import equal
from autograder.checking.observation import OTHER_DRAW, Arguments, Constructor, Observation, Usage
from autograder.checking.play import play
from autograder.checking.task import Case, Task

seed = 0  # chooses the inputs of this grading run; a notebook's is 0


def generator(name: str) -> torch.Generator:
    """Fresh random numbers for one purpose: the same for the same seed and name, whatever ran before."""
    digest = hashlib.sha256(f"{seed} {name}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


class Draw:
    """What a task's ``inputs`` draws from."""

    def __init__(self, name: str, dtype: torch.dtype = torch.float32) -> None:
        self.generator, self.dtype = generator(name), dtype

    def normal(self, *shape: int, scale: float = 1.0) -> Tensor:
        return (scale * torch.randn(shape, generator=self.generator)).to(self.dtype)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        return (low + (high - low) * torch.rand(shape, generator=self.generator)).to(self.dtype)

    def shares(self, *shape: int, mask: Tensor | None = None) -> Tensor:
        """Weights that sum to 1 over the last axis, none near 0 except where ``mask`` is False."""
        raw = 1.5 * torch.rand(shape, generator=self.generator)
        raw = raw if mask is None else raw.masked_fill(~mask, -torch.inf)
        return raw.softmax(-1).nan_to_num(0.0).to(self.dtype)

    def whole(self, low: int, high: int, *shape: int) -> Tensor:
        """Integers from ``low`` up to but excluding ``high``."""
        return torch.randint(low, high, shape, generator=self.generator)

    def integer(self, low: int, high: int) -> int:
        return int(torch.randint(low, high, (), generator=self.generator))

    def number(self, low: float = 0.0, high: float = 1.0) -> float:
        return low + (high - low) * float(torch.rand((), generator=self.generator, dtype=torch.float64))

    def order(self, count: int) -> list[int]:
        """0 … count - 1 in a random order."""
        return torch.randperm(count, generator=self.generator).tolist()

    def lengths(self, batch: int, longest: int) -> list[int]:
        """Sentence lengths: the first is ``longest``, the others are between 1 and that."""
        return [longest, *(self.integer(1, longest + 1) for _ in range(batch - 1))]

    def mask(self, lengths: list[int], width: int = 0, left: bool = False) -> Tensor:
        """True for a real token; ``left``: padding comes first."""
        mask = torch.arange(width or max(lengths)) < torch.tensor(lengths).unsqueeze(1)
        return mask.flip(-1) if left else mask


class Inputs(dict[str, Arguments]):
    """The inputs of one case; each draw is made once, on demand.

    Those of OTHER_DRAW have other results than the first ones wherever some can be found, and are as much like them as
    can be: an answer that knows inputs again by their sizes, or by a few of their numbers, takes them for the first.
    """

    def __init__(self, task: Task, case: Case) -> None:
        super().__init__()
        self.task, self.case = task, case
        self.other_words = case.words  # of the case whose inputs those of OTHER_DRAW are

    def __missing__(self, again: str) -> Arguments:
        drawn = _drawn(self.task, self.case, again)
        return self.setdefault(again, self._other(drawn) if again == OTHER_DRAW else drawn)

    def _other(self, drawn: Arguments) -> Arguments:
        """The first possible inputs that have other results than the case's own, from those most like these on."""
        usage, reference = usage_of(self.task, self.case).once, self.task.right
        before = list(play(usage, reference, self))
        if any(result.ends for result in before):
            return drawn
        for inputs, words in self._others(drawn, before):
            after = list(play(usage, reference, {"": inputs}))
            differ = any(not equal(result.value, other.value) for result, other in zip(before, after, strict=False))
            if differ and not any(result.ends for result in after):
                self.other_words = words
                return inputs
        return drawn

    def _others(self, drawn: Arguments, before: Sequence[Observation]) -> Iterator[tuple[Arguments, str]]:
        """Inputs, and the words of their case."""
        first, batch, words = self[""], _batch(drawn), self.case.words
        # of names, truth values and indices one changed row says too little
        are_numbers = all(isinstance(each.value, Tensor) and each.value.is_floating_point() for each in before)
        if are_numbers and batch > 1 and _is_alike(first, drawn):
            yield from ((mixed, words) for mixed in _mixed(first, drawn, batch))
        yield drawn, words
        yield {name: _reversed(value) for name, value in first.items()}, words
        kind = self.case.hidden, self.case.dtype
        cases = (case for case in self.task.cases if (case.hidden, case.dtype) == kind)
        others = ((_drawn(self.task, case, ""), case.words) for case in cases)
        yield from (other for other in others if _is_alike(first, other[0]))


def _reversed(value: Any) -> Any:
    """The rows in reverse order."""
    if isinstance(value, Tensor):
        return value.flip(0) if value.dim() else value
    return value[::-1] if type(value) is list else value


def _mixed(inputs: Arguments, other: Arguments, batch: int) -> Iterator[Arguments]:
    """The inputs with one row of the others, each row in turn, from the middle on."""
    for row in (*range(batch // 2, batch), *range(batch // 2)):
        mixed = deepcopy(inputs)
        for name, value in mixed.items():
            if _rows(value) == batch:
                value[row] = other[name][row - 1]
        yield mixed


def _batch(inputs: Arguments) -> int:
    """The most frequent number of rows; 0 if nothing has rows."""
    counts = Counter(filter(None, map(_rows, inputs.values())))
    return counts.most_common(1)[0][0] if counts else 0


def _rows(value: Any) -> int:
    if isinstance(value, Tensor):
        return value.size(0) if value.dim() else 0
    return len(value) if type(value) is list else 0


def _is_alike(inputs: Arguments, other: Arguments) -> bool:
    shapes = [
        {name: value.shape if isinstance(value, Tensor) else _rows(value) for name, value in side.items()}
        for side in (inputs, other)
    ]
    return shapes[0] == shapes[1]


def _drawn(task: Task, case: Case, again: str) -> Arguments:
    """The inputs of a case; ``again`` names another draw of the same sizes."""
    given = {**task.sizes, **case.given}
    if task.inputs is None:
        return deepcopy(given)
    draw = Draw(f"{task.id} {case.words} {sorted(case.given)} {again}", case.dtype)
    return task.inputs(draw, **_wanted(task.inputs, given, skip=1))


def usage_of(task: Task, case: Case) -> Usage:
    return Usage(
        labels=tuple(task.results),
        again=bool(case.again),
        gradients=bool(case.gradients),
        unchanged=task.unchanged,
        pull=pull,
        play=task.play,
        reading=task.reading,
        constructor=_constructor(task, task.reference, case),
        tools=tuple(_constructor(task, tool, case) for tool in task.tools),
    )


def pull(label: str) -> torch.Generator:
    return generator(f"pull {label}")


def _constructor(task: Task, reference: Callable[..., Any], case: Case) -> Constructor | None:
    """How the reference's class, and so an answer's, is built in this case."""
    if not inspect.isclass(reference):
        return None
    arguments = _wanted(reference, {**task.sizes, **case.given})
    name, double = reference.__name__, case.dtype == torch.float64
    if not issubclass(reference, torch.nn.Module):
        return Constructor(name, tuple(arguments.values()))
    weights = None
    with suppress(Exception):  # a case may expect an error when the object is built
        weights = _weights(reference, tuple(arguments.items()), case.dtype, task.id, seed)  # type: ignore[arg-type]
    return Constructor(name, tuple(arguments.values()), weights, double)


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
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters) and not inspect.isclass(function):
        return dict(given)
    return {parameter.name: given[parameter.name] for parameter in parameters if parameter.name in given}
