"""What a check says: the wording of failures, whose fault an exception is, and fresh inputs."""

from pathlib import Path

import pytest
import torch

from autograder import expect
from autograder.expect import CheckFailed
from autograder.tasks.masking import check
from autograder.tracebacks import AnswerError
from autograder.wording import brief, difference, shape_reason
from seq2seq.attention import masked_softmax


@pytest.fixture(autouse=True)
def _seed_zero():
    yield
    expect.seed = 0


def failure(answer) -> str:
    """What the check of ``masked_softmax`` says of a wrong answer."""
    with pytest.raises(CheckFailed) as caught:
        check("masked_softmax", answer)
    return str(caught.value)


def test_a_failure_reads_what_got_expected_why():
    error = CheckFailed("scores", "shape (2, 6, 1)", "(batch=2, keys=6)", "did you forget .squeeze(-1)?")
    assert str(error) == "scores: shape (2, 6, 1), expected (batch=2, keys=6); did you forget .squeeze(-1)?"


def test_a_failure_is_an_assertion_error():
    assert issubclass(CheckFailed, AssertionError)


def test_a_notebook_shows_the_message_alone():
    assert CheckFailed("scores", "NaN")._render_traceback_() == ["✗ scores: NaN."]


def test_a_passing_check_prints_one_line(capsys):
    check("masked_softmax", masked_softmax)
    said = capsys.readouterr().out
    assert said.startswith("✓ masked softmax: ")
    assert said.count("\n") == 1


def test_an_exception_of_the_answer_tells_the_learners_own_line():
    def answer(scores, source_mask):
        return scores[99]  # this line

    message = failure(answer)
    assert message.startswith("weights: raised IndexError:")
    assert "at your line `return scores[99]  # this line`" in message
    assert "scores (4, 6), source_mask (4, 6)" in message


def test_a_failure_has_no_traceback_into_the_checks():
    with pytest.raises(CheckFailed) as caught:
        check("masked_softmax", lambda scores, source_mask: 1 / 0)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("text", ["", "not written yet"])
def test_an_answer_that_is_not_written_is_told_so(text):
    def answer(scores, source_mask):
        raise NotImplementedError(text)

    assert failure(answer) == "weights: not written yet."


def test_an_operation_that_torch_has_not_for_a_dtype_is_no_blank():
    message = failure(lambda scores, source_mask: source_mask & torch.ones(scores.shape))
    assert "raised NotImplementedError" in message
    assert "not implemented for 'Float'" in message


def test_a_remote_answers_error_reads_like_a_local_one():
    def remote(*given):
        raise AnswerError("RuntimeError", "sizes do not fit\nand more", "return query @ keys")

    message = failure(remote)
    assert message.startswith("weights: raised RuntimeError: sizes do not fit, at your line `return query @ keys`")


def test_a_wrong_number_of_arguments_is_the_answers_fault():
    assert "raised TypeError" in failure(lambda: None)


def test_an_answer_that_exits_is_caught():
    assert "raised SystemExit" in failure(lambda scores, source_mask: exit())


def test_a_fault_of_our_own_is_not_blamed_on_the_answer(monkeypatch):
    monkeypatch.setattr("autograder.tracebacks._PROJECT", Path("/ours"))
    space = {}
    exec(compile("def lost(*given): raise ConnectionError", "/ours/sandbox/session.py", "exec"), space)
    with pytest.raises(ConnectionError):
        check("masked_softmax", space["lost"])


def test_a_check_leaves_the_learners_random_numbers_alone():
    torch.manual_seed(5)
    expected = torch.rand(2)
    torch.manual_seed(5)
    check("masked_softmax", lambda scores, *rest: masked_softmax(scores + 0 * torch.rand(1), *rest))
    assert torch.equal(torch.rand(2), expected)


def test_gradients_are_on_inside_a_check_even_if_the_learner_switched_them_off(capsys):
    with torch.no_grad():
        check("masked_softmax", masked_softmax)
    assert "✓" in capsys.readouterr().out


def test_inputs_are_the_same_for_the_same_seed_and_name():
    assert torch.equal(torch.rand(3, generator=expect.generator("a")), torch.rand(3, generator=expect.generator("a")))


def test_inputs_change_with_the_seed_and_with_the_name():
    first, other = (torch.rand(3, generator=expect.generator(name)) for name in "ab")
    expect.seed = 1
    again = torch.rand(3, generator=expect.generator("a"))
    assert not torch.equal(first, other)
    assert not torch.equal(first, again)


class Opaque:
    type_name = "DataFrame"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing (None)"),
        ((1, 2), "a tuple of 2"),
        ([1.0], "a list of 1"),
        (3.5, "3.5"),
        ("text", "'text'"),
        (Opaque(), "a DataFrame"),
    ],
)
def test_what_is_no_tensor_is_named(value, words):
    assert brief(value) == words
    assert words in failure(lambda scores, source_mask: value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (torch.Tensor.to_sparse, "layout torch.sparse_coo"),
        (torch.Tensor.double, "dtype torch.float64, expected torch.float32"),
        (torch.Tensor.bool, "dtype torch.bool"),
        (lambda weights: weights.to("meta"), "device meta"),
        (lambda weights: weights.unsqueeze(-1), "shape (4, 6, 1), expected (batch=4, keys=6); did you forget"),
        (lambda weights: weights.index_fill(0, torch.tensor([1]), torch.nan), "NaN in batch 1, expected finite"),
        (lambda weights: weights.index_fill(0, torch.tensor([1]), torch.inf), "infinity in batch 1"),
        (torch.Tensor.detach, "cut off from autograd"),
        (lambda weights: 2 * weights - weights.detach(), "the gradient of weights at scores"),
    ],
)
def test_what_is_no_fit_tensor_is_named(change, words):
    assert words in failure(lambda scores, source_mask: change(masked_softmax(scores, source_mask)))


def test_an_argument_changed_in_place_is_told():
    assert "changed in place" in failure(lambda scores, mask: scores.masked_fill_(~mask, -1e9).softmax(-1))


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((2, 6, 1), "did you forget `.squeeze(-1)`?"),
        ((2, 1, 6), "axis 1 of size 1 is one too many"),
        ((6, 2), "the axes came out as (keys, batch)"),
        ((2,), "the axis `keys` was lost"),
        ((), ""),
    ],
)
def test_a_wrong_shape_names_the_axis(shape, words):
    assert shape_reason(shape, {"batch": 2, "keys": 6}) == words


def test_a_difference_is_where_it_is_largest_and_a_hidden_case_is_described_without_numbers():
    expected = torch.ones(2, 5)
    got = expected.clone()
    got[1, 2] = 3
    assert difference(got, expected, "") == ("3 at [1, 2]", "1")
    assert difference(got, expected, "float64") == ("wrong values", "those of the equation")


def test_rounding_is_no_mistake():
    expected = torch.randn(2, 5, generator=expect.generator("values"))
    assert expect.same(expected + 1e-6, expected)


def test_values_that_are_nan_are_not_close():
    assert not expect.same(torch.full((2,), torch.nan), torch.zeros(2))


def test_float64_is_held_to_float64():
    expected = torch.ones(2, dtype=torch.float64)
    assert not expect.same(expected + 1e-6, expected)
