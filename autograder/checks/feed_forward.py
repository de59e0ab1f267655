"""Checks of feed-forward attention: scores from the states alone, real steps share the 1, a weighted mean."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.pair import expect_pair
from autograder.checks.twins import twins
from autograder.expect import ask, check, expect_close, expect_finite, expect_gradients, expect_unchanged, generator
from seq2seq.attention import masked_softmax, weighted_sum
from seq2seq.beyond.feed_forward_attention import FeedForwardAttention

Answer = Callable[..., Any]


@check
def check_feed_forward_attention(answer: Answer) -> None:
    """feed-forward attention: a score for each step by itself, weights of the real steps, their mean, gradients"""
    _compare(answer, (6, 6, 6), 4)
    _compare(answer, (6, 4, 2), 5)
    _compare_gradients(answer, (5, 3, 2), 4)


@check
def check_feed_forward_attention_hidden(answer: Answer) -> None:
    """feed-forward attention, other cases: one sequence, one step, large states, more padding, float64, gradients"""
    _compare(answer, (9, 4, 1, 7), 6, "other sizes")
    _compare(answer, (5,), 3, "a batch of one sequence")
    _compare(answer, (1, 1), 3, "sequences of one step")
    _compare(answer, (4, 2, 3), 1, "states of size one")
    _compare(answer, (6, 3), 5, "large states", scale=200.0)
    _compare(answer, (4, 0, 2), 5, "a sequence without a real step")
    _compare(answer, (7, 2), 4, "float64", dtype=torch.float64)
    _compare_gradients(answer, (6, 3, 4), 3, "gradients")


def _compare(
    answer: Answer,
    lengths: tuple[int, ...],
    size: int,
    case: str = "",
    scale: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> None:
    module, twin = twins(answer, FeedForwardAttention, {"size": size}, dtype, case)
    states, mask = _draw(lengths, size, case, dtype)
    states = scale * states
    given = {"states": states.clone(), "mask": mask.clone()}
    batch, steps = mask.shape
    sizes = {"batch": batch, "size": size}, {"batch": batch, "steps": steps}
    with torch.no_grad():
        result = ask("attention", module, case=case, **given)
        context, weights = expect_pair("attention", result, ("context", "weights"), sizes, states, case)
        right_context, right_weights = twin(states, mask)
        expect_finite("weights", weights, "a sequence without a real step gets weights of 0", case)
        table = _weight_mistakes(twin, states, mask)
        expect_close("weights", weights, right_weights, lambda: table, case=case)
        expect_finite("context", context, case=case)
        contexts = _context_mistakes(states, mask, right_weights, table)
        expect_close("context", context, right_context, lambda: contexts, case=case)
    expect_unchanged("states", given["states"], states, case)
    expect_unchanged("mask", given["mask"], mask, case)


def _weight_mistakes(twin: FeedForwardAttention, states: Tensor, mask: Tensor) -> dict[str, Tensor]:
    plain = twin.score_layer(states).squeeze(-1)
    scores = torch.tanh(plain)
    right = masked_softmax(scores, mask)
    raw = scores.exp() * mask
    weight, bias = twin.score_layer.weight[0], twin.score_layer.bias
    low = torch.finfo(scores.dtype).min
    wrong = {
        "the tanh is missing": masked_softmax(plain, mask),
        "there is a sigmoid in place of the tanh": masked_softmax(plain.sigmoid(), mask),
        "there is a ReLU in place of the tanh": masked_softmax(plain.relu(), mask),
        "the tanh is taken of the states; it is taken of their score": masked_softmax(
            torch.tanh(states) @ weight + bias, mask
        ),
        "the bias b is left out: it is inside the tanh, where it counts": masked_softmax(
            torch.tanh(states @ weight), mask
        ),
        "the bias b is added after the tanh, where the softmax cancels it": masked_softmax(
            torch.tanh(states @ weight) + bias, mask
        ),
        "the mask is not used: padding takes part in the softmax": scores.softmax(-1),
        "the mask comes after the softmax, so the real steps no longer share all of the 1": scores.softmax(-1) * mask,
        "the scores are multiplied by the mask: a score of 0 is not low, exp(0) is 1": (scores * mask).softmax(-1),
        "the mask is turned round: True means a real step": masked_softmax(scores, ~mask),
        "these are the scores: the softmax is missing": scores,
        "these are the scores, masked: the softmax is missing": scores * mask,
        "these are the scores divided by their sum; the softmax takes exponentials": scores
        * mask
        / (scores * mask).sum(-1, keepdim=True),
        "the softmax is applied twice": masked_softmax(right, mask),
        "the softmax runs over the batch; the steps of one sequence compete with each other": (
            scores.masked_fill(~mask, low).softmax(0) * mask
        ),
        "the softmax runs over the axis of size 1, where one number alone has all of the 1": torch.ones_like(scores),
        "these are exponentials that are never divided by their sum": raw,
        "every real step has the same weight: that is the plain mean": mask / mask.sum(-1, keepdim=True).clamp(min=1),
        "a sequence without a real step shares its 1 among the padding; it gets weights of 0": (
            scores.masked_fill(~mask, low).softmax(-1)
        ),
    }
    return {why: value.to(scores.dtype) for why, value in wrong.items()}


def _context_mistakes(states: Tensor, mask: Tensor, weights: Tensor, table: dict[str, Tensor]) -> dict[str, Tensor]:
    real = mask.unsqueeze(-1).to(states.dtype)
    right = weighted_sum(weights, states)
    return {
        "this is the plain mean of the real steps: the weights are not used": (states * real).sum(1)
        / real.sum(1).clamp(min=1),
        "this is the plain mean of all steps: neither the weights nor the mask are used": states.mean(1),
        "this is the plain sum of the states": states.sum(1),
        "the sum is divided by the number of steps as well: the weights have seen to that": right / states.size(1),
        "the sum is divided by the number of real steps as well: the weights have seen to that": right
        / real.sum(1).clamp(min=1),
        "this is the state of the largest weight alone: every step has a say": states[
            torch.arange(len(states)), weights.argmax(-1)
        ],
        "the tanh of the states is summed; it belongs to the scores": weighted_sum(weights, torch.tanh(states)),
    } | {
        f"other weights than those returned are summed with; {why}": weighted_sum(w, states) for why, w in table.items()
    }


def _compare_gradients(answer: Answer, lengths: tuple[int, ...], size: int, case: str = "") -> None:
    module, twin = twins(answer, FeedForwardAttention, {"size": size}, case=f"{case} gradients".strip())
    own, mask = _draw(lengths, size, f"{case} gradients")
    own.requires_grad_()
    states = own.detach().clone().requires_grad_()
    theirs, ours = (dict(side.named_parameters()) for side in (module, twin))
    pairs = {name: (theirs[name], ours[name]) for name in ours} | {"states": (states, own)}
    result = ask("attention", module, case=case, states=states, mask=mask)
    for name, got, expected in zip(("context", "weights"), result, twin(own, mask), strict=True):
        expect_gradients(name, got, expected, pairs, case)


def _draw(lengths: tuple[int, ...], size: int, case: str, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    steps = max(lengths) + (2 if 0 in lengths else 0)
    states = torch.randn(len(lengths), steps, size, generator=generator(f"states {case} {lengths}"), dtype=dtype)
    return states, torch.arange(steps) < torch.tensor(lengths).unsqueeze(1)
