"""Checks of alignments: the source word of each target word, from weights, and the diagonal that needs no model."""

from collections.abc import Callable
from typing import Any

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
from autograder.wording import brief, labelled
from seq2seq import alignment as reference

Function = Callable[..., Any]

LENGTHS = (8, 6, 5, 4)  # source tokens of each sentence
STEPS = 7


@check
def check_hard_alignment(answer: Function) -> None:
    """hard alignment: the real token of the largest weight, for this step's word, the one before, the one after"""
    for shift in (0, -1, 1):
        _compare_positions(answer, _mask(LENGTHS), STEPS, shift, f"positions at shift {shift}")


@check
def check_hard_alignment_hidden(answer: Function) -> None:
    """hard alignment, other cases: larger shifts, padding anywhere, one sentence, one word, one token, float64"""
    what = "positions"
    _compare_positions(answer, _mask((7, 3)), 6, -2, what, "a shift of two steps back")
    _compare_positions(answer, _mask((5, 4, 1)), 7, 3, what, "a shift of three steps on")
    _compare_positions(answer, _mask((4, 2)), 3, -5, what, "a shift beyond the last step")
    _compare_positions(answer, _mask((4, 2)), 3, 4, what, "a shift before the first step")
    _compare_positions(answer, _mask((6, 3, 2)).flip(-1), 4, -1, what, "padding on the left")
    _compare_positions(answer, _mask((4,)), 5, -1, what, "a batch of one sentence")
    _compare_positions(answer, _mask((1, 1)), 3, 0, what, "sentences of one source token")
    _compare_positions(answer, _mask((5, 2)), 1, 0, what, "a single target word")
    _compare_positions(answer, _mask((5, 2, 4)), 6, 0, what, "float64", torch.float64)


def _compare_positions(
    answer: Function,
    mask: Tensor,
    steps: int,
    shift: int,
    what: str,
    case: str = "",
    dtype: torch.dtype = torch.float32,
) -> None:
    # Padding gets weight here, and much: so it does from a model whose softmax forgot the mask.
    raw = torch.randn(mask.size(0), steps, mask.size(1), generator=generator(f"{what} {case}"), dtype=dtype)
    weights = torch.softmax(raw + 1.5 * ~mask.unsqueeze(1), dim=-1)
    expected = reference.hard_alignment(weights, mask, shift)
    given = {"weights": weights.clone(), "source_mask": mask.clone(), "shift": shift}
    positions = ask(what, answer, case=case, **given)
    expect_tensor(what, positions, case=case)
    if positions.is_floating_point() or positions.dtype == torch.bool:
        why = "`max` gives the largest weight, `argmax` says where it stands" if positions.is_floating_point() else ""
        raise CheckFailed(labelled(what, case), f"dtype {positions.dtype}", "whole numbers, positions in a row", why)
    batch, width = mask.shape
    shapes = {
        (batch, width): "the argmax ran over the target steps; it has to run over the source tokens",
        (batch, steps, width): "every cell has a number still; of each row, only one position is asked for",
        (steps, width): "the argmax ran over the batch; it has to run over the source tokens",
        (batch,): "one position for a whole sentence; every target word needs one of its own",
        (batch, max(0, steps - abs(shift))): "words of which no step speaks are left out; they get -1",
    }
    shapes.pop((batch, steps), None)
    expect_shape(what, positions, shapes, case, batch=batch, target_len=steps)
    expect_close(
        what,
        positions,
        expected,
        mistakes=lambda: _position_mistakes(weights, mask, shift),
        properties=lambda: _expect_real(labelled(what, case), positions, mask, case),
        case=case,
    )
    expect_unchanged("weights", given["weights"], weights, case)
    expect_unchanged("source_mask", given["source_mask"], mask, case)


def _position_mistakes(weights: Tensor, mask: Tensor, shift: int) -> dict[str, Tensor]:
    align = reference.hard_alignment
    right = align(weights, mask, shift)
    best = align(weights, mask)
    everywhere = torch.ones_like(mask)
    wrong = {
        "padding is chosen: the mask is not used": align(weights, everywhere, shift),
        "padding is chosen, real tokens never: the mask is turned round; True means a real token": align(
            weights, ~mask, shift
        ),
        "this is where the smallest weight stands": align(1 - weights, mask, shift),
        "positions count from 0, these count from 1": torch.where(right >= 0, right + 1, right),
        "positions count from 0, these count from 1, and the -1 has grown as well": right + 1,
        "the word that the weight is for, not the source token that it is on": torch.where(
            right >= 0, torch.arange(right.size(1)).expand_as(right), right
        ),
    }
    if shift:
        moved = torch.roll(best, shift, dims=1)
        edge = best[:, (torch.arange(best.size(1)) - shift).clamp(0, best.size(1) - 1)]
        wrong |= {
            "the shift is not used": best,
            "the shift goes the wrong way: step t speaks of word t + shift, "
            "so word t is read off step t - shift": align(weights, mask, -shift),
            "the words at the edge take their step from the other end of the sentence; "
            "no step speaks of them, and they get -1": moved,
            "the words at the edge repeat their neighbour's step; no step speaks of them, and they get -1": edge,
            "words of which no step speaks get 0, which is the first source token; they get -1": right.clamp(min=0),
            "the positions themselves are shifted; it is the target words that move": best + shift,
            "the positions themselves are shifted back; it is the target words that move": best - shift,
        }
    return {why: value for why, value in wrong.items() if not torch.equal(value, right)}


def _expect_real(label: str, positions: Tensor, mask: Tensor, case: str) -> None:
    width = mask.size(1)
    if positions.min() < -1 or positions.max() >= width:
        got = "some lie outside the sentence" if case else f"from {int(positions.min())} to {int(positions.max())}"
        raise CheckFailed(label, got, f"-1 or a position from 0 to {width - 1}")
    padding = ~mask.gather(1, positions.clamp(min=0)) & (positions >= 0)
    if padding.any():
        row = int(padding.any(-1).nonzero()[0])
        got = "padding is chosen" if case else f"padding is chosen in row {row}"
        raise CheckFailed(label, got, "real tokens", "how is it kept from winning, whatever its weight?")


@check
def check_diagonal(answer: Function) -> None:
    """diagonal: one position per target word, from the first source word to the last, rounded to the nearest"""
    for source, target in ((9, 4), (4, 9), (6, 6), (5, 1), (1, 4)):
        _compare_diagonal(answer, source, target, f"the diagonal of {source} source and {target} target words")


@check
def check_diagonal_hidden(answer: Function) -> None:
    """diagonal, other cases: long and short sentences, a single word on either side"""
    for source, target in ((12, 5), (3, 10), (8, 8), (7, 1), (1, 1), (1, 6), (50, 37), (2, 2), (4, 2)):
        one = "a single word on one side" if 1 in (source, target) else "other lengths"
        _compare_diagonal(answer, source, target, "the diagonal", one)


def _compare_diagonal(answer: Function, source: int, target: int, what: str, case: str = "") -> None:
    places = ask(what, answer, case=case, source_length=source, target_length=target)
    places = places.tolist() if isinstance(places, Tensor) else places
    label = labelled(what, case)
    if not isinstance(places, list | tuple):
        why = "is the `return` missing?" if places is None else ""
        raise CheckFailed(label, brief(places), "a list of whole numbers", why)
    strange = next((place for place in places if type(place) is not int), None)
    if strange is not None:
        raise CheckFailed(label, f"{brief(strange)} in the list", "whole numbers", "a position is an index: round it")
    if len(places) != target:
        swapped = "one entry for each target word; these are as many as source words" if len(places) == source else ""
        raise CheckFailed(label, f"{len(places)} positions", str(target), swapped)
    steps, last = range(target), max(1, target - 1)
    exact = [step * (source - 1) / last for step in steps]
    if all(abs(place - near) <= 0.5 + 1e-6 for place, near in zip(places, exact, strict=True)):
        return  # a half may go either way
    mistakes = {
        "these are the steps themselves; the sentences differ in length": [min(step, source - 1) for step in steps],
        "these are the steps themselves, some beyond the last source word": list(steps),
        "cut off instead of rounded: a share of 2.67 is nearer to 3 than to 2": [int(place) for place in exact],
        "rounded up: a share of 5.33 is nearer to 5 than to 6": [-int(-place // 1) for place in exact],
        "the lengths are divided as they are; the last word has index length - 1, on both sides": [
            round(step * source / target) for step in steps
        ],
        "only the source counts to its last index; the last target word has index length - 1 too": [
            round(step * (source - 1) / target) for step in steps
        ],
        "only the target counts to its last index; the last source word has index length - 1 too": [
            round(step * source / last) for step in steps
        ],
        "the two lengths are swapped": [round(step * (target - 1) / max(1, source - 1)) for step in steps],
        "positions count from 0, these count from 1": [round(place) + 1 for place in exact],
        "this runs from the last source word to the first": [source - 1 - round(place) for place in exact],
        "every word gets the same position": [places[0]] * target,
    }
    why = next((why for why, value in mistakes.items() if value == list(places)), "")
    got, wanted = next(
        (place, near) for place, near in zip(places, exact, strict=True) if abs(place - near) > 0.5 + 1e-6
    )
    step = [abs(place - near) > 0.5 + 1e-6 for place, near in zip(places, exact, strict=True)].index(True)
    if case:
        raise CheckFailed(label, "wrong positions", "those of the equation", why)
    raise CheckFailed(label, f"{got} for target word {step}", f"{wanted:.3g}, rounded", why)


def _mask(lengths: tuple[int, ...]) -> Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
