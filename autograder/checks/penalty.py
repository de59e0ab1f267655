"""Checks of the doubly stochastic penalty: over all steps, each real position gets about as much as any other."""

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
from seq2seq import penalties as reference
from seq2seq.attention import masked_softmax

Function = Callable[..., Tensor]


@check
def check_doubly_stochastic_penalty(answer: Function) -> None:
    """doubly stochastic penalty: what each real position gets over the real steps, its distance from 1, squared"""
    _compare(answer, [5, 5, 5], [3, 3, 3])
    _compare(answer, [5, 3, 2], [2, 4, 3], what="penalty, with padding")


@check
def check_doubly_stochastic_penalty_hidden(answer: Function) -> None:
    """doubly stochastic penalty, other cases: one sentence, one step, one position, an empty sentence, float64"""
    _compare(answer, [6], [3], case="a batch of one sentence")
    _compare(answer, [5, 2, 4], [1, 1, 1], case="a single step")
    _compare(answer, [1, 1], [3, 2], case="a single position")
    _compare(answer, [0, 4, 2], [3, 0, 5], case="a sentence without real positions, one without real steps")
    _compare(answer, [4, 6], [7, 5], dtype=torch.float64, case="float64")


def _compare(
    answer: Function,
    sources: list[int],
    targets: list[int],
    dtype: torch.dtype = torch.float32,
    what: str = "penalty",
    case: str = "",
) -> None:
    """The weights of padding steps are not 0: a decoder goes on computing there."""
    batch, keys, steps = len(sources), max(sources), max(targets)
    source_mask = torch.arange(keys) < torch.tensor(sources).unsqueeze(1)
    target_mask = torch.arange(steps) < torch.tensor(targets).unsqueeze(1)
    scores = torch.randn(batch, steps, keys, generator=generator(f"penalty {case} {what}")).to(dtype)
    scores[..., 0] += 2.5  # one position gets too much, so that some distances from 1 have the other sign
    weights = masked_softmax(scores, source_mask.unsqueeze(1)).requires_grad_()
    expected = reference.doubly_stochastic_penalty(weights, source_mask, target_mask)
    own = weights.detach().clone().requires_grad_()
    given = {"weights": own, "source_mask": source_mask.clone(), "target_mask": target_mask.clone()}
    penalty = ask(what, answer, case=case, **given)
    shapes = {
        (): "each sentence has a penalty of its own",
        (batch, keys): "the positions are still to be summed: one number per sentence",
        (batch, steps): "the sum over the steps comes first; then the positions are summed",
    }
    expect_tensor(what, penalty, like=weights, case=case)
    expect_shape(what, penalty, shapes, case, batch=batch)
    expect_finite(what, penalty, case=case)
    table = _mistakes(weights.detach(), source_mask, target_mask)
    why = "Σ over real positions of (1 − Σ over real steps of the weight)²"
    expect_close(what, penalty.detach(), expected.detach(), lambda: table, why=why, case=case)
    expect_unchanged("weights", own, weights, case)
    expect_unchanged("source_mask", given["source_mask"], source_mask, case)
    expect_unchanged("target_mask", given["target_mask"], target_mask, case)
    expect_gradients(what, penalty, expected, {"weights": (own, weights)}, case)


def _mistakes(weights: Tensor, source_mask: Tensor, target_mask: Tensor) -> dict[str, Tensor]:
    real = weights * target_mask.unsqueeze(-1)
    total, plain = real.sum(1), weights.sum(1)
    steps = target_mask.sum(-1, keepdim=True).clamp(1)

    def penalty(gap: Tensor) -> Tensor:
        return (gap.square() * source_mask).sum(-1)

    return {
        "neither mask is used: padding positions get 0, and steps of padding add to the others": (1 - plain)
        .square()
        .sum(-1),
        "padding positions are counted: they get nothing, and each would cost 1": (1 - total).square().sum(-1),
        "steps of padding are counted: the decoder goes on looking there": penalty(1 - plain),
        "the sum runs over the positions, which is 1 at every step already: sum over the steps": (
            (1 - real.sum(2)).square() * target_mask
        ).sum(-1),
        "the square is missing: too much here would pay for too little there": ((1 - total) * source_mask).sum(-1),
        "the distance is not squared": ((1 - total).abs() * source_mask).sum(-1),
        "the 1 is missing: this asks that nothing be looked at": penalty(total),
        "each weight has its own distance from 1: the steps are summed first": (
            (1 - weights).square() * target_mask.unsqueeze(-1) * source_mask.unsqueeze(1)
        ).sum((1, 2)),
        "the weights are averaged over the steps; they are summed": penalty(1 - total / steps),
        "the penalty is averaged over the real positions; it is summed": penalty(1 - total)
        / source_mask.sum(-1).clamp(1),
        "the penalty is averaged over all positions; it is summed": penalty(1 - total) / weights.size(2),
        "the root is taken of it": penalty(1 - total).sqrt(),
        "the sum is squared, not each position's distance": ((1 - total) * source_mask).sum(-1).square(),
        "the mask of the steps is turned round: True means a real step": penalty(
            1 - (weights * ~target_mask.unsqueeze(-1)).sum(1)
        ),
        "the mask of the positions is turned round: True means a real position": (
            (1 - total).square() * ~source_mask
        ).sum(-1),
        "the penalty of the whole batch is given to each sentence": penalty(1 - total).sum().expand(len(weights)),
    }
