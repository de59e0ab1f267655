"""Checks of the whole way from scores to context.

What a learner's own masked softmax and weighted sum return is accepted here, right or wrong:
each is judged where it is the task.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.checks.context import sum_mistakes
from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_finite,
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
    same,
)
from seq2seq import attention as reference

Function = Callable[..., Tensor]

KEYS, VALUE_SIZE = 5, 4


@check
def check_attend(
    answer: Function, masked_softmax: Function | None = None, weighted_sum: Function | None = None
) -> None:
    """attend: masked weights, and the context that these weights give, as the pair (context, weights)"""
    _compare_attend(answer, masked_softmax, weighted_sum, [KEYS, 3, 2])


@check
def check_attend_hidden(
    answer: Function, masked_softmax: Function | None = None, weighted_sum: Function | None = None
) -> None:
    """attend, other cases: one sentence, an empty sentence, more padding, float64, gradients"""
    own = answer, masked_softmax, weighted_sum
    _compare_attend(*own, [6], case="a batch of one sentence")
    _compare_attend(*own, [4, 0, 7, 1], case="a sentence without a real token")
    _compare_attend(*own, [2, 1], keys=9, case="mostly padding")
    _compare_attend(*own, [5, 3, 2], dtype=torch.float64, case="float64")
    _expect_attend_flow(*own)


def _compare_attend(
    answer: Function,
    masked_softmax: Function | None,
    weighted_sum: Function | None,
    lengths: list[int],
    keys: int = 0,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    keys = keys or max(lengths)
    draw = generator(f"attend {case}")
    scores = (2 * torch.randn(len(lengths), keys, generator=draw)).to(dtype)
    values = torch.randn(len(lengths), keys, VALUE_SIZE, generator=draw).to(dtype)
    mask = torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
    given = scores.clone(), values.clone(), mask.clone()
    with torch.no_grad():
        named = dict(zip(("scores", "values", "source_mask"), given, strict=True))
        own = _quietly(masked_softmax, scores.clone(), mask.clone())
        parts = "" if own is not None or masked_softmax is None else " (it, or the masked_softmax that it calls)"
        context, weights = _pair(ask(f"attend{parts}", answer, case=case, **named), scores, values, case)
        right = reference.masked_softmax(scores, mask)
        if own is None or not same(weights, own, equal_nan=True):
            _expect_weights(weights, scores, mask, right, case)
        summed = _quietly(weighted_sum, weights.clone(), values.clone())
        if summed is None or not same(context, summed, equal_nan=True):
            expected = reference.weighted_sum(weights, values)
            if not same(context, expected, equal_nan=True):
                expect_finite("context", context, case=case)
                table = _context_mistakes(scores, values, mask, weights)
                _expect_context_of(context, expected, table, case)
    if own is None or same(own, right):
        expect_unchanged("scores", given[0], scores, case)
    expect_unchanged("values", given[1], values, case)
    expect_unchanged("source_mask", given[2], mask, case)


def _pair(result: object, scores: Tensor, values: Tensor, case: str) -> tuple[Tensor, Tensor]:
    if isinstance(result, Tensor) or not isinstance(result, tuple | list) or len(result) != 2:
        got = "one tensor" if isinstance(result, Tensor) else f"a {type(result).__name__}"
        got = "nothing (None)" if result is None else got
        raise CheckFailed("attend", got, "the pair (context, weights)", "the caller needs both")
    context, weights = result
    batch, keys, value_size = values.shape
    expect_tensor("context", context, like=values, case=case)
    expect_tensor("weights", weights, like=scores, case=case)
    if context.shape == (batch, keys) and weights.shape == (batch, value_size):
        raise CheckFailed("attend", "the pair (weights, context)", "(context, weights)", "the order is the other way")
    expect_shape("context", context, case=case, batch=batch, value_size=value_size)
    expect_shape("weights", weights, case=case, batch=batch, keys=keys)
    return context, weights


def _expect_weights(weights: Tensor, scores: Tensor, mask: Tensor, right: Tensor, case: str) -> None:
    expect_finite("weights", weights, "a sentence without a real token gets weights of 0", case)
    table = {
        "the mask is not used for the weights: padding takes part in the softmax": scores.softmax(-1),
        "the mask comes after the softmax: the real tokens no longer share all of the 1": scores.softmax(-1) * mask,
        "these are the scores, masked, not yet normalised": scores * mask,
        "these are the scores: the softmax is missing": scores,
        "the mask is turned round: True means a real token": reference.masked_softmax(scores, ~mask),
        "the softmax is applied twice": reference.masked_softmax(right, mask),
        "the real tokens share the weight equally: the scores are not used": mask / mask.sum(-1, keepdim=True).clamp(1),
    }
    expect_close("weights", weights, right, lambda: table, case=case)


def _context_mistakes(scores: Tensor, values: Tensor, mask: Tensor, weights: Tensor) -> dict[str, Tensor]:
    real = mask.unsqueeze(-1).to(values.dtype)
    weigh = reference.weighted_sum
    return {
        "the padding is left in the sum: it uses other weights than those returned": weigh(scores.softmax(-1), values),
        "the values are averaged over the real tokens; the weights are not used": (values * real).sum(1)
        / real.sum(1).clamp(1),
        "the values are summed over the real tokens; the weights are not used": (values * real).sum(1),
        "the scores are summed with, not the weights": weigh(scores * mask, values),
        "the scores, unmasked, are summed with, not the weights": weigh(scores, values),
        "the mask comes after the softmax in the sum": weigh(scores.softmax(-1) * mask, values),
        **sum_mistakes(weights, values),
    }


def _expect_context_of(context: Tensor, expected: Tensor, table: dict[str, Tensor], case: str) -> None:
    why = "the context is the sum of the values, each times the weight that is returned with it"
    expect_close("context", context, expected, lambda: table, why=why, case=case)


def _expect_attend_flow(answer: Function, masked_softmax: Function | None, weighted_sum: Function | None) -> None:
    """Gradients pass through `attend` wherever they pass through the learner's own parts."""
    draw = generator("attend gradients")
    scores, values = torch.randn(3, 6, generator=draw), torch.randn(3, 6, 4, generator=draw)
    mask = torch.arange(6) < torch.tensor([6, 4, 1]).unsqueeze(1)
    scores.requires_grad_()
    values.requires_grad_()
    weights = reference.masked_softmax(scores, mask)
    for part, result in ((masked_softmax, (scores, mask)), (weighted_sum, (weights, values))):
        own = _quietly(part, *result)
        if part is not None and (own is None or not own.requires_grad):
            return  # judged where that part is the task
    named = {"scores": scores, "values": values, "source_mask": mask.clone()}
    context, returned = _pair(ask("attend", answer, **named), scores, values, "")
    expected = reference.weighted_sum(weights, values)
    if same(returned, weights) and same(context, expected):
        pairs = {"scores": (scores, scores), "values": (values, values)}
        expect_gradients("context", context, expected, pairs, "gradients")
        return
    with torch.no_grad():
        plain = _pair(
            ask("attend", answer, **{name: one.detach().clone() for name, one in named.items()}), scores, values, ""
        )
    if not (same(context, plain[0], equal_nan=True) and same(returned, plain[1], equal_nan=True)):
        why = "does the answer look at whether gradients are asked for?"
        raise CheckFailed("attend (gradients)", "other values than without gradients", "the same values", why)


def _quietly(function: Function | None, *arguments: Tensor) -> Tensor | None:
    """What the learner's own part gives, if it gives a tensor at all, and not the same whatever it is given."""
    if function is None:
        return None
    others = [~one if one.dtype == torch.bool else one.detach().flip(-1) + 1 for one in arguments]
    try:
        result, other = (
            ask("part", function, **{f"argument {n}": argument for n, argument in enumerate(given)})
            for given in (arguments, others)
        )
    except CheckFailed:
        return None
    if not isinstance(result, Tensor) or (isinstance(other, Tensor) and same(other, result, equal_nan=True)):
        return None
    return result
