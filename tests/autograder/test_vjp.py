"""The backward pass from given slopes says what torch's own says."""

import pytest
import torch

from autograder.vjp import pullback


def drawn(*shape: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(len(shape))).requires_grad_()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_it_is_what_autograd_says_for_several_outputs_and_inputs(dtype):
    x, y, unused = drawn(3, 4, dtype=dtype), drawn(4, dtype=dtype), drawn(2, dtype=dtype)
    outputs = [(x * y).tanh(), x.exp().sum(0), y.prod()]
    slopes = [torch.randn(output.shape, dtype=dtype) for output in outputs]
    expected = torch.autograd.grad(outputs, [x, y, unused], slopes, allow_unused=True, retain_graph=True)
    found = pullback(outputs, [x, y, unused], slopes)
    assert found[2] is expected[2] is None
    for ours, theirs in zip(found[:2], expected[:2], strict=True):
        torch.testing.assert_close(ours, theirs)
    again = pullback(outputs, [x, y, unused], slopes)
    assert torch.equal(again[0], found[0])


def test_an_output_that_is_not_finite_does_not_spoil_the_slope():
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    (found,) = pullback([1 / x], [x], [torch.tensor([0.0, 2.0])])
    (expected,) = torch.autograd.grad(1 / x, x, torch.tensor([0.0, 2.0]))
    torch.testing.assert_close(found, expected, equal_nan=True)


def test_it_works_where_gradients_are_switched_off():
    x = drawn(2)
    y = x * 3
    with torch.no_grad():
        assert torch.equal(pullback([y], [x], [torch.ones(2)])[0], torch.full((2,), 3.0, dtype=x.dtype))


def test_a_slope_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"\(1, 3\).*\(3,\)"):
        pullback([drawn(3) * 2], [drawn(3)], [torch.ones(1, 3)])
