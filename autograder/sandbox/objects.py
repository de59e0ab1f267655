"""The learner's side of what crosses the wire: values by value, other objects by number."""

import importlib
import operator
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy
from torch import Tensor, nn

from autograder.sandbox.borrowed import Asking, Borrowed, borrowed
from autograder.sandbox.kinds import put_together, taken_apart
from autograder.sandbox.wire import Handle, Kind, Lent, Name

BASES = (str, bytes, int, float, complex, tuple)  # a learner's subclass of one of these is sent as its base


def content(value: Any) -> Any:
    """A learner's subclass of list, dict or set as the built-in type; anything else unchanged."""
    return next((base(value) for base in (list, dict, set, frozenset) if isinstance(value, base)), value)


BUILT_IN = (bool, len, iter, next, str, repr, format, int, float, abs, round, setattr)
OPERATORS: dict[str, Callable[..., Any]] = {one.__name__: one for one in (content, *BUILT_IN)}
OPERATORS |= {
    name: getattr(operator, name)
    for name in (
        *("getitem", "setitem", "delitem", "contains", "neg", "pos", "invert", "index"),
        *("eq", "ne", "lt", "le", "gt", "ge"),
        *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor"),
    )
}


class Objects:
    """The objects of one submission that the judge knows by number, and those that it has lent."""

    ask: Asking  # how to reach lent objects

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space
        self.kept: list[Any] = []
        self.numbers: dict[int, int] = {}  # id of a kept object → its number

    def materialise(self, value: Any, inputs: list[Tensor]) -> Any:
        """A value of the wire as the answer sees it; every received array is appended to ``inputs``."""
        if isinstance(value, Tensor):
            inputs.append(value)
            return value
        if isinstance(value, list | tuple):
            return type(value)(self.materialise(item, inputs) for item in value)
        if isinstance(value, dict):
            return {key: self.materialise(item, inputs) for key, item in value.items()}
        if isinstance(value, Name):
            return self.named(value.name)
        if isinstance(value, Handle):
            thing = self.kept[value.key]
            if value.state is not None:
                inputs.extend(load(thing, value.state))
            return thing
        if isinstance(value, Lent):
            return borrowed(value, self.ask, inputs)
        if isinstance(value, Kind):
            return self.made(value.name, self.materialise(value.parts, inputs))
        return value

    def named(self, name: str) -> Any:
        if name not in self.space:
            raise NameError(f"name {name!r} is not defined")
        return self.space[name]

    def made(self, name: str, parts: Any) -> Any:
        """What the judge sends by name: a library function, or an object of a class given by the exercise."""
        if name == "function":
            return getattr(importlib.import_module(parts[0]), parts[1])
        if name == "fields":
            kind = self.named(parts[0])
            made = kind.__new__(kind)
            for field, item in parts[1].items():
                object.__setattr__(made, field, item)
            return made
        if name == "member":
            return self.named(parts[0])[parts[1]]
        return put_together(name, parts)

    def portable(self, value: Any, outputs: list[Tensor]) -> Any:
        """A result as the wire can carry it; tensors that require gradients are appended to ``outputs``."""
        kind = type(value)
        if value is None or kind in (bool, int, float, str, bytes):
            return value
        if isinstance(value, Tensor):
            if value.requires_grad:
                outputs.append(value)
            return value
        if kind in (list, tuple):
            return kind([self.portable(item, outputs) for item in value])
        if kind is dict and all(type(key) is str for key in value):
            return {key: self.portable(item, outputs) for key, item in value.items()}
        if isinstance(value, nn.Module):
            return self.handle(value, state(value))
        if isinstance(value, Borrowed):
            return Lent(value._key, value._path)
        base = next((self.portable(one(value), outputs) for one in BASES if is_own(kind, one)), None)
        if base is None and (apart := taken_apart(value)) is not None:
            return Kind(apart.name, self.portable(apart.parts, outputs))
        if isinstance(value, Enum):
            return Kind("member", (kind.__name__, value.name, self.handle(value) if base is None else base))
        if is_dataclass(value) and not isinstance(value, type):
            held = {one.name: self.portable(getattr(value, one.name, None), outputs) for one in fields(value)}
            return Kind("fields", (kind.__name__, held, self.handle(value)))
        return self.handle(value) if base is None else base

    def handle(self, value: Any, state: dict[str, Tensor] | None = None) -> Handle:
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.kept)
            self.kept.append(value)
        return Handle(self.numbers[id(value)], type(value).__name__, state)


def is_own(kind: type, base: type) -> bool:
    if base is tuple and (hasattr(kind, "_fields") or kind.__module__.startswith("torch")):
        return False  # its fields have names
    return issubclass(kind, base) and kind not in (base, bool) and not issubclass(kind, numpy.generic)


def is_data(value: Any) -> bool:
    """Plain numbers, strings and booleans, in lists, tuples and dictionaries."""
    if type(value) in (list, tuple):
        return all(map(is_data, value))
    if type(value) is dict:
        return all(map(is_data, value.values()))
    return value is None or type(value) in (bool, int, float, str)


def state(module: nn.Module) -> dict[str, Tensor]:
    return dict(module.named_parameters()) | dict(module.named_buffers())


def load(module: nn.Module, values: dict[str, Tensor]) -> list[Tensor]:
    """Puts the judge's values into the module's own tensors, which are returned in the same order."""
    own = state(module)
    for name, value in values.items():
        own[name].data = value.data  # .data, because the dtype may change with it
        own[name].requires_grad_(value.requires_grad)
    return [own[name] for name in values]
