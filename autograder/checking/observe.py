"""What an answer does in one case: results, arguments afterwards, repeated calls, gradients, or its exception.

Depends on neither task nor reference, so that it can run where the answer is: in the notebook or in the sandbox.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.threads import threads_end
from autograder.checking.values import named, plain
from autograder.checking.watched import GivenModule, Watched
from autograder.expect import CheckFailed
from autograder.tracebacks import AnswerError, is_infrastructure, kinds_of, line_of
from autograder.vjp import pullback

Inputs = dict[str, Any]
Play = Callable[..., Any]
Reading = Callable[[SimpleNamespace, Any], Iterator[tuple[str, Any]]]  # of the inputs and the answer's result


@dataclass(frozen=True)
class Raised:
    """An exception raised by the answer."""

    kind: str
    detail: str = ""
    line: str = ""
    kinds: tuple[str, ...] = ()  # its class and its base classes

    @property
    def unwritten(self) -> bool:
        return self.kind == "NotImplementedError" and self.detail in ("", "not written yet")


@dataclass(frozen=True)
class Seen:
    """One observation; a check does not distinguish two answers whose observations are all alike."""

    kind: str  # "value", "argument", "gradient", "raised" or "unfit"
    label: str
    value: Any
    phase: str = ""  # "" for the first call, else which of the repeated ones


@dataclass(frozen=True)
class Subject:
    """An answer or the reference, with the tools it is used with."""

    answer: Callable[..., Any]
    tools: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Making:
    """How to build an object of the answer's class, and its weights; None if it is not a module."""

    name: str
    arguments: tuple[Any, ...] = ()
    weights: Mapping[str, Tensor] | None = None
    double: bool = False


@dataclass(frozen=True)
class Use:
    """How an answer is used in one case, apart from its inputs."""

    labels: tuple[str, ...]  # of its results
    again: bool  # repeat calls
    gradients: bool
    unchanged: bool  # arguments must stay unchanged
    pull: Callable[[str], torch.Generator]  # draws the upstream gradient of a result for the backward pass
    play: Play | None = None  # uses the answer and yields (label, result); None: call the answer with all inputs
    making: Making | None = None  # if the answer is a class
    tools: tuple[Making | None, ...] = field(default=())  # the same for each tool
    reading: Reading | None = None  # what the check makes of the one result, in the process of the check

    @property
    def returned(self) -> tuple[str, ...]:
        """The labels of what the answer itself returns."""
        return self.labels if self.reading is None else self.labels[:1]


FIRST, SECOND, REPEATED = "the first call", "a second call", "the first call repeated"  # on one object
CHANGED = "a call after the same tensors and weights have changed, a module in eval mode"
SECOND_DRAW = "second"
_MUTABLE = (Tensor, list, dict)
ENDS = ("raised", "unfit")  # kinds of observations after which nothing follows


def observe(use: Use, subject: Subject, draws: Mapping[str, Inputs], theirs: bool = False) -> Iterator[Seen]:
    """Yields all observations and stops after the first exception. ``theirs``: the subject is a learner's answer.

    ``draws``: the inputs under "", and other inputs of the same sizes under SECOND_DRAW.
    """
    inputs, subject = _copied(draws[""]), _watched(use, subject)
    for seen in _seen(use, subject, inputs, theirs):
        yield seen
        if seen.kind in ENDS:
            return
    yield from _arguments(use, subject, inputs)
    if use.again:
        yield from _repeated(use, subject, draws, theirs)
    if use.gradients:
        yield from _gradients(use, subject, draws[""], theirs)


def observe_briefly(use: Use, subject: Subject, draws: Mapping[str, Inputs], theirs: bool = False) -> Iterator[Seen]:
    """Enough to recognise a right answer, with fewer calls: repeated or gradient calls replace the plain one.

    Too little to diagnose a wrong answer; use :func:`observe` for that.
    """
    if use.again:
        yield from _repeated(use, subject, draws, theirs, brief=True)
    if use.gradients:
        yield from _gradients(use, subject, draws[""], theirs, brief=True)
    if not (use.again or use.gradients):
        yield from observe(use, subject, draws, theirs)


def observe_with(use: Use, subject: Subject, inputs: Inputs, theirs: bool = False) -> Iterator[Seen]:
    """The results for these inputs."""
    yield from _seen(use, subject, _copied(inputs), theirs)


def _arguments(use: Use, subject: Subject, inputs: Inputs, leaves: bool = False) -> Iterator[Seen]:
    """The arguments after a call, if they must stay unchanged; of modules the names of what has changed."""
    if use.unchanged:
        mutable = ((name, value) for name, value in inputs.items() if isinstance(value, _MUTABLE))
        yield from (Seen("argument", name, _argument(value, leaves)) for name, value in mutable)
        if isinstance(subject.answer, Watched | _Made):
            yield from (Seen("argument", module.name, module.changed()) for module in subject.answer.modules)


def _argument(value: Any, leaves: bool) -> Any:
    if isinstance(value, Tensor) and value.requires_grad != (leaves and value.is_floating_point()):
        return "requires_grad"
    return plain(value)


def _watched(use: Use, subject: Subject) -> Subject:
    """The subject, whose modules among its arguments are watched; a class is given none when its methods are called."""
    return subject if use.making else replace(subject, answer=Watched(subject.answer))


def _seen(
    use: Use, subject: Subject, inputs: Inputs, theirs: bool, phase: str = "", grad: bool = False
) -> Iterator[Seen]:
    """The results of one use of the answer, as the check reads them."""
    kept = {} if use.reading is None else _copied(inputs)  # an answer may change them before they are read
    seen = _noted(use, partial(_played, use, subject, inputs), theirs, phase, grad)
    return read(use, {"": kept, SECOND_DRAW: kept}, seen if grad else map(_plain, seen))


def _plain(seen: Seen) -> Seen:
    return replace(seen, value=plain(seen.value)) if seen.kind == "value" else seen


def read(use: Use, draws: Mapping[str, Inputs], seen: Iterable[Seen]) -> Iterator[Seen]:
    """What the check makes of the results that were seen, here or in another process."""
    for result in seen:
        if use.reading is None or result.kind != "value":
            yield result
            continue
        given = SimpleNamespace(**_copied(draws[SECOND_DRAW if result.phase in (SECOND, CHANGED) else ""]))
        for reading in _noted(use, partial(use.reading, given, result.value), True, result.phase):
            yield reading
            if reading.kind in ENDS:
                return


def _noted(
    use: Use, played: Callable[[], Iterator[tuple[str, Any]]], theirs: bool, phase: str = "", grad: bool = False
) -> Iterator[Seen]:
    """The labelled values as observations, until an exception ends them."""
    labels = list(use.labels)
    try:
        with torch.set_grad_enabled(grad), threads_end():
            for label, value in played():
                labels = labels[labels.index(label) + 1 :] or labels if label in labels else labels
                yield Seen("value", label, value, phase)
    except CheckFailed as failure:
        yield Seen("unfit", failure.finding.what, failure, phase)
    except (Exception, SystemExit) as error:
        if theirs and is_infrastructure(error):
            raise
        yield Seen("raised", labels[0], raised(error), phase)


def _played(use: Use, subject: Subject, inputs: Inputs) -> Iterator[tuple[str, Any]]:
    answer = maker(use.making, subject.answer)
    if use.play is None:
        function = answer() if use.making else answer
        yield from named(function(*inputs.values()), *use.returned)
        return
    tools = [maker(making, tool) for making, tool in zip(use.tools, subject.tools, strict=False)]
    result = use.play(answer, SimpleNamespace(**inputs), *tools)
    if not inspect.isgenerator(result):
        result = named(result, *use.returned)
    yield from result


def maker(making: Making | None, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Builds the answer's module with this case's weights, which the reference's module has too.

    ``answer(*parts)`` builds it from parts that the exercise provides, if it needs more than sizes.
    """
    if making is None or isinstance(answer, _Made):
        return answer
    return _Made(making.name, partial(_built, answer, making))


class _Made:
    """``answer()`` builds a new module each time, or returns the same one if calls are repeated."""

    def __init__(self, name: str, build: Callable[..., Any], keep: bool = False) -> None:
        self.name, self.build, self.keep, self.kept = name, build, keep, None
        self.modules: list[GivenModule] = []  # the one that is kept, and what it held before its first call

    def __call__(self, *parts: Any) -> Any:
        if not self.keep:
            return self.build(*parts)
        if self.kept is None:
            self.kept = self.build(*parts)
            if isinstance(self.kept, torch.nn.Module):
                self.modules.append(GivenModule.of(self.kept, self.name))
        return self.kept


def _built(answer: Callable[..., Any], making: Making, *parts: Any) -> Any:
    module = answer(*(parts or making.arguments))
    if making.weights is None:
        return module
    if not hasattr(module, "state_dict"):
        raise CheckFailed(f"{making.name}(…)", f"a {type(module).__name__}", "a module", mistake="not_a_module")
    found, wanted = (
        {key: tuple(value.shape) for key, value in side.items()} for side in (module.state_dict(), making.weights)
    )
    if found != wanted:
        texts = [", ".join(f"{key} {shape}" for key, shape in side.items()) or "none" for side in (found, wanted)]
        raise CheckFailed("parameters", texts[0], texts[1], "leave `__init__` as it was given", mistake="parameters")
    if making.double:
        module.double()
    module.load_state_dict(making.weights)
    return module


def _kept(use: Use, subject: Subject) -> Subject:
    """The subject with one object for all calls."""
    made = maker(use.making, subject.answer)
    return replace(subject, answer=_Made(made.name, made.build, keep=True)) if isinstance(made, _Made) else subject


def _repeated(
    use: Use, subject: Subject, draws: Mapping[str, Inputs], theirs: bool, brief: bool = False
) -> Iterator[Seen]:
    """Calls one object or function with the first inputs, with others of the same sizes, and with the first again.

    Where arguments must stay unchanged, that call has the very ones of the first: a change shows in its results. All
    results are looked at after these calls: a later one may not change what an earlier one gave. A last call has the
    first arguments with other contents, and other weights: nothing that was kept fits.
    """
    subject, first = _watched(use, _kept(use, subject)), _copied(draws[""])
    phases = {FIRST: first, SECOND: _copied(draws[SECOND_DRAW])}
    phases[REPEATED] = first if use.unchanged else _copied(draws[""])
    calls: dict[str, list[Seen]] = {}
    for phase, inputs in phases.items():
        calls[phase] = list(_noted(use, partial(_played, use, subject, inputs), theirs, phase))
    for phase, results in calls.items():
        seen = list(read(use, draws, map(_plain, results)))
        yield from seen
        if any(one.kind in ENDS for one in seen):
            if phase == FIRST:  # an error that is required comes at every call
                again = [one for one in calls[REPEATED] if one.kind in ENDS] or calls[REPEATED][-1:]
                yield from map(_plain, again)
            return
        if brief:
            yield from _arguments(use, subject, phases[phase])
    with torch.no_grad():  # an answer may have made its arguments require gradients
        for module in subject.answer.modules if isinstance(subject.answer, _Made) else ():
            for parameter in module.module.eval().parameters():
                parameter.mul_(0.5)
        inputs = _with_contents(first, _copied(draws[SECOND_DRAW]))
    yield from _seen(use, subject, inputs, theirs, CHANGED)


def _with_contents(inputs: Inputs, others: Inputs) -> Inputs:
    """The other inputs, in the tensors of these where the sizes allow it."""
    for name, other in others.items():
        value = inputs.get(name)
        if isinstance(other, Tensor) and isinstance(value, Tensor) and value.shape == other.shape:
            others[name] = value.copy_(other)
    return others


def _gradients(use: Use, subject: Subject, inputs: Inputs, theirs: bool, brief: bool = False) -> Iterator[Seen]:
    """Gradients of the results at every floating-point argument and parameter; ``brief``: values too."""
    leaves = {name: _leaf(value) for name, value in inputs.items()}
    subject = _watched(use, _kept(use, subject))
    results: dict[str, list[tuple[str, Tensor]]] = {}  # label → the results of one backward pass
    for seen in _seen(use, subject, leaves, theirs, "with gradients", grad=True):
        if seen.kind != "value":
            yield seen
            return
        if brief:
            yield replace(seen, value=plain(seen.value))
        together = "the results" if brief else seen.label  # random upstream gradients: errors do not cancel
        results.setdefault(together, []).extend((seen.label, one) for one in _tensors(seen.value))
    wanted = {name: one for name, one in leaves.items() if isinstance(one, Tensor) and one.requires_grad}
    if use.making is not None:
        wanted |= dict(subject.answer().named_parameters())
    elif isinstance(subject.answer, Watched):
        wanted |= subject.answer.parameters()
    for label, pairs in results.items():
        graph = [(name, one) for name, one in pairs if one.is_floating_point() and one.requires_grad]
        if not graph:
            yield Seen("gradient", label, None)
            continue
        pulls = [torch.randn(one.shape, generator=use.pull(name)).to(one.dtype) for name, one in graph]
        try:
            reached = pullback([one for _, one in graph], list(wanted.values()), pulls)
        except (Exception, SystemExit) as error:
            if theirs and is_infrastructure(error):
                raise
            yield Seen("raised", f"the backward pass of {label}", raised(error), "with gradients")
            return
        yield Seen("gradient", label, dict(zip(wanted, reached, strict=True)))
    yield from _arguments(use, subject, leaves, leaves=True)  # which the backward pass may have changed


def raised(error: BaseException) -> Raised:
    kind, detail, line = line_of(error)
    kinds = error.kinds if isinstance(error, AnswerError) else kinds_of(error)
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


def _copied(inputs: Inputs) -> Inputs:
    return {name: value.clone() if isinstance(value, Tensor) else deepcopy(value) for name, value in inputs.items()}
