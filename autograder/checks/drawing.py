"""Checks of a draw: which position a given number falls on. The numbers are given, so the answer is exact."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

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
from autograder.wording import labelled
from seq2seq import hard as reference

Function = Callable[..., Tensor]

BELOW_ONE = 1 - 2**-24  # the largest float32 below 1
ROUNDING = "rounding may leave the sum of the weights below the number: compare with the number times the whole sum"
HOLES = torch.tensor([[0, 0.2, 0.5, 0, 0.3, 0], [0.4, 0, 0, 0.6, 0, 0], [0, 0, 0, 0, 1, 0]])


@check
def check_choice_at(answer: Function) -> None:
    """choice_at: one-hot rows, each position on its own stretch of the numbers; padding never, zeros give zeros"""
    weights = _weights("plain", (4, 5))
    _compare(answer, weights, _numbers("plain", weights))
    _expect_no_draw_of_its_own(answer, weights)
    _compare(answer, HOLES, _numbers("holes", HOLES), what="choice, with positions of weight 0")
    _compare(answer, HOLES, torch.zeros(3), what="choice at 0, with positions of weight 0")
    empty = HOLES * torch.tensor([[1.0], [0.0], [1.0]])
    _compare(answer, empty, _numbers("empty", empty), what="choice, with a row of zeros")


@check
def check_choice_at_hidden(answer: Function) -> None:
    """choice_at, other cases: one sentence, one key, many keys, a table of steps, float64, numbers just below 1"""
    _compare_case(answer, _weights("single", (1, 6)), "a batch of one sentence")
    _compare_case(answer, _weights("one key", (3, 1)), "sentences of one key")
    _compare_case(answer, _weights("many", (6, 12)), "many keys")
    _compare_case(answer, _weights("double", (4, 5)).double(), "float64")
    _compare_case(answer, _weights("table", (2, 3, 4)), "weights (batch, steps, keys)")
    _compare_case(answer, _weights("gradient", (3, 4)).requires_grad_(), "weights that ask for gradients")
    short = HOLES * (1 - 1e-6)
    _compare(answer, short, torch.full((3,), BELOW_ONE), case="rows that rounding left a little below 1")


def _compare_case(answer: Function, weights: Tensor, case: str) -> None:
    _compare(answer, weights, _numbers(case, weights), case=case)


def _compare(answer: Function, weights: Tensor, uniform: Tensor, what: str = "choice", case: str = "") -> None:
    expected = reference.choice_at(weights, uniform)
    own = weights.detach().clone().requires_grad_(weights.requires_grad)
    given = {"weights": own, "uniform": uniform.clone()}
    choice = ask(what, answer, case=case, **given)
    keys = weights.size(-1)
    axes = dict(
        zip(("batch", "keys") if weights.dim() == 2 else ("batch", "steps", "keys"), weights.shape, strict=True)
    )
    if isinstance(choice, Tensor) and not choice.dtype.is_floating_point and choice.shape == uniform.shape:
        why = "a row of as many numbers as positions, 1 at the one that is chosen and 0 elsewhere"
        raise CheckFailed(labelled(what, case), "the number of the position", "a one-hot row", why)
    expect_tensor(what, choice, like=weights, case=case)
    lost = "this is one number per row: it takes a row with a 1 at the chosen position"
    expect_shape(what, choice, {tuple(uniform.shape): lost}, case, **axes)
    expect_finite(what, choice, "0/0 in a row of zeros?", case)
    plain = weights.detach()
    table = _mistakes(plain, uniform, keys)
    properties = lambda: _expect_one_hot(choice.detach(), plain, what, case)  # noqa: E731
    why = "the first position at which the weights, summed up so far, exceed the number"
    expect_close(what, choice.detach(), expected, lambda: table, properties, why, case)
    expect_unchanged("weights", own, weights, case)
    expect_unchanged("uniform", given["uniform"], uniform, case)


def _mistakes(weights: Tensor, uniform: Tensor, keys: int) -> dict[str, Tensor]:
    right = reference.choice_at(weights, uniform)
    ends, number = weights.cumsum(-1), uniform.unsqueeze(-1)
    passed = (ends > number).to(weights.dtype)
    even = (number * keys).long().clamp(max=keys - 1)

    def one_hot(position: Tensor) -> Tensor:
        return F.one_hot(position.clamp(0, keys - 1), keys).to(weights.dtype)

    first = one_hot((ends > number).int().argmax(-1))
    special: dict[str, Tensor] = {}
    if (weights == 0).all(-1).any():
        special["a row of zeros chooses a position all the same; it gives zeros"] = first
    elif (ends[..., -1:] <= number).any():
        special[f"the wrong position is chosen: {ROUNDING}"] = first
        special[f"no position is chosen: {ROUNDING}"] = passed.diff(prepend=torch.zeros_like(passed[..., :1]))
    if (uniform == 0).any():
        why = (
            "a position of weight 0 is chosen where the number is 0: the sum has to exceed the number, not to reach it"
        )
        special[why] = one_hot((ends >= number).int().argmax(-1))
    return special | {
        "this is the position of the largest weight, whatever the number: then nothing is drawn": one_hot(
            weights.argmax(-1)
        )
        * (weights > 0),
        "these are the weights: a draw takes one position, wholly": weights,
        "every position has the same stretch here: the weights are not used": one_hot(even.squeeze(-1)),
        "all positions from the chosen one on are 1: only the first of them is meant": passed,
        "all positions before the chosen one are 1": 1 - passed,
        "this is the position before the one that the number falls on": one_hot(right.argmax(-1) - 1),
        "this is the position after the one that the number falls on": one_hot(right.argmax(-1) + 1),
        "the number is compared with each weight alone: the weights have to be summed up from the left": one_hot(
            (weights > number).int().argmax(-1)
        ),
        "the position whose weight is nearest to the number is taken: the weights have to be summed up": one_hot(
            (weights - number).abs().argmin(-1)
        ),
        "the weights are summed up from the right, or 1 − u is used in place of u": reference.choice_at(
            weights.flip(-1), uniform
        ).flip(-1),
        "the number of sentence 0 is used for every sentence": reference.choice_at(
            weights, uniform[:1].expand_as(uniform)
        ),
    }


def _expect_one_hot(choice: Tensor, weights: Tensor, what: str, case: str) -> None:
    what, ones = labelled(what, case), weights.gt(0).any(-1).to(choice.dtype)
    if not ((choice == 0) | (choice == 1)).all():
        raise CheckFailed(what, "other numbers than 0 and 1", "one-hot rows", "one position is taken, wholly")
    if not torch.equal(choice.sum(-1), ones):
        why = "one position is taken in each row, and none in a row of zeros"
        raise CheckFailed(what, "a row has not exactly one 1", "one 1 in each row", why)
    if (choice * (weights == 0)).any():
        why = "it owns no stretch of the numbers"
        raise CheckFailed(what, "a position of weight 0 is chosen", "never", why)


def _expect_no_draw_of_its_own(answer: Function, weights: Tensor) -> None:
    uniform = _numbers("again", weights)
    once, *others = (ask("choice", answer, weights=weights.clone(), uniform=uniform.clone()) for _ in range(8))
    if not all(same(other, once) for other in others):
        why = "the chance is in `uniform` already: draw nothing here"
        raise CheckFailed("choice", "another position for the same number", "the same position every time", why)


def _weights(name: str, shape: tuple[int, ...]) -> Tensor:
    return torch.randn(shape, generator=generator(f"drawing {name}")).softmax(-1)


def _numbers(name: str, weights: Tensor) -> Tensor:
    """Numbers well within the stretch of a position: of the first one in a row, of the next in the next, and so on."""
    draw, keys = generator(f"numbers {name}"), weights.size(-1)
    rows = weights.detach().reshape(-1, keys)
    ends, turn = rows.cumsum(-1), int(torch.randint(keys, (), generator=draw))
    numbers = 0.2 + 0.6 * torch.rand(len(rows), generator=draw).to(weights.dtype)
    for n, row in enumerate(rows):
        real = row.nonzero().flatten()
        if len(real):
            position = real[(n + turn) % len(real)]
            numbers[n] = ends[n, position] - numbers[n] * row[position]
    return numbers.view(weights.shape[:-1])
