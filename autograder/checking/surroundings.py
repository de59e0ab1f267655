"""What is around a call of an answer: libraries, threads, the modules it is given, the earlier answers it calls."""

import _thread
import builtins
import functools
import inspect
import math
import operator
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from sys import _current_frames  # taken when this is imported: no answer has replaced it yet
from types import CodeType, FrameType, FunctionType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.rnn import RNNBase

from autograder.checking.equal import EXACT, equal
from autograder.checking.values import mapped
from autograder.finding import CheckFailed
from autograder.tracebacks import is_learners

LIBRARIES = (builtins, math, torch, nn, nn.functional, torch.linalg, torch.special)
ABSENT = object()
PATIENCE = 1.0  # seconds; a thread that the answer has waited for ends within microseconds
DATA = (Tensor, list, tuple, dict, int)  # what an example in a cell is made of, and a size
TIMED = threading.Timer.run.__code__  # waits in a library's code, and calls the learner's


def _classes() -> Iterator[type]:
    """Those that answers use most; subclasses of these look up what they do not define in them."""
    yield from (torch.Tensor, torch.Generator, torch.no_grad, torch.enable_grad, torch.set_grad_enabled, RNNBase)
    yield from (kind for kind in vars(nn).values() if inspect.isclass(kind) and issubclass(kind, nn.Module))


Installed = tuple[Any, tuple[str, ...], tuple[Any, ...]]  # an owner, names and what they stood for

INSTALLED: list[Installed] = [
    (owner, tuple(vars(owner)), tuple(vars(owner).values())) for owner in (*LIBRARIES, *_classes())
]


@contextmanager
def as_installed() -> Iterator[None]:
    """Undoes what has been replaced in the libraries, and torch's defaults, and does it again afterwards.

    An answer that is right only because ``Tensor.detach`` was replaced is wrong wherever else it is used.
    The inputs of a case have the dtype and the device that the case says, whatever a cell has made the default.
    """
    dtype, device = torch.get_default_dtype(), torch.empty(0).device
    torch.set_default_dtype(torch.float32)
    if device.type != "cpu":
        torch.set_default_device(None)
    replaced: list[tuple[Any, str, Any]] = []
    for owner, names, values in INSTALLED:
        current = vars(owner)
        if all(map(operator.is_, map(current.get, names), values)):  # never by ==, which a replacement may define
            continue
        for name, value in zip(names, values, strict=True):
            if (other := current.get(name, ABSENT)) is not value:
                with suppress(AttributeError, TypeError):  # what Python itself protects cannot have been replaced
                    setattr(owner, name, value)
                    replaced.append((owner, name, other))
    try:
        yield
    finally:
        for owner, name, other in replaced:
            delattr(owner, name) if other is ABSENT else setattr(owner, name, other)
        torch.set_default_dtype(dtype)
        if device.type != "cpu":
            torch.set_default_device(device)


@contextmanager
def threads_end() -> Iterator[None]:
    """Waits until the threads that an answer started have ended: what it does ends with its call.

    Threads of a library, such as the one that watches progress bars, may stay.

    Raises:
        CheckFailed: a thread that was started meanwhile still runs the learner's code.
    """
    before, count = set(_current_frames()), _thread._count()
    yield
    end = time.monotonic() + PATIENCE
    while (more := _thread._count() - count) > 0:
        started = [frame for number, frame in _current_frames().items() if number not in before]
        if len(started) >= more and not any(map(_is_learners, started)):
            return
        if time.monotonic() > end:
            why = "whatever it changes then comes too late, or too early for the next call: wait for it (`join`)"
            raise CheckFailed("the answer", "returned while a thread of its own still ran", "", why, "thread_left")
        time.sleep(0.001)


def _is_learners(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is TIMED or is_learners(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False


@dataclass(frozen=True)
class GivenModule:
    """A module that an answer was called with, or that is the answer, and what it held then."""

    name: str
    module: nn.Module
    before: Mapping[str, Tensor]
    learning: Mapping[str, bool]  # parameter → whether it requires gradients
    modes: Mapping[str, bool]  # part → whether it is in train mode

    @classmethod
    def of(cls, module: nn.Module, name: str = "") -> "GivenModule":
        state = {key: value.detach().clone() for key, value in module.state_dict().items()}
        return cls(name or type(module).__name__, module, state, _learning(module), _modes(module))

    def changed(self) -> list[str]:
        """Parameters and buffers that are new or gone, or have another value or ``requires_grad`` now; the mode."""
        before, after = self.before, self.module.state_dict()
        other = {name for name, value in after.items() if name in before and not equal(before[name], value, EXACT)}
        other |= {name for name, learns in _learning(self.module).items() if self.learning.get(name, learns) != learns}
        modes = {"the mode, train or eval"} if _modes(self.module) != self.modes else set()
        return sorted(other | (before.keys() ^ after.keys()) | modes)


def _modes(module: nn.Module) -> dict[str, bool]:
    return {name: part.training for name, part in module.named_modules()}


def _learning(module: nn.Module) -> dict[str, bool]:
    return {name: parameter.requires_grad for name, parameter in module.named_parameters()}


class Watched:
    """A function that notes which modules it is called with, such as the decoder that an exercise gives."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.modules: list[GivenModule] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for module in (*args, *kwargs.values()):
            if isinstance(module, nn.Module) and all(module is not given.module for given in self.modules):
                self.modules.append(GivenModule.of(module))
        return self.function(*args, **kwargs)

    def parameters(self) -> dict[str, Tensor]:
        return {
            f"{given.name}.{name}": parameter
            for given in self.modules
            for name, parameter in given.module.named_parameters()
            if parameter.requires_grad
        }


@contextmanager
def without(answer: Callable[..., Any], taken: Mapping[str, Sequence[str]]) -> Iterator[None]:
    """The answer finds something else where it finds its global names otherwise.

    ``taken``: under "halved" the names of functions that give :func:`half <halved>` as much, under "refused" of those
    that raise an exception; with "data" it finds no tensor, list or whole number, except for constants in capitals.
    """
    space = names_of(answer)
    names = {name for key in ("halved", "refused") for name in taken.get(key, ())}
    before = {name: space[name] for name in names if callable(space.get(name)) and not isinstance(space[name], type)}
    for key, instead in (("halved", halved), ("refused", _refused)):
        space.update({name: instead(before[name]) for name in taken.get(key, ()) if name in before})
    if "data" in taken:
        before |= (data := {name: space[name] for name in _read(answer, space) if isinstance(space[name], DATA)})
        for name in data:
            del space[name]
    try:
        yield
    finally:
        space.update(before)


def _refused(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise LookupError(function.__name__)

    return refuse


def _read(answer: Callable[..., Any], space: Mapping[str, Any]) -> set[str]:
    """The global names, not in capitals, that the answer reads."""
    names = {name for code in codes_of(answer, space) for name in code.co_names}
    return {name for name in names & {*space} if not name.isupper() and not name.startswith("_")}


def codes_of(answer: Callable[..., Any], space: Mapping[str, Any]) -> list[CodeType]:
    """The code of an answer and of the learner's functions that it calls."""
    methods = vars(answer).values() if isinstance(answer, type) else [answer]
    codes = [method.__code__ for method in methods if hasattr(method, "__code__")]
    names: set[str] = set()
    for code in codes:  # the list grows
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        functions = [space[name] for name in {*code.co_names} - names if isinstance(space.get(name), FunctionType)]
        codes += [function.__code__ for function in functions if function.__globals__ is space]
        names |= {*code.co_names}
    return codes


def halved(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with half of every number that it returns; whole numbers rounded down, as they may be indices."""

    @functools.wraps(function)
    def half(*args: Any, **kwargs: Any) -> Any:
        return mapped(_half, function(*args, **kwargs))

    return half


def _half(atom: Any) -> Any:
    if (isinstance(atom, Tensor) and atom.is_floating_point()) or isinstance(atom, float):
        return atom / 2
    is_whole = isinstance(atom, Tensor) and not atom.is_complex() and atom.dtype.itemsize > 1
    return atom // 2 if is_whole or type(atom) is int else atom


def names_of(answer: Callable[..., Any]) -> dict[str, Any]:
    """The global names of a function, or of a class's first method."""
    methods = vars(answer).values() if isinstance(answer, type) else [answer]
    return next((method.__globals__ for method in methods if hasattr(method, "__globals__")), {})
