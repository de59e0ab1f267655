"""Checks of the gradient at the scores, derived by hand, against autograd's."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_finite,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from autograder.pullback import pullback
from seq2seq import attention as reference

Function = Callable[..., Tensor]

BATCH, KEYS, VALUE_SIZE = 2, 5, 3


@check
def check_score_gradient(answer: Function) -> None:
    """gradient at the scores: each key's value against the context, times its weight"""
    _compare_gradient(answer)


@check
def check_score_gradient_hidden(answer: Function) -> None:
    """gradient at the scores, other cases: equal to autograd's, one sentence, one key, float64, a weight of 0"""
    _compare_gradient(answer, batch=3, keys=7, value_size=4, case="other sizes")
    _compare_gradient(answer, batch=1, case="a batch of one sentence")
    _compare_gradient(answer, keys=1, case="sentences of one key")
    _compare_gradient(answer, dtype=torch.float64, case="float64")
    _compare_gradient(answer, padding=2, case="padding, whose weight is 0")


def _compare_gradient(
    answer: Function,
    batch: int = BATCH,
    keys: int = KEYS,
    value_size: int = VALUE_SIZE,
    dtype: torch.dtype = torch.float32,
    padding: int = 0,
    case: str = "",
) -> None:
    draw = generator(f"gradient {case}")
    scores = (2 * torch.randn(batch, keys, generator=draw)).to(dtype)
    values = torch.randn(batch, keys, value_size, generator=draw).to(dtype)
    slope = torch.randn(batch, value_size, generator=draw).to(dtype)  # ∂L/∂c
    mask = torch.arange(keys) < keys - padding
    scores.requires_grad_()
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    (expected,) = pullback([reference.weighted_sum(weights, values)], [scores], [slope])
    weights = weights.detach()
    given = weights.clone(), values.clone(), slope.clone()
    named = dict(zip(("weights", "values", "context_gradient"), given, strict=True))
    got = ask("gradient", answer, case=case, **named)
    shapes = {
        (batch, keys, value_size): "one number per score is asked for: the sum over the features is missing",
        (batch, value_size): "this has the shape of a gradient at the context; the one at the scores is asked for",
        (batch, keys, keys): "this is the whole table of derivatives; multiply it with the gradient at the weights",
    }
    expect_tensor("gradient", got, like=weights, case=case)
    expect_shape("gradient", got, shapes, case, batch=batch, keys=keys)
    expect_finite("gradient", got, "a division by, or logarithm of, a weight of 0 has no place here", case)
    table = _gradient_mistakes(weights, values, slope, expected)
    expect_close("gradient", got, expected, lambda: table, lambda: _expect_balance(got, case), case=case)
    for name, now, before in zip(named, given, (weights, values, slope), strict=True):
        expect_unchanged(name, now, before, case)


def _gradient_mistakes(weights: Tensor, values: Tensor, slope: Tensor, right: Tensor) -> dict[str, Tensor]:
    at_weights = (values @ slope.unsqueeze(-1)).squeeze(-1)  # ∂L/∂α
    context = reference.weighted_sum(weights, values)
    level = (context * slope).sum(-1, keepdim=True)
    return {
        "the context is not subtracted: a score that rises takes weight away from all the others": weights * at_weights,
        "the factor of the weight is missing: a key with weight 0 learns nothing": at_weights - level,
        "the sign is wrong": -right,
        "this is the gradient at the weights; the softmax between scores and weights is not passed yet": at_weights,
        "the plain average of the values is subtracted; the context is their weighted sum": weights
        * ((values - values.mean(1, keepdim=True)) @ slope.unsqueeze(-1)).squeeze(-1),
        "only the diagonal of the softmax's derivative is used: a score also moves the weights of other keys": weights
        * (1 - weights)
        * at_weights,
        "the weight multiplies the value's part only, not the context's": weights * at_weights - level,
        "the context's part is added; it is subtracted": weights * (at_weights + level),
        "this is the gain of the context over the value: the two are exchanged": weights * (level - at_weights),
        "the gradient at the context is left out: it is summed over features as if it were all ones": weights
        * (values - context.unsqueeze(1)).sum(-1),
        "the gradient at the context of sentence 0 is used for all": weights
        * ((values - context.unsqueeze(1)) @ slope[0]),
        "the weight is applied twice": weights * right,
    }


def _expect_balance(gradient: Tensor, case: str) -> None:
    off = float(gradient.detach().sum(-1).abs().max())
    if off > 1e-3:
        got = "they do not" if case else f"they sum to {off:.3g} in one sentence"
        why = "adding a constant to all scores changes no weight, so the gradients of a sentence cancel"
        raise CheckFailed("gradient", got, "gradients that sum to 0 over the keys", why)
