"""What the judge lets through of what the sandbox says."""

import pytest
import torch

from autograder.judging.sanitise import change, outputs_of, printable
from autograder.sandbox.wire import MAX_ITEMS, WireError, decode
from autograder.tracebacks import AnswerError


def test_texts_lose_what_steers_a_terminal():
    assert printable("\x1b[2J\x9b31mred\r\u202e\x00 one\n\ttwo") == "[2J31mred one\n\ttwo"


def test_texts_are_cut():
    assert printable("x" * 10**6, 80) == "x" * 80


@pytest.mark.parametrize("value", [None, 3, ["text"], torch.zeros(3)])
def test_what_is_no_text_says_nothing(value):
    assert printable(value) == ""


def test_an_argument_changes_with_the_answers():
    ours = torch.zeros(3)
    change(ours, torch.ones(3), set())
    assert ours.tolist() == [1, 1, 1]


def test_an_argument_that_gradients_flow_through_stays_as_it_is():
    ours = torch.ones(3, requires_grad=True)
    with pytest.raises(AnswerError, match="changed in place"):
        change(ours, torch.zeros(3), set())
    assert ours.tolist() == [1, 1, 1]


def test_a_parameter_of_the_answers_own_may_change():
    ours = torch.ones(3, requires_grad=True)
    change(ours, torch.zeros(3), {id(ours)})
    assert ours.tolist() == [0, 0, 0]


def test_an_argument_may_change_where_gradients_are_switched_off():
    ours = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        change(ours, torch.zeros(3), set())
    assert ours.tolist() == [0, 0, 0]


@pytest.mark.parametrize("theirs", [torch.zeros(2), torch.zeros(3, dtype=torch.float64), torch.zeros(3, 1)])
def test_an_argument_keeps_shape_and_dtype(theirs):
    with pytest.raises(AnswerError, match="another shape or dtype"):
        change(torch.zeros(3), theirs, set())


def test_a_buffer_serves_one_array():
    array = ["array", "uint8", [4], 0, ""]
    with pytest.raises(WireError, match="two values refer to buffer 0"):
        decode(["list", [array, array]], [memoryview(b"1234")])


def test_a_list_has_an_end():
    with pytest.raises(WireError, match="items"):
        decode(["list", [["none"]] * (MAX_ITEMS + 1)], [])


def test_outputs_of_a_cell_are_few_and_short():
    shown = [{"output_type": "stream", "name": name, "text": "x" * 10} for name in ("stdout", "stderr") * 10_000]
    outputs, _ = outputs_of({"outputs": shown}, 100_000)
    assert len(outputs) <= 1000
    outputs, _ = outputs_of({"outputs": shown}, 0)
    assert sum(len(output["text"]) for output in outputs) <= 1000
