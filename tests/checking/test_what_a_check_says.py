"""What a check says: the wording of failures, whose fault an exception is, and fresh inputs."""

from pathlib import Path

import pytest
import torch

from autograder.checking import draw
from autograder.checking.compare import _entry
from autograder.checking.equal import equal
from autograder.checking.wording import difference, shape_reason
from autograder.finding import CheckFailed
from autograder.tasks.masking import check
from autograder.vjp import pullback
from seq2seq.attention import masked_softmax


@pytest.fixture(autouse=True)
def _seed_zero():
    yield
    draw.seed = 0


def test_a_failure_has_no_traceback_into_the_checks_and_a_fault_of_our_own_is_not_blamed_on_the_answer(monkeypatch):
    error = CheckFailed("scores", "shape (2, 6, 1)", "(batch=2, keys=6)", "did you forget .squeeze(-1)?")
    assert isinstance(error, AssertionError)
    assert str(error) == "scores: shape (2, 6, 1), expected (batch=2, keys=6); did you forget .squeeze(-1)?"
    assert CheckFailed("scores", "NaN")._render_traceback_() == ["✗ scores: NaN."]
    with pytest.raises(CheckFailed) as caught:
        check("masked_softmax", lambda scores, source_mask: 1 / 0)
    assert caught.value.__suppress_context__
    monkeypatch.setattr("autograder.tracebacks._PROJECT", Path("/ours"))
    space = {}
    exec(compile("def lost(*given): raise ConnectionError", "/ours/sandbox/session.py", "exec"), space)
    with pytest.raises(ConnectionError):
        check("masked_softmax", space["lost"])


def test_inputs_change_with_seed_and_name_alone_and_a_check_draws_nothing_of_the_learners_and_prints_one_line(capsys):
    def drawn(name):
        return torch.rand(3, generator=draw.generator(name)).tolist()

    first, same, other = drawn("a"), drawn("a"), drawn("b")
    draw.seed = 1
    assert first == same
    assert first not in (other, drawn("a"))
    torch.manual_seed(5)
    expected = torch.rand(2)
    torch.manual_seed(5)
    check("masked_softmax", lambda scores, *rest: masked_softmax(scores + 0 * torch.rand(1), *rest))
    assert torch.equal(torch.rand(2), expected)
    check("masked_softmax", masked_softmax)
    with torch.no_grad():
        check("masked_softmax", masked_softmax)
    *_, first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert first.startswith("✓ masked softmax: ")


SHAPES = {
    (2, 6, 1): "did you forget `.squeeze(-1)`?",
    (2, 1, 6): "axis 1 of size 1 is one too many",
    (6, 2): "the axes came out as (keys, batch)",
    (2,): "the axis `keys` was lost",
    (): "",
}


def test_a_wrong_shape_names_the_axis_and_a_difference_where_it_is_largest_but_a_hidden_case_no_number():
    assert {shape: shape_reason(shape, {"batch": 2, "keys": 6}) for shape in SHAPES} == SHAPES
    expected = torch.ones(2, 5)
    got = expected.index_put((torch.tensor(1), torch.tensor(2)), torch.tensor(3.0))
    assert difference(got, expected, "") == ("3 at [1, 2]", "1")
    assert difference(got, expected, "float64") == ("wrong values", "what the task asks for")
    got, expected = torch.tensor([[True, False]]), torch.tensor([[True, True]])
    assert difference(got, expected, "") == ("False at [0, 1]", "True")


def test_of_a_long_list_the_first_entry_that_differs_is_shown_with_its_place():
    words = [["le", "chat", "noir", "dort"], ["un", "chat", "court", "et", "dort", "bien"]]
    other = [words[0], [*words[1][:2], "dort", *words[1][3:]]]
    assert _entry(other, words, None) == (" at [1]", other[1], words[1])
    scores = [0.1 * place for place in range(40)]
    assert _entry([*scores[:30], None, *scores[31:]], scores, None) == (" at [30]", None, scores[30])
    assert _entry(scores[:3], scores, None) == ("", scores[:3], scores)
    assert _entry(["a"], ["b"], None) == ("", ["a"], ["b"])


def test_rounding_is_no_mistake_but_nan_a_part_of_a_complex_number_and_float32_for_float64_are():
    ours, twice = torch.randn(2, 5, generator=draw.generator("values")), torch.ones(2, dtype=torch.float64)
    number = torch.tensor([1 + 2j])
    assert equal(ours, ours + 1e-6)
    assert equal(number, number.clone())
    for got, expected in [
        *((torch.full((2,), torch.nan), torch.zeros(2)), (twice + 1e-6, twice)),
        *((number, number.conj()), (number, number.real)),
        (number.real, number),
    ]:
        assert not equal(expected, got)


def leaf(*shape: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(len(shape))).requires_grad_()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_backward_pass_is_what_autograd_says_with_gradients_switched_off_too(dtype):
    x, y, unused = leaf(3, 4, dtype=dtype), leaf(4, dtype=dtype), leaf(2, dtype=dtype)
    outputs = [(x * y).tanh(), x.exp().sum(0), y.prod()]
    slopes = [torch.randn(output.shape, dtype=dtype) for output in outputs]
    expected = torch.autograd.grad(outputs, [x, y, unused], slopes, allow_unused=True, retain_graph=True)
    gradients = pullback(outputs, [x, y, unused], slopes)
    assert gradients[2] is expected[2] is None
    for ours, theirs in zip(gradients[:2], expected[:2], strict=True):
        torch.testing.assert_close(ours, theirs)
    with torch.no_grad():
        assert torch.equal(pullback(outputs, [x, y, unused], slopes)[0], gradients[0])


def test_an_output_that_is_not_finite_does_not_spoil_the_slope_and_one_of_another_shape_is_refused():
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    (gradient,) = pullback([1 / x], [x], [torch.tensor([0.0, 2.0])])
    (expected,) = torch.autograd.grad(1 / x, x, torch.tensor([0.0, 2.0]))
    torch.testing.assert_close(gradient, expected, equal_nan=True)
    with pytest.raises(ValueError, match=r"\(1, 3\).*\(3,\)"):
        pullback([leaf(3) * 2], [leaf(3)], [torch.ones(1, 3)])
