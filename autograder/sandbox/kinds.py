"""Values that cross the wire by value: each as the name of its kind and plain parts, rebuilt once these are checked.

Nothing is unpickled, and only names in the tables below are looked up. The sender takes a value apart and the
receiver puts it together; this file is mounted in the sandbox beside the worker.
"""

import builtins
import datetime as dates
import math
import pathlib
import re
from array import array
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import EllipsisType, MappingProxyType, NotImplementedType, SimpleNamespace
from typing import Any
from uuid import UUID

import numpy
import torch

from autograder.sandbox.wire import Kind

MAX_BYTES = 64 * 2**20  # that a short message may expand to
MAX_FIELDS = 100
MAX_RECORDS = 1000  # different classes of named tuples: each costs memory and time
FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}", re.ASCII)
TYPES = {kind.__name__: kind for kind in vars(builtins).values() if isinstance(kind, type)}
DTYPES = {str(kind): kind for kind in vars(torch).values() if isinstance(kind, torch.dtype)}
FACTORIES = {kind.__name__: kind for kind in (int, float, str, bool, list, tuple, dict, set)}
CONSTANTS = {"Ellipsis": Ellipsis, "NotImplemented": NotImplemented}
NUMBERS = re.compile(r"[<>|](?:b1|[iuf][0-9]{1,2}|c[0-9]{1,2}|[mM]8(?:\[[0-9]{0,9}[a-zA-Z]{1,2}\])?)", re.ASCII)
TEXTS = re.compile(r"[<>|]([US])([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True)
class Rule:
    """How values of some types are taken apart and built; ``built`` may raise for invalid parts."""

    types: tuple[type, ...]
    parts: Callable[[Any], Any]
    built: Callable[[Any], Any]


def _of(kind: type) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"not a {kind.__name__}")
        return value

    return checked


_whole = _of(int)


def _numbers(make: Callable[..., Any], count: int) -> Callable[[Any], Any]:
    def built(parts: Any) -> Any:
        first, *rest = (_whole(one) for one in _of(tuple)(parts))
        if len(rest) != count - 1:
            raise ValueError("wrong number of parts")
        return make(first, *rest)

    return built


def _iso(kind: Any) -> Callable[[Any], Any]:
    def built(parts: Any) -> Any:
        text, fold = parts
        return kind.fromisoformat(_of(str)(text)).replace(fold=_whole(fold))

    return built


def _typed(parts: Any) -> array:
    code, data = parts
    if code not in set("bBhHiIlLqQfd"):
        raise ValueError("not an array type code")
    return array(code, _of(bytes)(data))


def _with_default(parts: Any) -> defaultdict:
    factory, items = parts
    return defaultdict(None if factory is None else FACTORIES[factory], _of(dict)(items))


def _factory(value: defaultdict) -> str | None:
    made = value.default_factory
    return made.__name__ if made is not None and made in FACTORIES.values() else None


def _text(limit: int, make: Callable[[str], Any]) -> Callable[[Any], Any]:
    def built(text: Any) -> Any:
        if len(_of(str)(text)) > limit:
            raise ValueError("too long")
        return make(text)

    return built


_records: dict[tuple[str, ...], type] = {}


def _is_field(name: Any) -> bool:
    return type(name) is str and bool(FIELD.fullmatch(name))


def _record(parts: Any) -> Any:
    name, fields, values = parts
    key = (_of(str)(name), *fields)
    if key not in _records:
        if len(_records) >= MAX_RECORDS or len(key) > MAX_FIELDS or not all(map(_is_field, key)):
            raise ValueError("invalid names for a record")
        _records[key] = namedtuple(name, fields)  # rejects keywords and duplicate fields
    return _records[key](*values)


def fields_of(value: Any) -> tuple[str, ...] | None:
    """The field names of a named tuple or of one of torch.return_types; None for other values."""
    kind = type(value)
    names = getattr(kind, "_fields", None) or (kind.__match_args__ if kind.__module__ == "torch.return_types" else None)
    if type(names) is tuple and len(names) == len(value) and all(map(_is_field, (kind.__name__, *names))):
        return names
    return None


def _array_parts(value: numpy.ndarray) -> Any:
    value = numpy.asarray(value)
    kind, shape = value.dtype.kind, list(value.shape)
    if value.dtype.names:
        return "fields", shape, [(name, numpy.ascontiguousarray(value[name])) for name in value.dtype.names]
    if kind in "biufcmM":
        return value.dtype.str, shape, value.tobytes()
    return (value.dtype.str if kind in "US" else "objects"), shape, value.ravel().tolist()


def _array(parts: Any) -> numpy.ndarray:
    kind, shape, content = parts
    sizes = tuple(_whole(one) for one in _of(list)(shape))
    if len(sizes) > 8 or any(not 0 <= size <= MAX_BYTES for size in sizes):
        raise ValueError("impossible shape")
    count = math.prod(sizes)
    if kind == "fields":
        made = numpy.empty(sizes, dtype=[(name, column.dtype) for name, column in content])
        if count and made.nbytes > sum(column.nbytes for _, column in content):
            raise ValueError("an array larger than its columns")
        for name, column in content:
            made[name] = column
        return made
    if kind == "objects":
        made = numpy.empty(len(content), dtype=object)
        made[:] = content
        return made.reshape(sizes)
    if texts := TEXTS.fullmatch(_of(str)(kind)):
        text = str if texts[1] == "U" else bytes
        if int(texts[2]) * 4 * count > MAX_BYTES or any(type(one) is not text for one in content):
            raise ValueError("not the texts of an array")
        return numpy.array(content, dtype=kind).reshape(sizes)
    if not NUMBERS.fullmatch(kind):
        raise ValueError("not an array dtype")
    if kind[1:] == "b1":  # a bool other than 0 and 1 would be undefined behaviour
        return (numpy.frombuffer(_of(bytes)(content), dtype="u1") != 0).reshape(sizes)
    if not count:
        return numpy.empty(sizes, dtype=kind)
    return numpy.frombuffer(bytearray(_of(bytes)(content)), dtype=kind).reshape(sizes)


def _scalar(whole: Any) -> Any:
    if not isinstance(whole, numpy.ndarray) or whole.shape:
        raise TypeError("not a single number")
    return whole[()]


KEYS, VALUES, ITEMS = type(TYPES.keys()), type(TYPES.values()), type(TYPES.items())

KINDS = {
    "complex": Rule((complex,), lambda v: (v.real, v.imag), lambda p: complex(*map(_of(float), p))),
    "set": Rule((set,), list, lambda p: set(_of(list)(p))),
    "frozenset": Rule((frozenset,), list, lambda p: frozenset(_of(list)(p))),
    "range": Rule((range,), lambda v: (v.start, v.stop, v.step), _numbers(range, 3)),
    "slice": Rule((slice,), lambda v: (v.start, v.stop, v.step), lambda p: slice(*_of(tuple)(p))),
    "bytearray": Rule((bytearray,), bytes, lambda p: bytearray(_of(bytes)(p))),
    "memoryview": Rule((memoryview,), bytes, lambda p: memoryview(_of(bytes)(p))),
    "array.array": Rule((array,), lambda v: (v.typecode, v.tobytes()), _typed),
    "Fraction": Rule((Fraction,), lambda v: (v.numerator, v.denominator), _numbers(Fraction, 2)),
    "Decimal": Rule((Decimal,), str, _text(5000, Decimal)),
    "dict": Rule((dict,), lambda v: list(v.items()), lambda p: dict(_of(list)(p))),  # not all keys strings
    "Counter": Rule((Counter,), dict, lambda p: Counter(_of(dict)(p))),
    "OrderedDict": Rule((OrderedDict,), lambda v: list(v.items()), lambda p: OrderedDict(_of(list)(p))),
    "defaultdict": Rule((defaultdict,), lambda v: (_factory(v), dict(v)), _with_default),
    "ChainMap": Rule((ChainMap,), lambda v: list(v.maps), lambda p: ChainMap(*map(_of(dict), p))),
    "mappingproxy": Rule((MappingProxyType,), dict, lambda p: MappingProxyType(_of(dict)(p))),
    "SimpleNamespace": Rule((SimpleNamespace,), lambda v: dict(vars(v)), lambda p: SimpleNamespace(**_of(dict)(p))),
    "deque": Rule((deque,), lambda v: (list(v), v.maxlen), lambda p: deque(_of(list)(p[0]), p[1])),
    "keys": Rule((KEYS,), list, lambda p: dict.fromkeys(_of(list)(p)).keys()),
    "values": Rule((VALUES,), list, lambda p: dict(enumerate(_of(list)(p))).values()),
    "items": Rule((ITEMS,), list, lambda p: dict(_of(list)(p)).items()),
    "datetime": Rule((dates.datetime,), lambda v: (v.isoformat(), v.fold), _iso(dates.datetime)),
    "date": Rule((dates.date,), lambda v: (v.year, v.month, v.day), _numbers(dates.date, 3)),
    "time": Rule((dates.time,), lambda v: (v.isoformat(), v.fold), _iso(dates.time)),
    "timedelta": Rule((dates.timedelta,), lambda v: (v.days, v.seconds, v.microseconds), _numbers(dates.timedelta, 3)),
    "timezone": Rule((dates.timezone,), lambda v: v.utcoffset(None), lambda p: dates.timezone(_of(dates.timedelta)(p))),
    "Path": Rule((pathlib.PosixPath, pathlib.WindowsPath), str, _text(5000, pathlib.Path)),
    "PurePosixPath": Rule((pathlib.PurePosixPath,), str, _text(5000, pathlib.PurePosixPath)),
    "PureWindowsPath": Rule((pathlib.PureWindowsPath,), str, _text(5000, pathlib.PureWindowsPath)),
    "UUID": Rule((UUID,), lambda v: v.int, lambda p: UUID(int=_whole(p))),
    "constant": Rule((EllipsisType, NotImplementedType), repr, lambda p: CONSTANTS[p]),
    "torch.Size": Rule((torch.Size,), list, lambda p: torch.Size(map(_whole, p))),
    "torch.dtype": Rule((torch.dtype,), str, lambda p: DTYPES[p]),
    "torch.device": Rule((torch.device,), str, _text(40, torch.device)),
    "numpy": Rule((numpy.ndarray,), _array_parts, _array),
    "numpy.masked": Rule(
        (numpy.ma.MaskedArray,),
        lambda v: (numpy.ma.getdata(v), numpy.ma.getmaskarray(v)),
        lambda p: numpy.ma.MaskedArray(*map(_of(numpy.ndarray), p)),
    ),
    "number": Rule((), lambda v: numpy.array(v), _scalar),  # a numpy scalar
    "type": Rule((), lambda v: v.__name__, lambda p: TYPES[p]),
    "record": Rule((), lambda v: (type(v).__name__, fields_of(v), tuple(v)), _record),
}
NAMES = {kind: name for name, rule in KINDS.items() for kind in rule.types}


def taken_apart(value: Any) -> Kind | None:
    """The value as one of ``KINDS``, with parts still to be encoded; None if it is of no such kind."""
    kind = type(value)
    name = NAMES.get(kind)
    if name is None:
        if isinstance(value, numpy.generic):
            name = None if isinstance(value, numpy.void) else "number"
        elif isinstance(value, numpy.ndarray):
            name = "numpy"
        elif isinstance(value, tuple) and fields_of(value):
            name = "record"
        elif kind is type and TYPES.get(value.__name__) is value:
            name = "type"
    return None if name is None else Kind(name, KINDS[name].parts(value))


def put_together(name: str, parts: Any) -> Any:
    """The value built from its parts; raises ValueError if they do not fit the kind."""
    try:
        return KINDS[name].built(parts)
    except (ArithmeticError, LookupError, RuntimeError, TypeError, AttributeError) as error:
        raise ValueError(f"not the parts of a {name[:40]}: {type(error).__name__}") from None


def changed(value: Any, change: Callable[[torch.Tensor], Any]) -> Any:
    """A value of the wire with ``change`` applied to each tensor, in the same order at both ends."""
    match value:
        case torch.Tensor():
            return change(value)
        case list() | tuple():
            return type(value)(changed(item, change) for item in value)
        case dict():
            return {key: changed(item, change) for key, item in value.items()}
        case Kind():
            return Kind(value.name, changed(value.parts, change))
    return value


def tensors(value: Any) -> list[torch.Tensor]:
    """The tensors in a value of the wire."""
    found: list[torch.Tensor] = []
    changed(value, found.append)
    return found


def swapped(value: Any, others: Mapping[int, torch.Tensor]) -> Any:
    """A value of the wire with some tensors replaced; ``others`` maps ids to replacements."""
    return changed(value, lambda tensor: others.get(id(tensor), tensor))
