"""What an answer does in one case: results, arguments afterwards, repeated calls, gradients, or what it raised."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.blame import AnswerError, is_infrastructure, line_of
from autograder.checking.draw import Draw
from autograder.checking.task import Case, Task
from autograder.checking.values import named, plain
from autograder.expect import CheckFailed, current_seed, generator
from autograder.pullback import pullback


@dataclass(frozen=True)
class Raised:
    """An exception that came out of the answer."""

    kind: str
    detail: str = ""
    line: str = ""
    kinds: tuple[str, ...] = ()  # its class and those that it derives from

    @property
    def unwritten(self) -> bool:
        return self.kind == "NotImplementedError" and self.detail in ("", "not written yet")


@dataclass(frozen=True)
class Seen:
    """One thing that was looked at; two answers that are seen alike in everything are the same to a check."""

    kind: str  # "value", "argument", "gradient", "raised" or "unfit"
    label: str
    value: Any
    phase: str = ""  # "" the first call, else which of the repeated ones


@dataclass(frozen=True)
class Subject:
    """An answer, or the reference, and the tools that it is used with."""

    answer: Callable[..., Any]
    tools: tuple[Any, ...] = ()


def drawn(task: Task, case: Case, again: str = "") -> dict[str, Any]:
    """The arguments of a case; ``again`` names another draw of the same sizes."""
    given = {**task.sizes, **case.given}
    if task.inputs is None:
        return deepcopy(given)
    draw = Draw(f"{task.id} {case.words} {sorted(case.given)} {again}", case.dtype, case.device)
    return task.inputs(draw, **_wanted(task.inputs, given, skip=1))


class Draws(dict[str, dict[str, Any]]):
    """The arguments of one case, each draw of them made once."""

    def __init__(self, task: Task, case: Case) -> None:
        super().__init__()
        self.task, self.case = task, case

    def __missing__(self, again: str) -> dict[str, Any]:
        return self.setdefault(again, drawn(self.task, self.case, again))


def observe(
    task: Task, subject: Subject, case: Case, theirs: bool = False, draws: Draws | None = None
) -> Iterator[Seen]:
    """Everything, step by step; ends after the first exception. ``theirs``: the subject is a learner's answer."""
    draws = Draws(task, case) if draws is None else draws
    inputs = draws[""]
    own = _copied(inputs)
    for seen in _seen(task, subject, case, own, theirs):
        yield seen
        if seen.kind in ("raised", "unfit"):
            return
    if task.unchanged:
        yield from (Seen("argument", name, plain(own[name])) for name in inputs if isinstance(inputs[name], _MUTABLE))
    if case.again:
        yield from _repeated(task, subject, case, draws, theirs)
    if case.gradients:
        yield from _gradients(task, subject, case, inputs, theirs)


def observe_with(
    task: Task, subject: Subject, case: Case, inputs: dict[str, Any], theirs: bool = False
) -> Iterator[Seen]:
    """The results for these arguments, in place of the case's own."""
    yield from _seen(task, subject, case, _copied(inputs), theirs)


_MUTABLE = (Tensor, list, dict)

FIRST, SECOND, REPEATED = "the first call", "a second call", "the first call repeated"  # phases of one object


def _seen(
    task: Task, subject: Subject, case: Case, inputs: dict[str, Any], theirs: bool, phase: str = "", grad: bool = False
) -> Iterator[Seen]:
    """The results of one use of the answer."""
    labels = list(task.results)
    try:
        with torch.set_grad_enabled(grad):
            for label, value in _played(task, subject, case, inputs):
                labels = labels[labels.index(label) + 1 :] or labels if label in labels else labels
                yield Seen("value", label, value if grad else plain(value), phase)
    except CheckFailed as failure:
        yield Seen("unfit", failure.what, failure, phase)
    except (Exception, SystemExit) as error:
        if theirs and is_infrastructure(error):
            raise
        yield Seen("raised", labels[0], raised(error), phase)


def _played(task: Task, subject: Subject, case: Case, inputs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    answer = maker(task, subject.answer, task.reference, case) if task.is_class else subject.answer
    pairs = zip(subject.tools, task.tools, strict=False)
    tools = [maker(task, one, reference, case) if inspect.isclass(reference) else one for one, reference in pairs]
    if task.play is None:
        function = answer() if task.is_class else answer
        yield from named(function(*inputs.values()), *task.results)
        return
    result = task.play(answer, SimpleNamespace(**inputs), *tools)
    yield from result if inspect.isgenerator(result) else named(result, *task.results)


def maker(task: Task, answer: Callable[..., Any], reference: type, case: Case) -> Callable[[], Any]:
    """Builds the answer's module with the weights of this case, which are those of the reference's module too.

    ``answer(*parts)`` builds it of the parts that the exercise gives, where sizes are not all that it needs.
    """
    if isinstance(answer, _Made):
        return answer
    return _Made(partial(_built, answer, reference, {**task.sizes, **case.given}, case.dtype, task.id))


class _Made:
    """``answer()``: a new module each time, or, where calls are repeated, the same one."""

    def __init__(self, build: Callable[..., Any], keep: bool = False) -> None:
        self.build, self.keep, self.kept = build, keep, None

    def __call__(self, *parts: Any) -> Any:
        if not self.keep:
            return self.build(*parts)
        if self.kept is None:
            self.kept = self.build(*parts)
        return self.kept


def _built(
    answer: Callable[..., Any],
    reference: type,
    sizes: Mapping[str, Any],
    dtype: torch.dtype,
    name: str,
    *parts: Any,
) -> Any:
    arguments = _wanted(reference, sizes)
    module = answer(*(parts or arguments.values()))
    if not issubclass(reference, torch.nn.Module):
        return module
    weights = _weights(reference, tuple(arguments.items()), dtype, name, current_seed())
    if not hasattr(module, "state_dict"):
        raise CheckFailed(f"{reference.__name__}(…)", f"a {type(module).__name__}", "a module", mistake="not_a_module")
    found, wanted = (
        {key: tuple(value.shape) for key, value in side.items()} for side in (module.state_dict(), weights)
    )
    if found != wanted:
        texts = [", ".join(f"{key} {shape}" for key, shape in side.items()) or "none" for side in (found, wanted)]
        raise CheckFailed("parameters", texts[0], texts[1], "leave `__init__` as it was given", mistake="parameters")
    if dtype == torch.float64:
        module.double()
    module.load_state_dict(weights)
    return module


@lru_cache(maxsize=64)
def _weights(
    reference: type[torch.nn.Module], arguments: tuple[tuple[str, Any], ...], dtype: torch.dtype, name: str, seed: int
) -> dict[str, Tensor]:
    """Random ones under the names of the reference's; what is no real number, and so not learnt, as it is there."""
    draw = generator(f"weights {name} {reference.__name__} {arguments}")
    return {
        key: (0.7 * torch.randn(old.shape, generator=draw)).to(dtype) if old.is_floating_point() else old
        for key, old in reference(**dict(arguments)).state_dict().items()
    }


def _repeated(task: Task, subject: Subject, case: Case, draws: Draws, theirs: bool) -> Iterator[Seen]:
    """One object, or one function: other inputs of the same sizes, then the first ones again."""
    answer = subject.answer
    if task.is_class:
        once = maker(task, answer, task.reference, case)
        answer = _Made(once.build, keep=True)
    kept = replace(subject, answer=answer)
    for phase, again in ((FIRST, ""), (SECOND, "second"), (REPEATED, "")):
        for seen in _seen(task, kept, case, _copied(draws[again]), theirs, phase):
            yield seen
            if seen.kind in ("raised", "unfit"):
                return


def _gradients(task: Task, subject: Subject, case: Case, inputs: dict[str, Any], theirs: bool) -> Iterator[Seen]:
    """Of all results together, at every argument of real numbers and at every parameter."""
    leaves = {name: _leaf(value) for name, value in inputs.items()}
    made = None
    if task.is_class:
        made = _Made(maker(task, subject.answer, task.reference, case).build, keep=True)
        subject = replace(subject, answer=made)
    results: dict[str, list[Tensor]] = {}
    for seen in _seen(task, subject, case, leaves, theirs, "with gradients", grad=True):
        if seen.kind != "value":
            yield seen
            return
        results[seen.label] = [one for one in _tensors(seen.value) if one.is_floating_point()]
    wanted = {name: one for name, one in leaves.items() if isinstance(one, Tensor) and one.requires_grad}
    if made is not None:
        wanted |= dict(made().named_parameters())
    for label, tensors in results.items():
        graph = [one for one in tensors if one.requires_grad]
        if not graph:
            yield Seen("gradient", label, None)
            continue
        pulls = [torch.randn(one.shape, generator=generator(f"pull {label}")).to(one.dtype) for one in graph]
        try:
            reached = pullback(graph, list(wanted.values()), pulls)
        except (Exception, SystemExit) as error:
            if theirs and is_infrastructure(error):
                raise
            yield Seen("raised", f"the backward pass of {label}", raised(error), "with gradients")
            return
        yield Seen("gradient", label, dict(zip(wanted, reached, strict=True)))


def raised(error: BaseException) -> Raised:
    kind, detail, line = line_of(error)
    kinds = error.kinds if isinstance(error, AnswerError) else tuple(one.__name__ for one in type(error).__mro__)
    return Raised(kind, detail, line, kinds)


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [tensor for one in value for tensor in _tensors(one)] if isinstance(value, list | tuple) else []


def _leaf(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().clone().requires_grad_(value.is_floating_point())
    return deepcopy(value)


def _copied(inputs: dict[str, Any]) -> dict[str, Any]:
    return {name: value.clone() if isinstance(value, Tensor) else deepcopy(value) for name, value in inputs.items()}


def _wanted(function: Callable[..., Any], given: Mapping[str, Any], skip: int = 0) -> dict[str, Any]:
    """Those entries that the function asks for by name."""
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    if any(one.kind is one.VAR_KEYWORD for one in parameters) and not inspect.isclass(function):
        return dict(given)
    return {one.name: given[one.name] for one in parameters if one.name in given}
