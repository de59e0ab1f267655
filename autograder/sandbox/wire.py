r"""The wire between judge and sandbox: frames of JSON plus raw array buffers, checked before use.

A frame is two 4-byte lengths (header, body), a JSON header, and the array buffers one after another.
Values are written as tagged lists, so that decoding builds only the few types named here: nothing is
unpickled, no name is looked up, and an array exists only after its dtype, shape and size have been checked
against its buffer. Other objects stay where they are, and are known by a number. This file is mounted in the sandbox
beside the worker and imports no other module of the project.
"""

import json
import math
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy
import torch
from torch import Tensor

MAX_HEADER = 16 * 2**20
MAX_BODY = 64 * 2**20
MAX_ARRAYS = 1024
MAX_DIMENSIONS = 8
MAX_DEPTH = 16
MAX_TEXT = 2 * 2**20
MAX_ITEMS = 100_000  # of one list, tuple or dictionary
MAX_WHOLE = 10**4000  # Python parses at most 4300 digits
BLOCK = 2**16
MAX_PARTS = 2 * 2**20  # brackets, braces, commas, colons in a header: each may become an object larger than its text

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16,
        torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
        torch.uint64, torch.uint32, torch.uint16, torch.complex128, torch.complex64,
    )
}  # fmt: skip
SEQUENCES: dict[str, Any] = {kind.__name__: kind for kind in (list, tuple, set, frozenset)}


class WireError(Exception):
    """The other side violated the protocol: its message is rejected."""


class Closed(Exception):
    """The other side is gone."""


class OutOfTime(Exception):
    """The other side did not answer before the deadline."""


class Deadline:
    """``seconds`` from now; at the end, ``more()`` says how many to add: if it returns 0, the deadline has expired."""

    def __init__(self, seconds: float, more: Callable[[], float] = lambda: 0.0) -> None:
        self.end, self.more = time.monotonic() + seconds, more

    def left(self) -> float:
        """Seconds left; 0 once the deadline has expired."""
        while (left := self.end - time.monotonic()) <= 0:
            if not (added := self.more()):
                return 0.0
            self.end += added
        return left


@dataclass(eq=False)
class Opaque:
    """Stands for a value that cannot cross the wire; names its type."""

    type_name: str

    def __repr__(self) -> str:
        return f"<a {self.type_name} that the wire does not carry>"


@dataclass(eq=False)
class Handle:
    """Stands for an object that stays on the learner's side."""

    key: int
    type_name: str


@dataclass(eq=False)
class Name:
    """Stands for an exported name of the notebook."""

    name: str


def encode(value: Any, buffers: list[bytes], depth: int = 0) -> list[Any]:
    """A value as tagged lists; arrays are appended to ``buffers``.

    Raises:
        WireError: :func:`decode` would not accept it.
    """
    kind = type(value)
    if depth > MAX_DEPTH:
        raise WireError(f"values nested deeper than {MAX_DEPTH}")
    if value is None:
        return ["none"]
    if kind is bool:
        return ["bool", value]
    if kind is int and abs(value) < MAX_WHOLE:
        return ["int", value]
    if kind is float:
        return ["float", value.hex()]
    if kind is str and len(value) <= MAX_TEXT:
        return ["text", value.encode("utf-8", "replace").decode()]
    if kind is complex:
        return ["complex", value.real.hex(), value.imag.hex()]
    if kind is bytes and len(value) <= MAX_TEXT:
        return ["bytes", value.hex()]
    if kind in (*SEQUENCES.values(), dict) and len(value) > MAX_ITEMS:
        raise WireError(f"a {kind.__name__} of {len(value)} items; at most {MAX_ITEMS} can be handed over")
    if kind in SEQUENCES.values():
        return [kind.__name__, [encode(item, buffers, depth + 1) for item in value]]
    if kind is dict:
        return ["dict", [[encode(part, buffers, depth + 1) for part in pair] for pair in value.items()]]
    if kind is numpy.ndarray and str(value.dtype) in DTYPES:
        return ["numpy", encode(torch.from_numpy(value.copy()), buffers, depth + 1)]
    if isinstance(value, Tensor) and value.device.type == "meta" and value.dtype in DTYPES.values():
        return ["meta", str(value.dtype).removeprefix("torch."), _sizes(list(value.shape))]
    if isinstance(value, Tensor) and value.layout is torch.strided and value.dtype in DTYPES.values():
        if value.numel() * value.dtype.itemsize > MAX_BODY:
            raise WireError(f"an array of shape {tuple(value.shape)}; at most {MAX_BODY} bytes can be handed over")
        known = value.view(torch.int16) if value.dtype == torch.bfloat16 else value  # numpy has no bfloat16
        buffers.append(known.numpy(force=True).tobytes())
        return ["array", str(value.dtype).removeprefix("torch."), _sizes(list(value.shape)), len(buffers) - 1]
    if kind is Handle:
        return ["handle", value.key, value.type_name]
    if kind is Name:
        return ["name", value.name]
    if isinstance(value, Tensor):
        return ["opaque", f"tensor of {value.dtype if value.layout is torch.strided else value.layout}"]
    return ["opaque", f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")[:200]]


def decode(tree: Any, buffers: list[memoryview | None], depth: int = 0) -> Any:
    """The value that ``encode`` wrote; raises WireError for anything that it could not have written.

    Each buffer is used once and then removed from ``buffers``: a thousand arrays from one buffer would need a
    thousand times its memory.
    """
    if depth > MAX_DEPTH:
        raise WireError(f"values nested deeper than {MAX_DEPTH}")
    if isinstance(tree, list) and len(tree) == 2 and isinstance(tree[1], list) and len(tree[1]) > MAX_ITEMS:
        raise WireError(f"{len(tree[1])} items in one value, more than {MAX_ITEMS}")
    match tree:
        case ["array", str(dtype), list(shape), int(index)]:
            return _array(dtype, shape, index, buffers)
        case ["none"]:
            return None
        case ["bool", bool(value)]:
            return value
        case ["text", str(text)]:
            return text.encode("utf-8", "replace").decode()  # lone surrogates could not be written as UTF-8 later
        case ["int", int(value)] if type(value) is int and abs(value) < MAX_WHOLE:
            return value
        case ["float", str(text)] if len(text) < 40:
            return float.fromhex(text)
        case ["complex", str(real), str(imaginary)] if len(real) < 40 and len(imaginary) < 40:
            return complex(float.fromhex(real), float.fromhex(imaginary))
        case [str(name), list(items)] if name in SEQUENCES:
            decoded = [decode(item, buffers, depth + 1) for item in items]
            return SEQUENCES[name](map(_hashable, decoded) if name.endswith("set") else decoded)
        case ["dict", list(items)]:
            if not all(isinstance(item, list) and len(item) == 2 for item in items):
                raise WireError("a dictionary entry is not a pair of a key and a value")
            pairs = ([decode(part, buffers, depth + 1) for part in item] for item in items)
            return {_hashable(key): value for key, value in pairs}
        case ["numpy", ["array", str(dtype), list(shape), int(index)]] if dtype != "bfloat16":
            return _array(dtype, shape, index, buffers).numpy()
        case ["meta", str(dtype), list(shape)]:
            return torch.empty(_sizes(shape), dtype=_dtype(dtype), device="meta")
        case ["bytes", str(text)]:
            return bytes.fromhex(text)
        case ["handle", int(key), str(type_name)]:
            return Handle(key, type_name[:200])
        case ["name", str(name)]:
            return Name(name)
        case ["opaque", str(type_name)]:
            return Opaque(type_name[:200])
    raise WireError(f"not an encoded value: {str(tree)[:80]}")


def _hashable(value: Any) -> Any:
    """The value, if it can be a key of a dictionary, or in a set."""
    try:
        hash(value)
    except TypeError as error:
        raise WireError(str(error)) from None
    return value


def parts(header: bytes | bytearray) -> int:
    """An upper bound on the objects that a header becomes."""
    return sum(map(header.count, (b"[", b"{", b",", b":")))


def _dtype(name: str) -> torch.dtype:
    if name not in DTYPES:
        raise WireError(f"arrays of dtype {name[:40]!r} cannot be handed over")
    return DTYPES[name]


def _sizes(shape: list[Any]) -> list[int]:
    if len(shape) > MAX_DIMENSIONS or any(type(size) is not int or not 0 <= size <= MAX_BODY for size in shape):
        raise WireError(f"impossible array shape {str(shape)[:80]}")
    return shape


def _buffer(index: int, buffers: list[memoryview | None]) -> memoryview:
    if type(index) is not int or not 0 <= index < len(buffers):
        raise WireError(f"a value refers to buffer {str(index)[:20]} of {len(buffers)}")
    buffer, buffers[index] = buffers[index], None
    if buffer is None:
        raise WireError(f"two values refer to buffer {index}")
    return buffer


def _array(dtype_name: str, shape: list[Any], index: int, buffers: list[memoryview | None]) -> Tensor:
    dtype, shape = _dtype(dtype_name), _sizes(shape)
    buffer, count = _buffer(index, buffers), math.prod(shape)
    if count * dtype.itemsize != len(buffer):
        raise WireError(f"array of shape {shape} and dtype {dtype_name} does not fit its buffer")
    if count == 0:
        return torch.empty(shape, dtype=dtype)
    if dtype is torch.bool:  # a bool other than 0 and 1 would be undefined behaviour
        return torch.frombuffer(bytearray(buffer), dtype=torch.uint8).view(shape) != 0
    return torch.frombuffer(bytearray(buffer), dtype=dtype).view(shape)


class Wire:
    """One end of the wire: sends and receives frames over a connected socket, each by a deadline.

    ``received`` counts the bytes received so far.
    """

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.received = 0
        self.unread = bytearray()  # received beyond the last frame

    def send(self, value: Any, deadline: Deadline | None = None) -> None:
        buffers: list[bytes] = []
        header = json.dumps([encode(value, buffers), list(map(len, buffers))], ensure_ascii=False).encode()
        body = b"".join(buffers)
        if parts(header) > MAX_PARTS:
            raise WireError(f"nested lists of too many numbers: more than {MAX_PARTS} parts")
        if len(header) > MAX_HEADER or len(body) > MAX_BODY or len(buffers) > MAX_ARRAYS:
            raise WireError(
                f"a message of {len(buffers)} arrays, {len(header)} + {len(body)} bytes; at most {MAX_ARRAYS} arrays, "
                f"{MAX_HEADER} + {MAX_BODY} bytes can be handed over"
            )
        view = memoryview(struct.pack("<II", len(header), len(body)) + header + body)
        while view:
            view = view[self._moved(deadline, partial(self.connection.send, view)) :]

    def receive(self, deadline: Deadline | None = None) -> Any:
        header_size, body_size = struct.unpack("<II", self._read(8, deadline))
        if header_size > MAX_HEADER or body_size > MAX_BODY:
            raise WireError(f"a message announces {header_size} + {body_size} bytes, more than are taken")
        self.received += 8 + header_size + body_size
        header, body = self._read(header_size, deadline), memoryview(self._read(body_size, deadline))
        if parts(header) > MAX_PARTS:
            raise WireError(f"a message of more than {MAX_PARTS} parts")
        try:
            match json.loads(header):
                case [tree, list(sizes)] if len(sizes) <= MAX_ARRAYS:
                    pass
                case _:
                    raise WireError("a message is not a value and its buffers")
            buffers: list[memoryview | None] = []
            for size in sizes:
                if type(size) is not int or not 0 <= size <= len(body):
                    raise WireError("the buffers of a message are longer than its body")
                buffers.append(body[:size])
                body = body[size:]
            if body:
                raise WireError("a message has bytes that belong to no buffer")
            return decode(tree, buffers)
        except (ValueError, OverflowError, RecursionError, RuntimeError, MemoryError) as error:
            raise WireError(f"unreadable message: {type(error).__name__}") from None

    def close(self) -> None:
        self.connection.close()

    def _read(self, size: int, deadline: Deadline | None) -> bytearray:
        data = self.unread
        while len(data) < size:
            wanted = min(max(BLOCK, size - len(data)), 16 * BLOCK)
            block = self._moved(deadline, partial(self.connection.recv, wanted))
            if not block:
                raise Closed("the other side is gone")
            data += block
        self.unread = data[size:]
        del data[size:]
        return data

    def _moved(self, deadline: Deadline | None, transfer: Callable[[], Any]) -> Any:
        """What ``transfer`` returns, by the deadline.

        After it, non-blocking transfers still succeed: on a busy machine this end may be the late one.
        """
        while True:
            left = None if deadline is None else deadline.left()
            try:
                self.connection.settimeout(left)
                return transfer()
            except BlockingIOError:
                raise OutOfTime from None
            except TimeoutError:
                continue  # the deadline may have been extended
            except OSError as error:
                raise Closed(str(error)) from None
