"""The wire carries values and arrays exactly, and believes nothing else; what is said of them is said as printed."""

import contextlib
import json
import math
import socket
import struct
import threading

import numpy as np
import pytest
import torch

from autograder.judging.sanitise import alter, answer_error, outputs_of, printable
from autograder.sandbox import wire
from autograder.sandbox.wire import Deadline, Wire, WireError, decode, encode
from autograder.tracebacks import AnswerError

CROSS = [(1, [None, True]), {"é": {"a": -2.5}}, -math.inf, b"", b"short", bytes(range(256)) * 40, 10**3000, -(2**200)]
CROSS += [1 - 2j, {1, "a"}, frozenset([(1, None)]), {1: "a", (1, b"x"): {}, None: 0}]


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


def test_nested_values_bytes_large_whole_numbers_and_what_is_no_number_or_half_a_character_cross():
    assert [crossed(value) for value in CROSS] == CROSS
    assert math.isnan(crossed(math.nan))
    assert crossed("a\ud800b") == "a?b"
    for array in (np.arange(6.0).reshape(2, 3).T, np.array(3, np.uint16), np.array([1j, 2])):
        result = crossed(array)
        assert (type(result), result.dtype, result.shape) == (np.ndarray, array.dtype, array.shape)
        assert (result == array).all()


@pytest.mark.parametrize("dtype", wire.DTYPES.values(), ids=str)
def test_arrays_of_every_dtype_and_shape_come_out_as_they_went_in(dtype):
    for shape in [(), (0, 3), (2, 3, 4)]:
        tensor = (torch.randn(shape) * 5).to(dtype)
        result = crossed({"x": tensor})["x"]
        assert result.dtype == dtype
        assert torch.equal(result, tensor)
    for view in (tensor.transpose(0, 1)[1:3], tensor[:1, 1], tensor[0, 1, 2]):
        assert torch.equal(crossed(view), view)


class Sly(torch.Tensor):
    def __eq__(self, other):
        return True


def test_what_does_not_cross_arrives_as_its_type_name():
    assert type(crossed(torch.ones(3, requires_grad=True).as_subclass(Sly))) is torch.Tensor
    assert isinstance(crossed(object()), wire.Opaque)
    assert crossed(torch.ones(2).to_sparse()).type_name == "tensor of torch.sparse_coo"
    assert crossed(np.array(["a"])).type_name == "numpy.ndarray"


def nested(depth):
    return ["list", [nested(depth - 1)]] if depth else ["none"]


FORGED = {
    **{"unknown tag": ["pickle", "cos\nsystem"], "unknown dtype": ["array", "complex32", [1], 0]},
    "object dtype": ["array", "object", [1], 0],
    "shape larger than the buffer": ["array", "float32", [3], 0],
    "shape smaller than the buffer": ["array", "float32", [1], 0],
    "negative sizes that multiply to the right number": ["array", "float32", [-1, -2], 0],
    "a huge shape": ["array", "float32", [2**40, 2**40], 0],
    "a huge empty shape": ["array", "float32", [2**62, 0], 0],
    "too many axes": ["array", "float32", [1] * 9, 0],
    "a size that is true": ["array", "float32", [True, 2], 0],
    "a buffer that is not there": ["array", "float32", [2], 1],
    **{"a negative buffer": ["array", "float32", [2], -1], "an int written as text": ["int", "7"]},
    "a float that is code": ["float", "__import__('os')"],
    **{"a key that is no value": ["dict", [[1, ["none"]]]], "half a pair": ["dict", [[["int", 1]]]]},
    **{"a list in a set": ["set", [["list", []]]], "a list for a key": ["dict", [[["list", []], ["none"]]]]},
    **{"half a byte": ["bytes", "a"], "objects of numpy": ["numpy", ["array", "object", [1], 0]]},
    **{"a handle without a number": ["handle", "0", "X"], "nothing": [], "null": None},
    **{"nested deeper": nested(100), "two values refer to buffer 0": ["list", [["array", "uint8", [8], 0]] * 2]},
    "items": ["list", [["none"]] * (wire.MAX_ITEMS + 1)],
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_values_are_refused_and_those_without_end_in_words(name):
    is_worded = name in list(FORGED)[-3:]
    with pytest.raises(WireError if is_worded else (WireError, ValueError), match=name if is_worded else ".*"):
        decode(FORGED[name], [memoryview(bytes(8))])


def test_messages_cross_in_both_directions(ends):
    left, right = ends
    left.send({"x": torch.ones(2)})
    assert right.receive()["x"].tolist() == [1, 1]
    right.send(["back"])
    assert left.receive() == ["back"]
    left.send(wire.Handle(3, "Scorer"))
    handle = right.receive()
    assert (handle.key, handle.type_name) == (3, "Scorer")


RAW = {
    "garbage": b"GET / HTTP/1.1\r\n\r\n" + b"x" * 80,
    "a header announced too large": struct.pack("<II", wire.MAX_HEADER + 1, 0),
    "a body announced too large": struct.pack("<II", 2, wire.MAX_BODY + 1) + b"{}",
    **{"not JSON": struct.pack("<II", 3, 0) + b"{]}", "JSON of another form": struct.pack("<II", 2, 0) + b"{}"},
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
        right.receive(Deadline(60))
    right.close()
    left.close()
    sender.join()


def test_silence_ends_at_the_deadline_the_other_side_gone_is_told_apart_and_too_large_a_value_is_refused(ends):
    with pytest.raises(wire.OutOfTime):
        ends[1].receive(Deadline(0.1))
    with pytest.raises(WireError, match="bytes"):
        ends[0].send(torch.zeros(wire.MAX_BODY // 4 + 1))
    ends[0].close()
    with pytest.raises(wire.Closed):
        ends[1].receive(Deadline(60))


def test_a_message_that_trickles_in_does_not_stretch_the_deadline(ends):
    left, right = ends
    gone = threading.Event()

    def trickle():
        left.connection.send(struct.pack("<II", 2**20, 0))
        while not gone.wait(0.02):
            with contextlib.suppress(OSError):
                left.connection.send(b" ")

    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        with pytest.raises(wire.OutOfTime):
            right.receive(Deadline(0.3))
    finally:
        gone.set()
        thread.join()


def test_texts_lose_what_steers_a_terminal_and_are_cut_and_outputs_of_a_cell_are_few_and_short():
    assert printable("\x1b[2J\x9b31mred\r\u202e\x00 one\n\ttwo") == "[2J31mred one\n\ttwo"
    assert printable("x" * 10**6, 80) == "x" * 80
    assert [printable(value) for value in (None, 3, ["text"], torch.zeros(3))] == [""] * 4
    shown = [{"output_type": "stream", "name": name, "text": "x" * 10} for name in ("stdout", "stderr") * 10_000]
    outputs, _ = outputs_of({"outputs": shown}, 100_000)
    assert len(outputs) <= 1000
    outputs, _ = outputs_of({"outputs": shown}, 0)
    assert sum(len(output["text"]) for output in outputs) <= 1000


def test_an_argument_changes_with_the_answers():
    for ours, theirs in [(torch.zeros(3), torch.ones(3)), ([1, 2], [3]), ({"a": 1}, {})]:
        alter(ours, theirs)
        assert ours is not theirs
        assert torch.equal(ours, theirs) if isinstance(ours, torch.Tensor) else ours == theirs
    for theirs in (torch.zeros(2), torch.zeros(3, dtype=torch.float64), torch.zeros(3, 1), None):
        with pytest.raises(AnswerError, match="another shape or dtype"):
            alter(torch.zeros(3), theirs)


def test_an_exception_of_an_answer_is_caught_as_what_it_is():
    for kind in (ValueError, KeyError, OSError, UnicodeError, ZeroDivisionError, NotImplementedError):
        with pytest.raises(kind, match="words"):
            raise answer_error(kind.__name__, "words", "", [kind.__name__])
    error = answer_error("Mine", "words", "", ["Mine", "LookupError", "Exception"])
    assert isinstance(error, LookupError)
    assert not isinstance(answer_error("SystemExit", "", "", ["SystemExit"]), SystemExit)
    assert not isinstance(answer_error("StopIteration", "", "", ["StopIteration"]), StopIteration)
