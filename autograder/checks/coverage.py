"""Checks of the coverage loss: what looking twice costs."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_finite,
    expect_gradients,
    expect_tensor,
    expect_unchanged,
    generator,
)
from autograder.wording import labelled
from seq2seq.decoders import pointer as reference

Function = Callable[..., Any]

DIVIDED = "0/0: where no word is real, nothing is looked at twice, and the loss is 0"


@check
def check_coverage_loss(answer: Function) -> None:
    """coverage loss: 0 where every step looks elsewhere; what is looked at twice, a mean over real words, gradients"""
    _compare(answer, *_draw((4, 4), 6), "loss of sentences of one length")
    _compare(answer, *_draw((6, 4, 2), 5), "loss")
    elsewhere = torch.eye(4, 5).expand(2, -1, -1)
    _compare(answer, elsewhere, _mask((4, 3), 4), "loss of steps that look elsewhere")
    _compare_gradients(answer, *_draw((5, 3), 4))


@check
def check_coverage_loss_hidden(answer: Function) -> None:
    """coverage loss, other cases: one step, one source token, no real word, other sizes, float64, gradients"""
    what = "loss"
    _compare(answer, *_draw((3, 8, 5, 1), 7, "other sizes"), what, "other sizes")
    _compare(answer, *_draw((1, 1), 4, "one step"), what, "a single step")
    _compare(answer, *_draw((4, 2), 1, "one token"), what, "sources of one token")
    weights, mask = _draw((4, 3), 5, "no word")
    _compare(answer, weights, torch.zeros_like(mask), what, "a batch without a real word")
    _compare(answer, weights, mask.flip(-1), what, "padding on the left")
    _compare(answer, weights[1:], torch.arange(4)[None] == 2, what, "a single real word, after padding")
    _compare(answer, *_draw((5, 0, 3), 4, "empty"), what, "a sentence without a real word")
    _compare(answer, *_draw((6, 3), 5, "double", torch.float64), what, "float64")
    _compare_gradients(answer, *_draw((6, 2, 4), 3, "gradients"), "gradients")


def _compare(answer: Function, weights: Tensor, mask: Tensor, what: str, case: str = "") -> None:
    expected = reference.coverage_loss(weights, mask)
    given = {"weights": weights.clone(), "target_mask": mask.clone()}
    with torch.no_grad():
        loss = ask(what, answer, case=case, **given)
    expect_tensor(what, loss, like=weights, case=case)
    batch, steps, places = weights.shape
    shapes = {
        (batch,): "one loss for each sentence; the mean over all real words is asked for",
        (batch, steps): "one cost for each word; the mean over all real words is asked for",
        (batch, steps, places): "nothing is summed yet: over the source tokens, and then over the real words",
        (1,): "one number, without an axis",
    }
    if loss.dim():
        raise CheckFailed(
            labelled(what, case),
            f"shape {tuple(loss.shape)}",
            "one number, shape ()",
            shapes.get(tuple(loss.shape), ""),
        )
    expect_finite(what, loss, DIVIDED, case)
    expect_close(
        what,
        loss,
        expected,
        mistakes=lambda: _mistakes(weights, mask),
        properties=lambda: _expect_range(labelled(what, case), loss, case),
        case=case,
    )
    expect_unchanged("weights", given["weights"], weights, case)
    expect_unchanged("target_mask", given["target_mask"], mask, case)


def _expect_range(label: str, loss: Tensor, case: str) -> None:
    if not -1e-6 <= float(loss) <= 1 + 1e-6:
        got = "outside 0 to 1" if case else f"{float(loss):.3g}"
        why = "a step cannot look twice with more weight than it has, which is 1"
        raise CheckFailed(label, got, "a number from 0 to 1", why)


def _mistakes(weights: Tensor, mask: Tensor) -> dict[str, Tensor]:
    before = weights.cumsum(1) - weights
    last = torch.cat([torch.zeros_like(weights[:, :1]), weights[:, :-1]], dim=1)
    twice = torch.minimum(weights, before).sum(-1)
    real = mask.to(weights.dtype)
    count = real.sum().clamp(min=1)

    def mean(costs: Tensor) -> Tensor:
        return (costs * real).sum() / count

    each = (twice * real).sum(1) / real.sum(1).clamp(min=1)
    average = before / torch.arange(weights.size(1)).clamp(min=1).view(1, -1, 1)
    wrong = {
        "the coverage of a step has the step itself in it; it is the sum of the steps before": mean(
            torch.minimum(weights, weights.cumsum(1)).sum(-1)
        ),
        "only the step just before counts; coverage is the sum of all before": mean(
            torch.minimum(weights, last).sum(-1)
        ),
        "the coverage is the mean of the steps before; it is their sum": mean(torch.minimum(weights, average).sum(-1)),
        "the coverage runs along the source; it runs along the steps": mean(
            torch.minimum(weights, weights.cumsum(2) - weights).sum(-1)
        ),
        "the coverage is the sum of the steps to come; it is the sum of those before": mean(
            torch.minimum(weights, weights.flip(1).cumsum(1).flip(1) - weights).sum(-1)
        ),
        "the maximum is taken; what is looked at twice is the minimum": mean(torch.maximum(weights, before).sum(-1)),
        "the product is taken; what is looked at twice is the minimum": mean((weights * before).sum(-1)),
        "the mask is not used: padding steps cost something": twice.mean(),
        "the sum of the real words is divided by all steps, padding among them": (twice * real).mean(),
        "the mask is turned round: True means a real word": (twice * ~mask).sum() / (~mask).sum().clamp(min=1),
        "this is the sum; the mean over the real words is asked for": (twice * real).sum(),
        "the sum is divided by the number of sentences; it is divided by that of real words": (twice * real).sum()
        / len(weights),
        "this is the mean of each sentence's mean; every real word counts the same": each.mean(),
        "the costs are averaged over the source tokens; they are summed": mean(twice) / weights.size(2),
        "the largest cost of a step is taken; its costs are summed": mean(torch.minimum(weights, before).amax(-1)),
        "this is what is looked at for the first time: 1 less the cost": mean(1 - twice),
    }
    return {why: value.to(weights.dtype) for why, value in wrong.items() if torch.isfinite(value)}


def _compare_gradients(answer: Function, own: Tensor, mask: Tensor, case: str = "") -> None:
    weights = own.clone().requires_grad_()
    own.requires_grad_()
    loss = ask("loss", answer, case=case, weights=weights, target_mask=mask.clone())
    expect_gradients("loss", loss, reference.coverage_loss(own, mask), {"weights": (weights, own)}, case)


def _draw(
    lengths: tuple[int, ...], places: int, case: str = "", dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor]:
    steps = max(lengths)
    draw = generator(f"coverage {case} {lengths} {places}")
    raw = 2 * torch.randn(len(lengths), steps, places, generator=draw, dtype=dtype)
    return raw.softmax(-1), _mask(lengths, steps)


def _mask(lengths: tuple[int, ...], steps: int) -> Tensor:
    return torch.arange(steps) < torch.tensor(lengths).unsqueeze(1)
