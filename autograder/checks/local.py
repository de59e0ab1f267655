"""Checks of the softmax over a window of the source.

What a learner's own `in_window` returns is accepted, right or wrong: it is judged where it is the task.
"""

from collections.abc import Callable

import torch
from torch import Tensor

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
from autograder.wording import labelled
from seq2seq import local as reference
from seq2seq.attention import masked_softmax

Function = Callable[..., Tensor]

KEYS, HALF_WIDTH = 9, 2
CENTRES = [[0.25, 4.0, 8.5], [4.5, 1.0, 8.75]]  # sentence 2 of 6 words: half a window, a whole one, an empty one
EMPTY = "a window without a real word gets weights of 0; a softmax over −∞ everywhere is 0/0"
OWN = " (with the windows of your `in_window`)"
DROWNED = "a word outside the window took all the weight before it was cut away: cut before the softmax"


@check
def check_window_softmax(answer: Function, in_window: Function | None = None) -> None:
    """window softmax: the real words of the window share the 1, all others get 0; an empty window, gradients"""
    _compare_weights(answer, in_window, [9, 6], torch.tensor(CENTRES))
    _expect_nothing_drowned(answer, in_window)


@check
def check_window_softmax_hidden(answer: Function, in_window: Function | None = None) -> None:
    """window softmax, other cases: one sentence, one word, whole centres, wide windows, fetched windows, float64"""
    own = answer, in_window
    _compare_weights(*own, [7], quarters("single", 1, 4), case="a batch of one sentence")
    _compare_weights(*own, [1, 1, 1], quarters("one word", 3, 2), keys=1, case="sentences of one word")
    _compare_weights(*own, [9, 4], torch.tensor([[0, 3, 8], [2, 5, 12]]), case="centres that are whole numbers")
    _compare_weights(*own, [5, 3, 0], quarters("wide", 3, 2), half_width=10, case="a window wider than the sentence")
    _compare_weights(*own, [9, 6], torch.tensor(CENTRES).double(), dtype=torch.float64, case="float64")
    places = reference.window_positions(torch.tensor(CENTRES), HALF_WIDTH)
    _compare_weights(*own, [9, 6], torch.tensor(CENTRES), positions=places, case="positions of each query's own")


def _compare_weights(
    answer: Function,
    in_window: Function | None,
    lengths: list[int],
    centres: Tensor,
    keys: int = KEYS,
    half_width: int = HALF_WIDTH,
    dtype: torch.dtype = torch.float32,
    positions: Tensor | None = None,
    case: str = "",
) -> None:
    mask = torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
    if positions is None:
        positions, mask = torch.arange(keys), mask.unsqueeze(1)
    else:
        mask = reference.fetch_windows(mask.unsqueeze(-1), mask, positions)[1]
    width = positions.size(-1)
    draw = generator(f"window softmax {case}")
    scores = (2 * torch.randn(*centres.shape, width, generator=draw)).to(dtype).requires_grad_()
    expected = reference.window_softmax(scores, positions, centres, half_width, mask)
    asked = scores.detach().clone().requires_grad_()
    given = {"scores": asked, "positions": positions.clone(), "centres": centres.clone()}
    given |= {"half_width": half_width, "source_mask": mask.clone()}
    what = "weights"
    weights = ask(what, answer, case=case, **given)
    expect_tensor(what, weights, like=scores, case=case)
    expect_shape(what, weights, case=case, batch=centres.size(0), queries=centres.size(1), keys=width)
    expect_finite(what, weights, EMPTY, case)
    plain = scores.detach()
    if not same(weights, expected):
        own = _quietly(in_window, positions, centres, half_width)
        if own is not None and same(weights, masked_softmax(plain, mask & own)):
            return
        inside = reference.in_window(positions, centres, half_width)
        expect_close(
            what,
            weights.detach(),
            expected.detach(),
            lambda: _any_mistake(plain, mask, [inside, own], positions, centres, half_width),
            lambda: _expect_shares(weights.detach(), mask.expand_as(inside), inside, case),
            case=case,
        )
    for name, before in (("scores", plain), ("positions", positions), ("centres", centres), ("source_mask", mask)):
        expect_unchanged(name, given[name], before, case)
    expect_gradients(what, weights, expected, {"scores": (asked, scores)}, case)


def _any_mistake(
    scores: Tensor,
    mask: Tensor,
    windows: list[Tensor | None],
    positions: Tensor,
    centres: Tensor,
    half_width: int,
) -> dict[str, Tensor]:
    """A mistake made with the right windows, or with the learner's own."""
    tables = [
        _weight_mistakes(scores, mask, inside, positions, centres, half_width)
        for inside in windows
        if inside is not None
    ]
    own = {why + OWN: value for table in tables[1:] for why, value in table.items()}
    return tables[0] | own


def _weight_mistakes(
    scores: Tensor, mask: Tensor, inside: Tensor, positions: Tensor, centres: Tensor, half_width: int
) -> dict[str, Tensor]:
    seen = mask & inside
    right = masked_softmax(scores, seen)
    everywhere = masked_softmax(scores, mask)
    low = scores.masked_fill(~seen, torch.finfo(scores.dtype).min)
    return {
        "the window is ignored: every real word of the sentence takes part": everywhere,
        "the mask is ignored: padding within the window takes part": masked_softmax(scores, inside),
        "mask and window are both ignored": scores.softmax(-1),
        "the window comes after the softmax, so the words inside no longer share all of the 1": everywhere * inside,
        "the mask comes after the softmax, so the real words no longer share all of the 1": masked_softmax(
            scores, inside
        )
        * mask,
        "mask and window come after the softmax, so the words inside no longer share all of the 1": scores.softmax(-1)
        * seen,
        "a word has to be real and in the window; here one of the two is enough": masked_softmax(scores, mask | inside),
        "the window is turned round: these are the words outside it": masked_softmax(scores, mask & ~inside),
        "the mask is turned round: True means a real word": masked_softmax(scores, ~mask & inside),
        "the scores outside the window become 0, which is not low: exp(0) is 1": (scores * seen).softmax(-1),
        "an empty window shares its 1 among words outside it; it gets weights of 0": low.softmax(-1),
        "the Gaussian is already in it; here it does not come in yet": reference.favour_centre(
            right, positions, centres, half_width
        ),
        "these are the scores of the window; the softmax is missing": scores * seen,
        "the words of the window share the weight equally: the scores are not used": masked_softmax(
            torch.zeros_like(scores), seen
        ),
        "the softmax runs over the queries; the keys of one query compete with each other": low.softmax(1) * seen,
        "the softmax runs over the batch; the keys of one query compete with each other": low.softmax(0) * seen,
    }


def _expect_shares(weights: Tensor, mask: Tensor, inside: Tensor, case: str) -> None:
    what = labelled("weights", case)
    for allowed, where in ((mask, "padding"), (inside, "a word outside its window")):
        if ((weights * ~allowed).abs() > 1e-6).any():
            raise CheckFailed(what, f"{where} gets weight", "0", "before the softmax its score has to be cut away")
    seen = mask & inside
    off = (weights.sum(-1) - seen.any(-1).to(weights.dtype)).abs()
    if (off > 1e-4).any():
        why = "the real words of a window share all of the 1"
        raise CheckFailed(what, "a row does not sum to 1", "1, and 0 where the window is empty", why)


def _expect_nothing_drowned(answer: Function, in_window: Function | None) -> None:
    """The best word of all lies outside the window, or is padding within it."""
    centres = torch.tensor([[1.0, 6.0]])
    scores = torch.randn(1, 2, KEYS, generator=generator("drowned"))
    scores[0, 0, 5], scores[0, 1, 7] = 300.0, 300.0
    mask = (torch.arange(KEYS) < 7).view(1, 1, KEYS)
    own = _quietly(in_window, torch.arange(KEYS), centres, HALF_WIDTH)
    if own is not None and not torch.equal(own, reference.in_window(torch.arange(KEYS), centres, HALF_WIDTH)):
        return  # judged where the window is the task
    given = {"scores": scores.clone(), "positions": torch.arange(KEYS), "centres": centres}
    weights = ask("weights", answer, **given, half_width=HALF_WIDTH, source_mask=mask)
    right = reference.window_softmax(scores, torch.arange(KEYS), centres, HALF_WIDTH, mask)
    if isinstance(weights, Tensor) and (weights.isnan().any() or float(weights.detach().sum()) < 1.5):
        got = "the words of the window get nothing where one outside scores 300"
        raise CheckFailed("weights", got, f"weights that sum to {float(right.sum(-1)[0, 0]):.0f} over them", DROWNED)


def _quietly(function: Function | None, positions: Tensor, centres: Tensor, half_width: int) -> Tensor | None:
    """What the learner's own `in_window` gives, where it gives answers that depend on the centre."""
    if function is None:
        return None
    probe = torch.arange(KEYS)
    given = (
        (positions, centres, half_width),
        (probe, torch.tensor([[1.0, 4.0]]), HALF_WIDTH),
        (probe, torch.tensor([[4.0, 7.0]]), HALF_WIDTH),
    )
    try:
        own, left, right = (
            ask("in_window", function, positions=places.clone(), centres=around.clone(), half_width=width)
            for places, around, width in given
        )
    except CheckFailed:
        return None
    shape = (*centres.shape, positions.size(-1))
    if not isinstance(own, Tensor) or own.dtype != torch.bool or own.shape != shape:
        return None
    moves = isinstance(left, Tensor) and isinstance(right, Tensor) and not torch.equal(left, right)
    return own if moves else None


def quarters(name: str, batch: int, queries: int) -> Tensor:
    """Quarters from −1 to 8, some of them whole."""
    return torch.randint(-4, 33, (batch, queries), generator=generator(f"centres {name}")) / 4
