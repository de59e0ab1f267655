"""Checks of the entropy of attention weights: padding adds nothing, neither to the value nor to the gradient."""

import math
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
    same,
)
from autograder.pullback import pullback
from autograder.wording import labelled
from seq2seq import attention as reference

Function = Callable[..., Tensor]

PADDING = "0 · ln 0 counts as 0, but ln 0 is −∞ and 0 · (−∞) is NaN: what may the logarithm be given instead?"
BACKWARD = (
    "the slope of ln at 0 is infinite, and 0 · ∞ is NaN on the way back, even where `torch.where` hid it on the way "
    "there: keep 0 away from the logarithm itself"
)


@check
def check_entropy(answer: Function) -> None:
    """entropy: 0 for one key, ln n for n equal keys, padding adds nothing, gradients are finite"""
    _expect_known(answer)
    _compare(answer, [6, 4, 2, 1], 6)
    _compare(answer, [5, 0, 3], 5, what="entropy with an empty sentence")


@check
def check_entropy_hidden(answer: Function) -> None:
    """entropy, other cases: one sentence, one key, float64, no padding, a table of many queries, tiny weights"""
    _compare(answer, [5], 7, case="a batch of one sentence")
    _compare(answer, [1, 1, 0], 1, case="sentences of one key")
    _compare(answer, [6, 6], 6, case="no padding")
    _compare(answer, [5, 3, 0], 5, dtype=torch.float64, case="float64")
    _compare(answer, [5, 3], 5, queries=4, case="weights (batch, queries, keys)")
    _compare(answer, [6, 4, 3], 6, spread=12.0, case="weights near 0 and near 1")


def _expect_known(answer: Function) -> None:
    """The two ends that one can say without a reference."""
    weights = torch.tensor([[0.25, 0.25, 0.25, 0.25], [0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])
    what = "entropy of equal weights, of one key, of two"
    got = ask(what, answer, weights=weights.clone())
    expect_tensor(what, got, like=weights)
    _expect_rows(what, got, weights, "")
    expect_finite(what, got, PADDING)
    expect_close(what, got, torch.tensor([math.log(4), 0.0, math.log(2)]), lambda: _mistakes(weights))


def _compare(
    answer: Function,
    lengths: list[int],
    keys: int,
    dtype: torch.dtype = torch.float32,
    queries: int = 0,
    spread: float = 2.0,
    what: str = "entropy",
    case: str = "",
) -> None:
    shape = (len(lengths), queries, keys) if queries else (len(lengths), keys)
    scores = (spread * torch.randn(shape, generator=generator(f"entropy {what} {case}"))).to(dtype)
    mask = torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
    weights = reference.masked_softmax(scores, mask.unsqueeze(1) if queries else mask)
    given = weights.clone()
    with torch.no_grad():
        got = ask(what, answer, case=case, weights=given)
    expect_tensor(what, got, like=weights, case=case)
    _expect_rows(what, got, weights, case)
    expect_finite(what, got, PADDING, case)
    expect_close(what, got, reference.entropy(weights), lambda: _mistakes(weights), case=case)
    expect_unchanged("weights", given, weights, case)
    _expect_flow(answer, weights, what, case)


def _expect_rows(what: str, got: Tensor, weights: Tensor, case: str) -> None:
    shapes = {
        tuple(weights.shape): "these are the terms of the sum; add them up over the keys",
        (): "this is one number for the whole batch; each row of weights has its own",
        (weights.size(-1),): "the sum ran over the batch; it has to run over the keys",
        (*weights.shape[:-1], 1): "the axis of the keys is summed: it goes",
    }
    shapes.pop(tuple(weights.shape[:-1]), None)
    axes = ("batch", "queries")[: weights.dim() - 1]
    expect_shape(what, got, shapes, case, **dict(zip(axes, weights.shape, strict=False)))


def _mistakes(weights: Tensor) -> dict[str, Tensor]:
    right = reference.entropy(weights)
    logs = weights.clamp_min(torch.finfo(weights.dtype).tiny).log()
    return {
        "the sign is missing: logarithms of weights are negative, the entropy is not": -right,
        "the logarithm is to the base 2; `ln` is asked for": right / math.log(2),
        "the logarithm is to the base 10; `ln` is asked for": right / math.log(10),
        "the terms are averaged over the keys, padding too; they are summed": right / weights.size(-1),
        "the logarithms are summed without their weights": -logs.sum(-1),
        "this is its exponential, the number of keys that would share equally": right.exp(),
        "the entropy is divided by that of equal weights: that is another measure": right / math.log(weights.size(-1))
        if weights.size(-1) > 1
        else right + 1,
        "this is 1 less the sum of squares, another measure of spread": 1 - (weights**2).sum(-1),
        "only the largest weight is used: every key has a term": -(weights * logs).amin(-1),
        "a softmax is applied to the weights: they are weights already": reference.entropy(weights.softmax(-1)),
    }


def _expect_flow(answer: Function, weights: Tensor, what: str, case: str) -> None:
    """The gradient is the equation's at every weight above 0, and finite at 0: padding has no score to pass it to."""
    leaf, own = weights.clone().requires_grad_(), weights.clone().requires_grad_()
    got, expected = ask(what, answer, case=case, weights=leaf), reference.entropy(own)
    label = labelled(what, case)
    why = "does a `.detach()`, `.data`, `.item()` or `torch.no_grad()` cut the graph?"
    if not got.requires_grad:
        raise CheckFailed(label, "cut off from autograd", "a result that gradients flow through", why)
    pull = 1 + torch.rand(expected.shape, generator=generator("entropy pull"), dtype=expected.dtype)
    (reached,) = ask(f"the backward pass of {label}", lambda: pullback([got], [leaf], [pull]))
    (wanted,) = pullback([expected], [own], [pull])
    if reached is None:
        raise CheckFailed(label, "no gradient reaches the weights", "one", why)
    expect_finite(f"gradient of {label}", reached, BACKWARD)
    real = weights > 1e-30
    if not same(reached * real, wanted * real):
        why = "the values are right, the way to them is not: is a part of it detached, or rounded?"
        raise CheckFailed(f"gradient of {label}", "wrong values", "those of the equation", why)
