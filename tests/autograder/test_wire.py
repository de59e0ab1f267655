"""The wire carries plain values and arrays exactly, and believes nothing else."""

import contextlib
import json
import math
import socket
import struct
import threading
import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.sandbox.wire import (
    DTYPES,
    MAX_BODY,
    MAX_HEADER,
    Closed,
    Deadline,
    Handle,
    Opaque,
    OutOfTime,
    Wire,
    WireError,
    decode,
    encode,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda items: st.lists(items) | st.lists(items).map(tuple) | st.dictionaries(st.text(), items),
    max_leaves=20,
)


@pytest.fixture
def ends():
    left, right = socket.socketpair()
    yield Wire(left), Wire(right)
    left.close()
    right.close()


def crossed(value):
    buffers = []
    tree = json.loads(json.dumps(encode(value, buffers)))
    return decode(tree, [memoryview(buffer) for buffer in buffers])


@given(VALUES)
def test_plain_values_come_out_as_they_went_in(value):
    assert crossed(value) == value


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3, 4)], ids=str)
def test_arrays_of_every_dtype_and_shape_come_out_as_they_went_in(dtype, shape):
    tensor = (torch.randn(shape) * 5).to(dtype)
    result = crossed({"x": tensor})["x"]
    assert result.dtype == dtype
    assert torch.equal(result, tensor)


def test_not_a_number_and_infinity_cross():
    assert math.isnan(crossed(float("nan")))
    assert crossed(-math.inf) == -math.inf


def test_a_view_crosses_as_its_own_values_alone():
    tensor = torch.arange(12.0).reshape(3, 4).T[1:3]
    assert torch.equal(crossed(tensor), tensor)


@pytest.mark.parametrize("dtype", [torch.long, torch.bfloat16, torch.complex64])
def test_one_number_of_an_array_crosses(dtype):
    tensor = torch.arange(6).to(dtype).view(2, 3)[:1, 1]
    assert torch.equal(crossed(tensor), tensor)


def test_whether_an_array_asks_for_gradients_crosses():
    leaf = torch.ones(2, requires_grad=True)
    assert crossed(leaf).is_leaf
    assert crossed(leaf).requires_grad
    assert not crossed(leaf * 2).is_leaf
    assert not crossed(torch.ones(2)).requires_grad


def test_what_the_wire_does_not_carry_arrives_as_its_type_name():
    class Secret:
        pass

    assert isinstance(crossed(Secret()), Opaque)
    assert crossed({1: 2}).type_name == "dict"
    assert crossed(torch.ones(2).to_sparse()).type_name == "torch.Tensor"


def test_a_tensor_subclass_arrives_as_a_plain_tensor():
    class Sly(torch.Tensor):
        def __eq__(self, other):
            return True

    assert type(crossed(torch.ones(3).as_subclass(Sly))) is torch.Tensor


FORGED = {
    "unknown tag": ["pickle", "cos\nsystem"],
    "unknown dtype": ["array", "complex32", [1], 0, ""],
    "object dtype": ["array", "object", [1], 0, ""],
    "shape larger than the buffer": ["array", "float32", [3], 0, ""],
    "shape smaller than the buffer": ["array", "float32", [1], 0, ""],
    "negative sizes that multiply to the right number": ["array", "float32", [-1, -2], 0, ""],
    "a huge shape": ["array", "float32", [2**40, 2**40], 0, ""],
    "a huge empty shape": ["array", "float32", [2**62, 0], 0, ""],
    "too many axes": ["array", "float32", [1] * 9, 0, ""],
    "a size that is true": ["array", "float32", [True, 2], 0, ""],
    "a buffer that is not there": ["array", "float32", [2], 1, ""],
    "a negative buffer": ["array", "float32", [2], -1, ""],
    "an int written as text": ["int", "7"],
    "a float that is code": ["float", "__import__('os')"],
    "a dictionary with a number for a key": ["dict", [[1, ["none"]]]],
    "a handle whose state is not arrays": ["handle", 0, "X", ["dict", [["w", ["int", 1]]]]],
    "nothing": [],
    "null": None,
}


@pytest.mark.parametrize("tree", FORGED.values(), ids=FORGED.keys())
def test_forged_values_are_refused(tree):
    with pytest.raises((WireError, ValueError)):
        decode(tree, [memoryview(bytes(8))])


def test_deep_nesting_is_refused():
    tree = ["none"]
    for _ in range(100):
        tree = ["list", [tree]]
    with pytest.raises(WireError, match="nested"):
        decode(tree, [])


def test_messages_cross_in_both_directions(ends):
    left, right = ends
    left.send({"x": torch.ones(2)})
    assert right.receive()["x"].tolist() == [1, 1]
    right.send(["back"])
    assert left.receive() == ["back"]


RAW = {
    "garbage": b"GET / HTTP/1.1\r\n\r\n" + b"x" * 80,
    "a header announced too large": struct.pack("<II", MAX_HEADER + 1, 0),
    "a body announced too large": struct.pack("<II", 2, MAX_BODY + 1) + b"{}",
    "not JSON": struct.pack("<II", 3, 0) + b"{]}",
    "JSON of another form": struct.pack("<II", 2, 0) + b"{}",
    "deep JSON": struct.pack("<II", 200_000, 0) + b"[" * 200_000,
    "a number of a million digits": struct.pack("<II", 1_000_000, 0) + b"9" * 1_000_000,
    "bytes that belong to no buffer": struct.pack("<II", 14, 4) + b'[["none"], []]' + b"abcd",
    "buffers longer than the body": struct.pack("<II", 15, 4) + b'[["none"], [9]]' + b"abcd",
}


@pytest.mark.parametrize("data", RAW.values(), ids=RAW.keys())
def test_forged_messages_are_refused(ends, data):
    left, right = ends
    sender = threading.Thread(target=left.connection.sendall, args=(data,))
    sender.start()
    with pytest.raises(WireError):
        right.receive(Deadline(5))
    right.close()
    left.close()
    sender.join()


@given(st.binary(max_size=200))
def test_random_bytes_end_in_one_of_three_ways(data):
    left, right = socket.socketpair()
    with left, right:
        left.sendall(data)
        left.shutdown(socket.SHUT_WR)
        with contextlib.suppress(WireError, Closed, OutOfTime):
            Wire(right).receive(Deadline(5))


def test_silence_ends_at_the_deadline(ends):
    start = time.monotonic()
    with pytest.raises(OutOfTime):
        ends[0].receive(Deadline(0.1))
    assert time.monotonic() - start < 2


def test_a_message_that_trickles_in_does_not_stretch_the_deadline(ends):
    left, right = ends

    def trickle():
        for byte in struct.pack("<II", 1000, 0) + b" " * 100:
            try:
                left.connection.send(bytes([byte]))
            except OSError:
                return
            time.sleep(0.02)

    thread = threading.Thread(target=trickle)
    thread.start()
    start = time.monotonic()
    with pytest.raises(OutOfTime):
        right.receive(Deadline(0.3))
    assert time.monotonic() - start < 1
    right.close()
    thread.join()


def test_the_other_side_gone_is_told_apart_from_nonsense(ends):
    ends[0].close()
    with pytest.raises(Closed):
        ends[1].receive(Deadline(1))


def test_too_large_a_value_is_refused_before_it_is_sent(ends):
    with pytest.raises(WireError, match="bytes"):
        ends[0].send(torch.zeros(MAX_BODY // 4 + 1))


def test_a_handle_carries_its_state(ends):
    ends[0].send(Handle(3, "Scorer", {"w": torch.ones(2, requires_grad=True)}))
    handle = ends[1].receive()
    assert (handle.key, handle.type_name) == (3, "Scorer")
    assert handle.state["w"].requires_grad


def test_lone_surrogates_become_question_marks():
    assert decode(["text", "a\ud800b"], []) == "a?b"
