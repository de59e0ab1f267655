"""Checks of local attention's windows: which positions lie inside, and which are to be fetched."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from autograder.wording import labelled
from seq2seq import local as reference

Function = Callable[..., Tensor]

KEYS, HALF_WIDTH = 9, 2
WHOLE = [[0.0, 3.0, 8.0], [2.0, 5.0, 11.0]]
BETWEEN = [[0.25, 3.5, 7.75], [-0.75, 4.25, 10.5]]


@check
def check_in_window(answer: Function) -> None:
    """in_window: from p − D to p + D, both edges inside, for whole centres and for those between two words"""
    _compare_window(answer, torch.tensor(BETWEEN), what="inside, for centres between words")
    _compare_window(answer, torch.tensor(WHOLE), what="inside, for whole centres")
    _expect_refusal(answer)


@check
def check_in_window_hidden(answer: Function) -> None:
    """in_window, other cases: half widths 1 and 4, one sentence, one query, whole numbers, positions per query"""
    _compare_window(answer, torch.tensor(BETWEEN), half_width=1, case="half width 1")
    _compare_window(answer, centres("wide", 3, 5), half_width=4, keys=13, case="half width 4")
    _compare_window(answer, centres("single", 1, 4), case="a batch of one sentence")
    _compare_window(answer, centres("one query", 4, 1), case="one query")
    _compare_window(answer, torch.tensor(WHOLE).long(), case="centres that are whole numbers (int64)")
    _compare_window(answer, torch.tensor(BETWEEN).double(), case="float64")
    draw = centres("own positions", 3, 2)
    positions = torch.stack([torch.randperm(7, generator=generator(f"places {n}")) for n in range(6)]).view(3, 2, 7)
    _compare_window(answer, draw, positions=positions, case="positions of each query's own")


@check
def check_window_positions(answer: Function) -> None:
    """window_positions: 2D + 1 neighbours from ⌈p − D⌉ on, some of them beyond the ends"""
    _compare_positions(answer, torch.tensor(WHOLE), what="positions, for whole centres")
    _compare_positions(answer, torch.tensor(BETWEEN), what="positions, for centres between words")


@check
def check_window_positions_hidden(answer: Function) -> None:
    """window_positions, other cases: half widths 1 and 5, one sentence, one query, float64, centres to be learned"""
    _compare_positions(answer, torch.tensor(BETWEEN), half_width=1, case="half width 1")
    _compare_positions(answer, centres("far", 3, 4), half_width=5, case="half width 5")
    _compare_positions(answer, centres("single", 1, 4), case="a batch of one sentence")
    _compare_positions(answer, centres("one query", 4, 1), case="one query")
    _compare_positions(answer, torch.tensor(BETWEEN).double(), case="float64")
    _compare_positions(answer, torch.tensor(BETWEEN).requires_grad_(), case="centres that ask for gradients")


def centres(name: str, batch: int, queries: int) -> Tensor:
    """Quarters from −1 to 10, so that distances are exact and some edges are met exactly."""
    return torch.randint(-4, 41, (batch, queries), generator=generator(f"centres {name}")) / 4


def _compare_window(
    answer: Function,
    centre: Tensor,
    half_width: int = HALF_WIDTH,
    keys: int = KEYS,
    positions: Tensor | None = None,
    what: str = "inside",
    case: str = "",
) -> None:
    positions = torch.arange(keys) if positions is None else positions
    expected = reference.in_window(positions, centre, half_width)
    given = {"positions": positions.clone(), "centres": centre.clone(), "half_width": half_width}
    inside = ask(what, answer, case=case, **given)
    batch, queries, keys = expected.shape
    shapes = {
        (batch, keys): "there is a row of answers for every query: the axis `queries` is lost",
        (batch, queries): "there is an answer for every position: give the centres an axis more",
        (batch, keys, queries): "the axes came out as (batch, keys, queries): the new axis of the centres comes last",
    }
    expect_tensor(what, inside, like=expected, case=case)
    expect_shape(what, inside, shapes, case, batch=batch, queries=queries, keys=keys)
    why = "True exactly where the distance from position to centre is at most D"
    expect_close(what, inside, expected, lambda: _window_mistakes(positions, centre, half_width), why=why, case=case)
    expect_unchanged("positions", given["positions"], positions, case)
    expect_unchanged("centres", given["centres"], centre, case)


def _window_mistakes(positions: Tensor, centre: Tensor, half_width: int) -> dict[str, Tensor]:
    offsets = positions - centre.unsqueeze(-1)
    inside = offsets.abs() <= half_width
    whole = {"rounded": centre.round(), "cut to a whole number": centre.long(), "rounded down": centre.floor()}
    return {
        "this is turned round: True means inside the window": ~inside,
        "the two edges are left out: a word exactly D away is inside, the window is [p − D, p + D]": offsets.abs()
        < half_width,
        "the right edge is left out: the window is [p − D, p + D], both ends included": (offsets >= -half_width)
        & (offsets < half_width),
        "the left edge is left out: the window is [p − D, p + D], both ends included": (offsets > -half_width)
        & (offsets <= half_width),
        "everything before the centre is inside: it is the distance that counts, on both sides": offsets <= half_width,
        "everything after the centre is inside: it is the distance that counts, on both sides": offsets >= -half_width,
        "only the words up to the centre are inside: the window reaches as far to the right": (offsets <= 0)
        & (offsets >= -half_width),
        "only the words from the centre on are inside: the window reaches as far to the left": (offsets >= 0)
        & (offsets <= half_width),
        "the window is half as wide as it should be: D words on each side, not D in all": offsets.abs()
        <= half_width / 2,
        "the window is twice as wide as it should be: D words on each side": offsets.abs() <= 2 * half_width,
        "the window lies one word too far to the right: positions are counted from 0": (offsets - 1).abs()
        <= half_width,
        "the window lies one word too far to the left: positions are counted from 0": (offsets + 1).abs() <= half_width,
        "the centres of sentence 0 are used for every sentence": inside[:1].expand_as(inside),
        "the centre of query 0 is used for every query": inside[:, :1].expand_as(inside),
    } | {
        f"the centre is {how} before the distance is taken; it may lie between two words": (
            positions - moved.unsqueeze(-1)
        ).abs()
        <= half_width
        for how, moved in whole.items()
    }


def _expect_refusal(answer: Function) -> None:
    what, wanted = "in_window with half_width 0", "a ValueError"
    try:
        ask(what, answer, positions=torch.arange(KEYS), centres=torch.tensor(WHOLE), half_width=0)
    except CheckFailed as failure:
        if "ValueError" in failure.got:
            return
        raise
    why = "D = 0 makes σ = D/2 zero, and the Gaussian 0/0: refuse it here, where the cause can still be named"
    raise CheckFailed(what, "returned as if nothing were wrong", wanted, why)


def _compare_positions(
    answer: Function, centre: Tensor, half_width: int = HALF_WIDTH, what: str = "positions", case: str = ""
) -> None:
    expected = reference.window_positions(centre, half_width)
    given = {"centres": centre.detach().clone().requires_grad_(centre.requires_grad), "half_width": half_width}
    positions = ask(what, answer, case=case, **given)
    batch, queries, window = expected.shape
    shapes = {
        (batch, queries, window - 1): "that is 2D positions; with the centre itself there are 2D + 1",
        (batch, queries, half_width + 1): "that is D + 1 positions: D on each side of the centre make 2D + 1",
        (batch, queries, half_width): "that is D positions: D on each side of the centre make 2D + 1",
        (batch, window): "every query has a window of its own: the axis `queries` is lost",
    }
    if isinstance(positions, Tensor) and positions.dtype.is_floating_point:
        why = "positions are used as indices: make whole numbers of them with `.long()`, after the rounding"
        raise CheckFailed(labelled(what, case), f"dtype {positions.dtype}", "torch.int64", why)
    expect_tensor(what, positions, like=expected, case=case)
    expect_shape(what, positions, shapes, case, batch=batch, queries=queries, window=window)
    why = "the first is ⌈p − D⌉, and each of the others is one more than the one before it"
    table = _position_mistakes(centre.detach(), half_width, expected)
    expect_close(what, positions, expected, lambda: table, why=why, case=case)
    expect_unchanged("centres", given["centres"], centre, case)


def _position_mistakes(centre: Tensor, half_width: int, expected: Tensor) -> dict[str, Tensor]:
    steps = torch.arange(2 * half_width + 1)

    def starting(first: Tensor) -> Tensor:
        return first.long().unsqueeze(-1) + steps

    return {
        "a position below 0 is moved to 0: then word 0 is fetched more than once, and counts more than once": (
            expected.clamp(min=0)
        ),
        "the window is pushed back into the sentence as a whole: it no longer lies around its centre": starting(
            (centre - half_width).ceil().clamp(min=0)
        ),
        "p − D is rounded down: the window then begins with a word that lies more than D from the centre": starting(
            (centre - half_width).floor()
        ),
        "p − D is cut towards 0, which rounds up below 0 and down above it: the first word inside is ⌈p − D⌉": starting(
            centre - half_width
        ),
        "p − D is rounded to the nearest whole number: the first word inside is ⌈p − D⌉": starting(
            (centre - half_width).round()
        ),
        "the window begins at the centre: it begins D words before it": starting(centre.ceil()),
        "the window ends at the centre: it ends D words after it": starting((centre - 2 * half_width).ceil()),
        "the window begins one word too late": expected + 1,
        "the window begins one word too early": expected - 1,
        "the positions run from right to left": expected.flip(-1),
        "the centre of query 0 is used for every query": expected[:, :1].expand_as(expected),
        "the centres of sentence 0 are used for every sentence": expected[:1].expand_as(expected),
    }
