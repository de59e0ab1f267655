"""Whatever comes over the wire: the value that was sent, or one of three errors, in time and within bounds."""

import json
import socket
import struct
import threading
import tracemalloc
from contextlib import suppress

import numpy
import pytest
import torch
from effort import efforts, fuzz, fuzzed
from hypothesis import strategies as st

from autograder.sandbox import wire
from autograder.sandbox.wire import Closed, Deadline, Handle, Name, OutOfTime, Wire, WireError, decode, encode

TENSORS = st.builds(
    lambda dtype, shape, seed: (torch.randn(shape, generator=torch.Generator().manual_seed(seed)) * 9).to(dtype),
    st.sampled_from(list(wire.DTYPES.values())),
    st.lists(st.integers(0, 4), max_size=4),
    st.integers(0, 99),
)
PLAIN = st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats() | st.text(max_size=20)
KEYS = st.none() | st.integers() | st.text(max_size=9) | st.binary(max_size=9)
KEYS |= st.tuples(KEYS, KEYS) | st.frozensets(KEYS, max_size=3)
LEAVES = PLAIN | TENSORS | KEYS | st.complex_numbers(allow_nan=False) | st.sets(KEYS, max_size=3)
LEAVES |= st.builds(Name, st.text(max_size=9)) | st.builds(Handle, st.integers(0, 99), st.text(max_size=9))
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=12,
)
TAGS = ["none", "bool", "int", "float", "text", "list", "tuple", "dict", "array", "handle", "name", "opaque", "pickle"]
TAGS += ["set", "frozenset", "complex", "bytes", "numpy"]
ODD = PLAIN | st.integers() | st.sampled_from(sorted(wire.DTYPES))
TREES = st.recursive(
    ODD,
    lambda inner: (
        st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)).map(lambda pair: [pair[0], *pair[1]])
        | st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=20,
)


def same(value, other):
    if isinstance(value, torch.Tensor):
        return value.dtype == other.dtype and value.shape == other.shape and bytes_of(value) == bytes_of(other)
    if isinstance(value, list | tuple):
        return type(value) is type(other) and len(value) == len(other) and all(map(same, value, other))
    if isinstance(value, dict):
        return list(value) == list(other) and all(same(value[key], other[key]) for key in value)
    if isinstance(value, Handle | Name):
        return type(value) is type(other) and all(same(vars(value)[key], vars(other)[key]) for key in vars(value))
    return type(value) is type(other) and (value == other or (value != value and other != other))


def bytes_of(tensor):
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def packed(header, body=b""):
    return struct.pack("<II", len(header), len(body)) + header + body


def frame(value):
    buffers = []
    tree = encode(value, buffers)
    return packed(json.dumps([tree, list(map(len, buffers))]).encode(), b"".join(buffers))


def received(data):
    """What arrives when these bytes and then nothing are sent: a value, or the kind of error."""
    left, right = socket.socketpair()
    with left, right:
        sender = threading.Thread(target=send, args=(left, data))
        sender.start()
        try:
            return Wire(right).receive(Deadline(600))
        except (WireError, Closed, OutOfTime) as error:
            return type(error)
        finally:
            right.close()
            sender.join()


def send(connection, data):
    with suppress(OSError):  # the other end has heard enough
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)


@fuzzed(100, value=VALUES)
def test_what_is_sent_arrives(value):
    assert same(received(frame(value)), value)


@fuzzed(150, tree=TREES, sizes=st.lists(st.integers(-1, 9), max_size=3))
def test_any_tree_is_a_value_or_refused(tree, sizes):
    try:
        value = decode(tree, [memoryview(bytes(max(size, 0))) for size in sizes])
    except (WireError, ValueError, OverflowError):
        return
    plain = None | bool | int | float | complex | str | bytes | list | tuple | set | frozenset | dict | numpy.ndarray
    assert isinstance(value, plain | torch.Tensor | Handle | Name | wire.Opaque)


SIZES = st.lists(st.integers(-1, 9) | ODD, max_size=3) | ODD
STARTS = [b"", struct.pack("<II", 20, 0), struct.pack("<II", 9, 9)]
FLIPS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=5)


def damaged(value, flips, end):
    data = bytearray(frame(value))
    for position, byte in flips:
        data[position % len(data)] = byte
    return bytes(data[: end % len(data)] if end % 2 else data)


def message(tree, sizes, body):
    return packed(json.dumps([tree, sizes]).encode(), body)


DATA = {
    "any message": st.builds(message, TREES | st.text(), SIZES, st.binary(max_size=20)),
    "any bytes": st.builds(bytes.__add__, st.sampled_from(STARTS), st.binary(max_size=100)),
    "a damaged frame": st.builds(damaged, VALUES, FLIPS, st.integers(0, 10**6)),
}


@efforts
@pytest.mark.parametrize("data", DATA)
def test_whatever_comes_is_a_value_or_an_error(data, effort):
    def receive(sent):
        received(sent)

    fuzz(receive, effort, 100, sent=DATA[data])


GREEDY = {
    "lists": b"[" + b"[]," * 40_000 + b"[]]",
    "objects": b"[" + b"{}," * 40_000 + b"{}]",
    "values": b'[["list",[' + b'["none"],' * 40_000 + b'["none"]]],[]]',
    "numbers": b"[" + b"0.5," * 90_000 + b"1]",
    "texts": b"[" + b'"ab",' * 90_000 + b"1]",
    "keys": b"[{" + b",".join(b'"%d":1' % number for number in range(45_000)) + b"}]",
    "depth": b"[" * 90_000,
    "one text": b'[["text","' + b"\\u20ac" * 300_000 + b'"],[]]',
}


@pytest.mark.parametrize("header", GREEDY.values(), ids=GREEDY.keys())
def test_a_frame_takes_no_more_memory_than_its_parts_allow(header, monkeypatch):
    monkeypatch.setattr(wire, "MAX_PARTS", 100_000)
    assert sum(map(header.count, (b"[", b"{", b",", b":"))) < wire.MAX_PARTS
    tracemalloc.start()
    try:
        received(packed(header))
        assert tracemalloc.get_traced_memory()[1] < 4 * len(header) + 120 * wire.MAX_PARTS
    finally:
        tracemalloc.stop()


def test_a_frame_of_very_many_parts_is_refused_and_a_long_text_of_nothing_but_commas_crosses():
    text = "," * 2**20
    assert received(frame(text)) == text
    header = b"[" + b"[]," * (wire.MAX_PARTS // 2) + b"[]]"
    assert received(packed(header)) is WireError
