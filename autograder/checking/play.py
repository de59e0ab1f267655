"""Plays one case with an answer: results, arguments afterwards, repeated calls, gradients, or its exception.

Depends on neither task nor reference, so that it can run where the answer is: in the notebook or in the sandbox.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.devices import two_devices
from autograder.checking.equal import EXACT, equal
from autograder.checking.observation import (
    CHANGED,
    FIRST,
    OTHER_DRAW,
    REPEATED,
    REWEIGHTED,
    SECOND,
    Arguments,
    Candidate,
    Constructor,
    Observation,
    Raised,
    Usage,
)
from autograder.checking.surroundings import GivenModule, Watched, threads_end
from autograder.checking.values import atoms, named, plain
from autograder.checking.wording import with_article
from autograder.finding import CheckFailed
from autograder.tracebacks import AnswerError, is_infrastructure, kinds_of, line_of
from autograder.vjp import pullback

Draws = Mapping[str, Arguments]  # the inputs of a case under "", and others of the same sizes under OTHER_DRAW


def play(
    usage: Usage, candidate: Candidate, draws: Draws, theirs: bool = False, brief: bool = False
) -> Iterator[Observation]:
    """Yields all observations and stops after the first exception.

    theirs: the candidate is a learner's answer.
    brief: enough to recognise a right answer, with fewer calls, as repeated or gradient calls replace the plain one;
        too little to say what is wrong with another.
    """
    brief = brief and (usage.again or usage.gradients)
    if not brief:
        inputs, candidate = _copied(draws[""]), _watched(usage, candidate)
        for observation in _results(usage, candidate, inputs, theirs):
            yield observation
            if observation.ends:
                return
        yield from _arguments(usage, candidate, inputs, draws[""])
    if usage.again:
        yield from _repeated(usage, candidate, draws, theirs, brief)
    if usage.gradients:
        yield from _gradients(usage, candidate, draws[""], theirs, brief)


def read(usage: Usage, draws: Draws, observations: Iterable[Observation]) -> Iterator[Observation]:
    """What the check makes of the results that were observed, in this process or in another."""
    for result in observations:
        if usage.reading is None or result.kind != "value":
            yield result
            continue
        given = SimpleNamespace(**_copied(draws[OTHER_DRAW if result.phase in (SECOND, CHANGED) else ""]))
        for reading in _noted(usage, partial(usage.reading, given, result.value), True, result.phase):
            yield reading
            if reading.ends:
                return


def raised(error: BaseException) -> Raised:
    kind, detail, line = line_of(error)
    detail = two_devices(error) or detail
    kinds = error.kinds if isinstance(error, AnswerError) else kinds_of(error)
    return Raised(kind, detail, line, kinds)


def _results(
    usage: Usage, candidate: Candidate, inputs: Arguments, theirs: bool, phase: str = "", grad: bool = False
) -> Iterator[Observation]:
    """The results of one use of the answer, as the check reads them."""
    before = {} if usage.reading is None else _copied(inputs)  # an answer may change them before they are read
    observations = _noted(usage, partial(_called, usage, candidate, inputs), theirs, phase, grad)
    return read(usage, {"": before, OTHER_DRAW: before}, observations if grad else map(_plain, observations))


def _plain(observation: Observation) -> Observation:
    return replace(observation, value=plain(observation.value)) if observation.kind == "value" else observation


def _noted(
    usage: Usage, results: Callable[[], Iterator[tuple[str, Any]]], theirs: bool, phase: str = "", grad: bool = False
) -> Iterator[Observation]:
    """The labelled values as observations, until an exception ends them."""
    labels = list(usage.labels)
    try:
        with torch.set_grad_enabled(grad), threads_end():
            for label, value in results():
                labels = labels[labels.index(label) + 1 :] or labels if label in labels else labels
                yield Observation("value", label, value, phase)
    except CheckFailed as failure:
        yield Observation("unfit", failure.finding.what, failure, phase)
    except (Exception, SystemExit) as error:
        if theirs and is_infrastructure(error):
            raise
        yield Observation("raised", labels[0], raised(error), phase)


def _called(usage: Usage, candidate: Candidate, inputs: Arguments) -> Iterator[tuple[str, Any]]:
    answer = _called_by(usage.constructor, candidate.answer)
    if usage.play is None:
        function = answer() if usage.constructor else answer
        yield from named(function(*inputs.values()), *usage.returned)
        return
    tools = [_called_by(*pair) for pair in zip(usage.tools, candidate.tools, strict=False)]
    result = usage.play(answer, SimpleNamespace(**inputs), *tools)
    if not inspect.isgenerator(result):
        result = named(result, *usage.returned)
    yield from result


class _Builder:
    """Builds the answer's object with this case's weights, which the reference's has too: a new one at each call.

    ``answer(*parts)`` builds it from parts that the exercise provides, if it needs more than sizes. ``once``: the first
    call's object is that of all calls.
    """

    def __init__(self, answer: Callable[..., Any], constructor: Constructor, once: bool = False) -> None:
        self.answer, self.constructor, self.once, self.built = answer, constructor, once, None
        self.modules: list[GivenModule] = []  # the one that is built once, and what it held before its first call

    def __call__(self, *parts: Any) -> Any:
        if self.built is None or not self.once:
            self.built = self.build(*parts)
            if self.once and self.constructor.weights is not None and isinstance(self.built, torch.nn.Module):
                self.modules.append(GivenModule.of(self.built, self.constructor.name))
        return self.built

    def build(self, *parts: Any) -> Any:
        name, weights = self.constructor.name, self.constructor.weights
        module = self.answer(*(parts or self.constructor.arguments))
        if weights is None:
            return module
        if not hasattr(module, "state_dict"):
            raise CheckFailed(f"{name}(…)", with_article(type(module).__name__), "a module", mistake="not_a_module")
        state = module.state_dict()
        got, wanted = ({key: tuple(value.shape) for key, value in side.items()} for side in (state, weights))
        if got != wanted:
            texts = [", ".join(f"{key} {shape}" for key, shape in side.items()) or "none" for side in (got, wanted)]
            why = "leave `__init__` as it was given"
            raise CheckFailed("parameters", texts[0], texts[1], why, mistake="parameters")
        matrices = {key: value for key, value in state.items() if value.dim() > 1 and value.numel() > 1}
        if alike := [key for key, value in matrices.items() if value.eq(value.flatten()[0]).all()]:
            why = "leave `__init__` as it was given: from equal numbers a layer cannot learn different ones"
            raise CheckFailed(alike[0], "one number everywhere", "numbers drawn at random", why, mistake="parameters")
        if self.constructor.double:
            module.double()
        module.load_state_dict(weights)
        return module


def _called_by(constructor: Constructor | None, answer: Callable[..., Any]) -> Callable[..., Any]:
    """What a play calls: the answer, or what builds its objects."""
    return answer if constructor is None or isinstance(answer, _Builder) else _Builder(answer, constructor)


def _watched(usage: Usage, candidate: Candidate, once: bool = False) -> Candidate:
    """The candidate, whose modules are watched; ``once``: one object for all calls, if it is a class.

    The modules are those among a function's arguments, and the one object of a class.
    """
    if usage.constructor is None:
        return replace(candidate, answer=Watched(candidate.answer))
    return replace(candidate, answer=_Builder(candidate.answer, usage.constructor, once=True)) if once else candidate


def _arguments(
    usage: Usage, candidate: Candidate, inputs: Arguments, before: Arguments, leaves: bool = False
) -> Iterator[Observation]:
    """Which arguments a call has changed, if they must stay as they were; with what has changed, if one is a module."""
    if not usage.unchanged:
        return
    names = (name for name, value in inputs.items() if _is_changed(before[name], value, leaves))
    changed: dict[str, list[str]] = {name: [] for name in names}
    if isinstance(candidate.answer, Watched | _Builder):
        changed |= {module.name: parts for module in candidate.answer.modules if (parts := module.changed())}
    yield Observation("arguments", "the arguments", changed)


def _is_changed(before: Any, value: Any, leaves: bool) -> bool:
    if not isinstance(value, Tensor):
        return isinstance(value, list | dict) and not equal(before, plain(value))
    learns = leaves and value.is_floating_point()
    return value.requires_grad != learns or not equal(before, value.detach(), EXACT)  # nothing computes it


def _repeated(usage: Usage, candidate: Candidate, draws: Draws, theirs: bool, brief: bool) -> Iterator[Observation]:
    """Calls one object or function with the first inputs, with others of the same sizes, and with the first again.

    Where arguments must stay unchanged, that call has the very ones of the first: a change shows in its results. All
    results are looked at after these calls: a later one may not change what an earlier one gave. Two last calls have
    the first arguments with other weights, and then with other contents too: nothing that was kept fits.
    """
    candidate, first = _watched(usage, candidate, once=True), _copied(draws[""])
    phases = {FIRST: first, SECOND: {name: _spread(value) for name, value in _copied(draws[OTHER_DRAW]).items()}}
    phases[REPEATED] = first if usage.unchanged else _copied(draws[""])
    calls: dict[str, list[Observation]] = {}
    for phase, inputs in phases.items():
        calls[phase] = list(_noted(usage, partial(_called, usage, candidate, inputs), theirs, phase))
    for phase, results in calls.items():
        observations = list(read(usage, draws, map(_plain, results)))
        yield from observations
        if any(result.ends for result in observations):
            if phase == FIRST:  # an error that is required comes at every call
                again = [result for result in calls[REPEATED] if result.ends] or calls[REPEATED][-1:]
                yield from map(_plain, again)
            return
        if brief:
            yield from _arguments(usage, candidate, phases[phase], draws[OTHER_DRAW if phase == SECOND else ""])
    modules = candidate.answer.modules if isinstance(candidate.answer, _Builder) else []
    with torch.no_grad():  # an answer may have made its arguments require gradients
        for given in modules:
            for parameter in given.module.eval().parameters():
                parameter.mul_(0.5)
    if modules and usage.unchanged:
        yield from _results(usage, candidate, first, theirs, REWEIGHTED)
    with torch.no_grad():
        inputs = _with_contents(first, _copied(draws[OTHER_DRAW]))
    yield from _results(usage, candidate, inputs, theirs, CHANGED)


def _with_contents(inputs: Arguments, others: Arguments) -> Arguments:
    """The other inputs, in the tensors of these where the sizes allow it, and in their lists."""
    for name, other in others.items():
        value = inputs.get(name)
        if isinstance(other, Tensor) and isinstance(value, Tensor) and value.shape == other.shape:
            others[name] = value.copy_(other)
        elif type(value) is type(other) is list:
            value[:] = other
            others[name] = value
    return others


def _gradients(
    usage: Usage, candidate: Candidate, inputs: Arguments, theirs: bool, brief: bool
) -> Iterator[Observation]:
    """Gradients of the results at every floating-point argument and parameter; ``brief``: values too."""
    leaves = {name: _leaf(value) for name, value in inputs.items()}
    with torch.enable_grad():
        given = _copied(leaves)  # results of an operation, as most tensors are that a model hands on
    candidate = _watched(usage, candidate, once=True)
    results: dict[str, list[tuple[str, Tensor]]] = {}  # label → the results of one backward pass
    for result in _results(usage, candidate, given, theirs, "with gradients", grad=True):
        if result.kind != "value":
            yield result
            return
        if brief:
            yield _plain(result)
        together = "the results" if brief else result.label  # random upstream gradients: errors do not cancel
        tensors = (atom for atom in atoms(result.value) if isinstance(atom, Tensor))
        results.setdefault(together, []).extend((result.label, tensor) for tensor in tensors)
    wanted = {name: leaf for name, leaf in leaves.items() if isinstance(leaf, Tensor) and leaf.requires_grad}
    if usage.constructor is not None:
        wanted |= dict(candidate.answer().named_parameters())
    elif isinstance(candidate.answer, Watched):
        wanted |= candidate.answer.parameters()
    for label, pairs in results.items():
        graph = [(name, tensor) for name, tensor in pairs if tensor.is_floating_point() and tensor.requires_grad]
        if not graph:
            yield Observation("gradient", label, None)
            continue
        pulls = [torch.randn(tensor.shape, generator=usage.pull(name)).to(tensor.dtype) for name, tensor in graph]
        try:
            reached = pullback([tensor for _, tensor in graph], list(wanted.values()), pulls)
        except (Exception, SystemExit) as error:
            if theirs and is_infrastructure(error):
                raise
            yield Observation("raised", f"the backward pass of {label}", raised(error), "with gradients")
            return
        yield Observation("gradient", label, dict(zip(wanted, reached, strict=True)))
    yield from _arguments(usage, candidate, given, inputs, leaves=True)  # which the backward pass may have changed


def _leaf(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().clone().requires_grad_(value.is_floating_point())
    return deepcopy(value)


def _spread(value: Any) -> Any:
    """A tensor with the same contents and a gap after each number in memory; ``view`` still works on it."""
    return torch.stack((value, value), -1)[..., 0] if isinstance(value, Tensor) and value.dim() else value


def _copied(inputs: Arguments) -> Arguments:
    return {name: value.clone() if isinstance(value, Tensor) else deepcopy(value) for name, value in inputs.items()}
