"""From plain data, as JSON has it, to the dataclass that it describes: nothing else is believed of what is read."""

import math
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin

Kind = TypeVar("Kind")


def typed(kind: type[Kind], data: object) -> Kind:
    """The value of this type that the data describes; what is declared as float must be finite and not negative.

    Raises:
        ValueError: it describes none: a value is of another type, or a field is missing or unknown.
    """
    try:
        return _typed(kind, data)
    except TypeError as error:  # of a dataclass that lacks a field
        raise ValueError(str(error)) from None


def _typed(kind: Any, data: Any) -> Any:
    if type(data) is kind and kind is not float:  # as most values are
        return data
    form, parts = get_origin(kind) or kind, get_args(kind)
    if isinstance(form, type) and is_dataclass(form) and isinstance(data, dict):
        types = {part.name: part.type for part in fields(form)}
        return form(**{name: _typed(types.get(name), value) for name, value in data.items()})
    if form is dict and isinstance(data, dict):
        return {_typed(parts[0], key): _typed(parts[1], value) for key, value in data.items()}
    if form in (list, tuple) and isinstance(data, list):
        return form(_typed(parts[0], item) for item in data)
    if kind is float:
        fits = type(data) in (int, float) and math.isfinite(data) and data >= 0
    elif form is Literal:
        fits = type(data) is str and data in parts
    else:
        fits = kind is Any or (form is UnionType and type(data) in parts)
    if not fits:
        raise ValueError(f"{str(data)[:80]!r} is no {getattr(kind, '__name__', kind)}")
    return data
