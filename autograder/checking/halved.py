"""Halves what a learner's earlier answers give, to see whether a later answer depends on them as it should."""

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor

Answer = Callable[..., Any]


def halved(function: Answer) -> Answer:
    """The function, with half of every number that it returns; whole numbers rounded down, as they may be indices."""

    @functools.wraps(function)
    def half(*args: Any, **kwargs: Any) -> Any:
        return _half(function(*args, **kwargs))

    return half


def _half(value: Any) -> Any:
    if (isinstance(value, Tensor) and value.is_floating_point()) or isinstance(value, float):
        return value / 2
    if (isinstance(value, Tensor) and not value.is_complex() and value.dtype.itemsize > 1) or type(value) is int:
        return value // 2
    if type(value) in (list, tuple):
        return type(value)(map(_half, value))
    return {key: _half(item) for key, item in value.items()} if type(value) is dict else value


@contextmanager
def calling_halved(answer: Answer, names: Sequence[str]) -> Iterator[None]:
    """The answer finds halved functions under these names, where it finds the functions otherwise."""
    space = _names_of(answer)
    before = {name: space[name] for name in names if callable(space.get(name)) and not isinstance(space[name], type)}
    space.update({name: halved(function) for name, function in before.items()})
    try:
        yield
    finally:
        space.update(before)


def _names_of(answer: Answer) -> dict[str, Any]:
    """The global names of a function, or of a class's first method."""
    methods = vars(answer).values() if isinstance(answer, type) else [answer]
    return next((method.__globals__ for method in methods if hasattr(method, "__globals__")), {})
