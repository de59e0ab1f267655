"""Checks of the Gaussian that favours the centre: after the softmax, and with nothing normalised again."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.checks.local import CENTRES, HALF_WIDTH, KEYS, quarters
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
from seq2seq import local as reference

Function = Callable[..., Tensor]


@check
def check_favour_centre(answer: Function) -> None:
    """favour_centre: times the Gaussian with σ = D/2, nothing normalised again; the gradient moves the centre"""
    _compare_favoured(answer, torch.tensor(CENTRES))


@check
def check_favour_centre_hidden(answer: Function) -> None:
    """favour_centre, other cases: other half widths, one sentence, one word, whole centres, positions per query"""
    _compare_favoured(answer, torch.tensor(CENTRES), half_width=1, case="half width 1")
    _compare_favoured(answer, quarters("five", 3, 2), half_width=5, case="half width 5")
    _compare_favoured(answer, quarters("single", 1, 4), case="a batch of one sentence")
    _compare_favoured(answer, quarters("one word", 3, 2), keys=1, case="sentences of one word")
    _compare_favoured(answer, torch.tensor([[0, 3, 8], [2, 5, 12]]), case="centres that are whole numbers")
    _compare_favoured(answer, torch.tensor(CENTRES).double(), case="float64")
    places = reference.window_positions(torch.tensor(CENTRES), HALF_WIDTH)
    _compare_favoured(answer, torch.tensor(CENTRES), positions=places, case="positions of each query's own")


def _compare_favoured(
    answer: Function,
    centres: Tensor,
    keys: int = KEYS,
    half_width: int = HALF_WIDTH,
    positions: Tensor | None = None,
    case: str = "",
) -> None:
    positions = torch.arange(keys) if positions is None else positions
    dtype = centres.dtype if centres.is_floating_point() else torch.float32
    scores = torch.randn(*centres.shape, positions.size(-1), generator=generator(f"favour {case}")).to(dtype)
    mask = torch.ones(1, 1, 1, dtype=torch.bool)
    weights = reference.window_softmax(scores, positions, centres, half_width, mask).requires_grad_()
    learned = centres.is_floating_point()
    ours = centres.clone().requires_grad_(learned)
    expected = reference.favour_centre(weights, positions, ours, half_width)
    asked, theirs = weights.detach().clone().requires_grad_(), centres.clone().requires_grad_(learned)
    given = {"weights": asked, "positions": positions.clone(), "centres": theirs, "half_width": half_width}
    what = "favoured weights"
    favoured = ask(what, answer, case=case, **given)
    expect_tensor(what, favoured, like=weights, case=case)
    expect_shape(what, favoured, case=case, batch=centres.size(0), queries=centres.size(1), keys=positions.size(-1))
    expect_finite(what, favoured, "a division by 0? a row of weights may be 0 throughout", case)
    plain = weights.detach()
    table = _favour_mistakes(plain, positions, centres, half_width)
    why = "each weight times exp(−(s − p)² / (2σ²)), and nothing else"
    expect_close(what, favoured.detach(), expected.detach(), lambda: table, why=why, case=case)
    for name, before in (("weights", plain), ("positions", positions), ("centres", centres)):
        expect_unchanged(name, given[name], before, case)
    pairs = {"weights": (asked, weights)} | ({"centres": (theirs, ours)} if learned else {})
    expect_gradients(what, favoured, expected, pairs, case)


def _favour_mistakes(weights: Tensor, positions: Tensor, centres: Tensor, half_width: int) -> dict[str, Tensor]:
    distances = positions - centres.unsqueeze(-1)
    square, sigma = distances**2, half_width / 2
    factor = torch.exp(-square / (2 * sigma**2))
    right = weights * factor
    whole = {"rounded": centres.round(), "cut to a whole number": centres.long()}
    return {
        "the weights are used as they came: the Gaussian is missing": weights,
        "the weights are made to sum to 1 again: after the Gaussian nothing is normalised": right
        / right.sum(-1, keepdim=True).clamp(1e-30),
        "a softmax comes after the Gaussian: nothing is normalised again": right.softmax(-1),
        "this is the Gaussian alone: the weights are not used": factor.expand_as(right),
        "the Gaussian is added to the weights; it multiplies them": weights + factor,
        "σ is D; it is D/2": weights * torch.exp(-square / (2 * half_width**2)),
        "σ is 2D; it is D/2": weights * torch.exp(-square / (2 * (2 * half_width) ** 2)),
        "σ is not squared in the exponent": weights * torch.exp(-square / (2 * sigma)),
        "the factor 2 before σ² is missing": weights * torch.exp(-square / sigma**2),
        "the exponent is multiplied by σ² where it is divided by it": weights * torch.exp(-square / 2 * sigma**2),
        "the distance is not squared": weights * torch.exp(-distances.abs() / (2 * sigma**2)),
        "the distance is not squared, and has a sign": weights * torch.exp(-distances / (2 * sigma**2)),
        "the minus in the exponent is missing: the factor grows with the distance": weights
        * torch.exp(square / (2 * sigma**2)),
        "this is the density 1/(σ√2π) exp(…): the factor is 1 at the centre": right / (sigma * (2 * torch.pi) ** 0.5),
        "the root of the Gaussian is taken": weights * factor.sqrt(),
        "the Gaussian is applied twice": right * factor,
        "the centre of query 0 is used for every query": weights * factor[:, :1],
        "the centres of sentence 0 are used for every sentence": weights * factor[:1],
    } | {
        f"the centre is {how}: it may lie between two words, and then learns where to go": weights
        * torch.exp(-((positions - moved.unsqueeze(-1)) ** 2) / (2 * sigma**2))
        for how, moved in whole.items()
    }
