"""Checks of the weighted sum that gives the context, by loop and for the batch at once."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.expect import (
    ask,
    check,
    expect_close,
    expect_finite,
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from seq2seq import attention as reference

Function = Callable[..., Tensor]

BATCH, KEYS, VALUE_SIZE = 2, 5, 3


@check
def check_weighted_sum_loop(answer: Function) -> None:
    """weighted sum by loop: every value counts as much as its weight says, in every sentence"""
    _compare_sum(answer)


@check
def check_weighted_sum_loop_hidden(answer: Function) -> None:
    """weighted sum by loop, other cases: other sizes, one sentence, one key, float64, weights that sum to 2"""
    _compare_sum_cases(answer)


@check
def check_weighted_sum(answer: Function) -> None:
    """weighted sum: equal to its loop for the whole batch at once, with gradients"""
    _compare_sum(answer)


@check
def check_weighted_sum_hidden(answer: Function) -> None:
    """weighted sum, other cases: other sizes, one sentence, one key, float64, weights that sum to 2"""
    _compare_sum_cases(answer)


def _compare_sum_cases(answer: Function) -> None:
    _compare_sum(answer, batch=4, keys=7, value_size=6, case="other sizes")
    _compare_sum(answer, batch=1, case="a batch of one sentence")
    _compare_sum(answer, keys=1, case="sentences of one key")
    _compare_sum(answer, value_size=1, case="values of size one")
    _compare_sum(answer, dtype=torch.float64, case="float64")
    _compare_sum(answer, total=2.0, case="weights that sum to 2")


def _compare_sum(
    answer: Function,
    batch: int = BATCH,
    keys: int = KEYS,
    value_size: int = VALUE_SIZE,
    dtype: torch.dtype = torch.float32,
    total: float = 1.0,
    case: str = "",
) -> None:
    weights, values = _draw(f"sum {case}", batch, keys, value_size)
    weights, values = total * weights.to(dtype), values.to(dtype)
    expected = reference.weighted_sum(weights, values)
    given = weights.clone(), values.clone()
    with torch.no_grad():
        context = ask("context", answer, case=case, weights=given[0], values=given[1])
    _expect_context(context, weights, values, expected, case)
    expect_unchanged("weights", given[0], weights, case)
    expect_unchanged("values", given[1], values, case)
    given = weights.clone().requires_grad_(), values.clone().requires_grad_()
    weights, values = weights.requires_grad_(), values.requires_grad_()
    context = ask("context", answer, case=case, weights=given[0], values=given[1])
    pairs = {"weights": (given[0], weights), "values": (given[1], values)}
    expect_gradients("context", context, reference.weighted_sum(weights, values), pairs, case)


def _expect_context(context: Tensor, weights: Tensor, values: Tensor, expected: Tensor, case: str) -> None:
    batch, keys, value_size = values.shape
    shapes = {
        (batch, keys): "the sum ran over the features; it has to run over the keys",
        (batch, keys, value_size): "the values are weighted, but not summed over the keys yet",
        (keys, value_size): "the sum ran over the batch; it has to run over the keys",
        (value_size,): "the batch axis is lost: was it summed, or only one sentence computed?",
        (batch, batch, value_size): "the weights of every sentence meet the values of every other",
    }
    shapes.pop((batch, value_size), None)
    expect_tensor("context", context, like=values, case=case)
    expect_shape("context", context, shapes, case, batch=batch, value_size=value_size)
    expect_finite("context", context, case=case)
    expect_close("context", context, expected, mistakes=lambda: sum_mistakes(weights, values), case=case)


def sum_mistakes(weights: Tensor, values: Tensor) -> dict[str, Tensor]:
    right = reference.weighted_sum(weights, values)
    first = torch.zeros_like(right)
    first[0] = right[0]
    weigh = reference.weighted_sum
    best = weights.argmax(-1)
    return {
        "this is the plain average of the values: their weights are not used": values.mean(1),
        "this is the plain sum of the values: their weights are not used": values.sum(1),
        "only the last key arrives: each turn of the loop replaces the sum instead of adding to it": weights[:, -1:]
        * values[:, -1],
        "the last key is left out": weigh(weights[:, :-1], values[:, :-1]),
        "the first key is left out": weigh(weights[:, 1:], values[:, 1:]),
        "only sentence 0 of the batch is computed, the others are left at 0": first,
        "the weights of sentence 0 are used for every sentence": weigh(weights[:1].expand_as(weights), values),
        "the values of sentence 0 are used for every sentence": weigh(weights, values[:1].expand_as(values)),
        "the sum is divided by the number of keys as well: the weights have seen to that": right / weights.size(1),
        "a softmax is applied to the weights: they are weights already": weigh(weights.softmax(-1), values),
        "the weights are made to sum to 1 here: they are to be taken as they come": weigh(
            weights / weights.sum(-1, keepdim=True), values
        ),
        "this is the value of the largest weight alone: every key has a say, however small": values[
            torch.arange(len(values)), best
        ],
        "weights and keys are paired in opposite order": weigh(weights.flip(-1), values),
        "the values are reshaped where two axes should be exchanged: the numbers are shuffled": (
            values.reshape(values.size(0), values.size(2), values.size(1)) @ weights.unsqueeze(-1)
        ).squeeze(-1),
        "the weights are squared": weigh(weights**2, values),
    }


def _draw(name: str, batch: int, keys: int, value_size: int) -> tuple[Tensor, Tensor]:
    draw = generator(name)
    scores = 2 * torch.randn(batch, keys, generator=draw)
    totals = 0.5 + torch.rand(batch, 1, generator=draw)  # a sum takes weights as they come, whatever they sum to
    return totals * scores.softmax(-1), torch.randn(batch, keys, value_size, generator=draw)
