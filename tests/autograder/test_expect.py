"""What a check says: the wording of failures, whose fault an exception is, and fresh inputs."""

import re
from pathlib import Path

import pytest
import torch

from autograder import expect
from autograder.expect import AnswerError, CheckFailed, ask, check


@pytest.fixture(autouse=True)
def _seed_zero():
    yield
    expect.set_seed(0)


def failure(call, *args, **options) -> str:
    with pytest.raises(CheckFailed) as caught:
        call(*args, **options)
    return str(caught.value)


def test_a_failure_reads_what_got_expected_why():
    error = CheckFailed("scores", "shape (2, 6, 1)", "(batch=2, keys=6)", "did you forget .squeeze(-1)?")
    assert str(error) == "scores: shape (2, 6, 1), expected (batch=2, keys=6); did you forget .squeeze(-1)?"


def test_a_failure_is_an_assertion_error():
    assert issubclass(CheckFailed, AssertionError)


def test_a_notebook_shows_the_message_alone():
    assert CheckFailed("scores", "NaN")._render_traceback_() == ["✗ scores: NaN."]


def test_a_passing_check_prints_one_line(capsys):
    @check
    def passes(answer):
        """dot scores: all well.

        More that is not printed.
        """

    passes(None)
    assert capsys.readouterr().out == "✓ dot scores: all well\n"


def test_an_exception_of_the_answer_tells_the_learners_own_line():
    def answer(query, keys):
        return query @ keys[99]  # this line

    @check
    def asks(answer):
        ask("scores", answer, query=torch.zeros(4), keys=torch.zeros(2, 4))

    message = failure(asks, answer)
    assert message.startswith("scores: raised IndexError:")
    assert "at your line `return query @ keys[99]  # this line`" in message
    assert "query (4,), keys (2, 4)" in message


def test_a_failure_has_no_traceback_into_the_checks():
    @check
    def asks(answer):
        ask("scores", answer)

    with pytest.raises(CheckFailed) as caught:
        asks(lambda: 1 / 0)
    assert caught.value.__suppress_context__
    assert isinstance(caught.value.__context__, ZeroDivisionError)


def test_an_answer_that_is_not_written_is_told_so():
    def answer():
        raise NotImplementedError("not written yet")

    @check
    def asks(answer):
        ask("scores", answer)

    assert failure(asks, answer) == "scores: not written yet."


def test_an_answer_called_without_ask_is_explained_too():
    @check
    def calls(answer):
        answer()

    assert "raised ZeroDivisionError" in failure(calls, lambda: 1 / 0)


def test_a_remote_answers_error_reads_like_a_local_one():
    def remote(*given):
        raise AnswerError("RuntimeError", "sizes do not fit\nand more", "return query @ keys")

    @check
    def asks(answer):
        ask("scores", answer, query=torch.zeros(4))

    message = failure(asks, remote)
    assert message.startswith("scores: raised RuntimeError: sizes do not fit, at your line `return query @ keys`")


def test_a_wrong_number_of_arguments_is_the_answers_fault():
    @check
    def asks(answer):
        ask("scores", answer, query=torch.zeros(4))

    assert "raised TypeError" in failure(asks, lambda: None)


def test_an_answer_that_exits_is_caught():
    @check
    def asks(answer):
        ask("scores", answer)

    assert "raised SystemExit" in failure(asks, lambda: exit())


def test_a_fault_of_our_own_is_not_blamed_on_the_answer(monkeypatch):
    monkeypatch.setattr("autograder.tracebacks._PROJECT", Path(__file__).parents[2])  # this file now counts as ours

    @check
    def broken(answer):
        return 1 / 0

    with pytest.raises(ZeroDivisionError):
        broken(None)

    def lost_sandbox():
        raise ConnectionError("the sandbox is gone")

    with pytest.raises(ConnectionError):
        ask("scores", lost_sandbox)


def test_a_check_leaves_the_learners_random_numbers_alone():
    @check
    def draws(answer):
        """draws"""
        torch.rand(3)

    torch.manual_seed(5)
    expected = torch.rand(2)
    torch.manual_seed(5)
    draws(None)
    assert torch.equal(torch.rand(2), expected)


def test_gradients_are_on_inside_a_check_even_if_the_learner_switched_them_off():
    seen = []

    @check
    def looks(answer):
        """looks"""
        seen.append(torch.is_grad_enabled())

    with torch.no_grad():
        looks(None)
    assert seen == [True]


def test_inputs_are_the_same_for_the_same_seed_and_name():
    assert torch.equal(torch.rand(3, generator=expect.generator("a")), torch.rand(3, generator=expect.generator("a")))


def test_inputs_change_with_the_seed_and_with_the_name():
    first, other = (torch.rand(3, generator=expect.generator(name)) for name in "ab")
    expect.set_seed(1)
    again = torch.rand(3, generator=expect.generator("a"))
    assert not torch.equal(first, other)
    assert not torch.equal(first, again)


class Opaque:
    type_name = "DataFrame"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing (None), expected a tensor; is the `return` missing?"),
        ((1, 2), "a tuple of 2"),
        ([1.0], "a list of 1"),
        (3.5, "3.5"),
        ("text", "'text'"),
        (Opaque(), "a DataFrame"),
        (torch.eye(2).to_sparse(), "layout torch.sparse_coo"),
        (torch.zeros(2, device="meta"), "device meta, expected cpu"),
        (torch.zeros(2, dtype=torch.float64), "dtype torch.float64, expected torch.float32"),
        (torch.zeros(2, dtype=torch.bool), "dtype torch.bool"),
    ],
)
def test_what_is_no_fit_tensor_is_named(value, words):
    assert words in failure(expect.expect_tensor, "scores", value, like=torch.zeros(2))


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((2, 6, 1), "did you forget `.squeeze(-1)`?"),
        ((2, 1, 6), "axis 1 of size 1 is one too many"),
        ((6, 2), "the axes came out as (keys, batch)"),
        ((2,), "the axis `keys` was lost"),
        ((), "shape (), expected (batch=2, keys=6)"),
    ],
)
def test_a_wrong_shape_names_the_axis(shape, words):
    message = failure(expect.expect_shape, "scores", torch.zeros(shape), batch=2, keys=6)
    assert message.startswith(f"scores: shape {shape}, expected (batch=2, keys=6)")
    assert words in message


def test_a_bare_squeeze_is_named_before_other_reasons():
    message = failure(expect.expect_shape, "scores", torch.zeros(6), {(6,): "another reason"}, batch=1, keys=6)
    assert "a bare `.squeeze()`" in message


def test_nan_and_infinity_are_told_apart_with_their_rows():
    values = torch.zeros(4, 3)
    values[1, 2] = torch.nan
    assert "NaN in batch 1, expected finite numbers; because" in failure(
        expect.expect_finite, "weights", values, "because"
    )
    values[1, 2] = torch.inf
    assert "infinity in batch 1" in failure(expect.expect_finite, "weights", values)


def test_a_known_mistake_is_named():
    expected = torch.randn(2, 5, generator=expect.generator("values"))
    message = failure(
        expect.expect_close, "scores", -expected, expected, lambda: {"doubled": 2 * expected, "the sign": -expected}
    )
    assert re.fullmatch(r"scores: \S+ at \[\d, \d\], expected \S+; the sign\.", message)


def test_a_hidden_case_is_described_without_numbers():
    expected = torch.ones(2, 5)
    message = failure(expect.expect_close, "scores", -expected, expected, case="float64")
    assert message == "scores (float64): wrong values, expected those of the equation."


def test_a_broken_property_explains_an_unknown_mistake():
    def broken():
        raise CheckFailed("weights", "row 0 sums to 2", "1")

    message = failure(expect.expect_close, "weights", torch.ones(2), torch.zeros(2), properties=broken)
    assert message == "weights: row 0 sums to 2, expected 1."


def test_rounding_is_no_mistake():
    expected = torch.randn(2, 5, generator=expect.generator("values"))
    expect.expect_close("scores", expected + 1e-6, expected)


def test_values_that_are_nan_are_not_close():
    assert not expect.same(torch.full((2,), torch.nan), torch.zeros(2))


def test_float64_is_held_to_float64():
    expected = torch.ones(2, dtype=torch.float64)
    assert not expect.same(expected + 1e-6, expected)


def test_an_argument_changed_in_place_is_told():
    assert "changed in place" in failure(expect.expect_unchanged, "scores", torch.ones(2), torch.zeros(2))


def test_an_argument_left_alone_may_hold_nan():
    expect.expect_unchanged("scores", torch.full((2,), torch.nan), torch.full((2,), torch.nan))


def test_a_result_cut_off_from_autograd_is_told():
    inputs = torch.ones(3, requires_grad=True)
    pairs = {"query": (inputs, inputs)}
    message = failure(expect.expect_gradients, "scores", (2 * inputs).detach(), 2 * inputs, pairs)
    assert message.startswith("scores: cut off from autograd")


def test_an_input_that_no_gradient_reaches_is_named():
    query, keys = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    pairs = {"query": (query, query), "keys": (keys, keys)}
    message = failure(expect.expect_gradients, "scores", query * keys.detach(), query * keys, pairs)
    assert "no gradient reaches keys" in message


def test_a_wrong_gradient_of_right_values_is_told():
    inputs = torch.full((3,), 2.0, requires_grad=True)
    pairs = {"query": (inputs, inputs)}
    message = failure(expect.expect_gradients, "scores", inputs * inputs.detach(), inputs * inputs, pairs)
    assert message.startswith("gradient of scores at query:")


def test_a_backward_pass_that_fails_is_explained():
    inputs = torch.full((3,), 2.0, requires_grad=True)
    result = inputs.exp()
    broken = result * result
    with torch.no_grad():
        result.zero_()
    message = failure(expect.expect_gradients, "scores", broken, inputs.exp() ** 2, {"query": (inputs, inputs)})
    assert message.startswith("the backward pass of scores: raised RuntimeError")


def test_an_operation_that_torch_has_not_for_a_dtype_is_no_blank():
    message = failure(expect.ask, "weights", lambda mask: mask & torch.ones(2), mask=torch.ones(2))
    assert "raised NotImplementedError" in message
    assert "not implemented for 'Float'" in message
