"""Checks of the masked softmax: padding gets nothing, the real tokens share all of the 1, nothing becomes NaN."""

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
from seq2seq import attention as reference

Function = Callable[..., Tensor]

ROUNDING = 5e-3  # logarithms near 10000 are that coarse in float32, and an answer may work with logarithms
EMPTY = "a sentence without a real token gets weights of 0; a softmax over −∞ everywhere is 0/0"
OVERFLOW = "exp overflows, or every exp becomes 0: only differences of scores matter, so shift them before the exp"
DROWNED = (
    "padding took all the weight before it was masked away: "
    "before the softmax its score has to lie below every score that can occur"
)


@check
def check_masked_softmax(answer: Function) -> None:
    """masked softmax: padding gets 0, real tokens share the 1; temperature, large scores, empty sentence, gradients"""
    _compare(answer, _scores("plain", 4, 6), _mask([6, 4, 2, 1], 6))
    _compare(answer, _scores("empty", 3, 5), _mask([5, 0, 2], 5), what="weights with an empty sentence")
    for temperature in (2.5, 0.4):
        what = f"weights at temperature {temperature}"
        _compare(answer, _scores("warm", 3, 5), _mask([5, 3, 2], 5), temperature, what=what)
    _compare_large(answer, _scores("large", 3, 5), _mask([5, 3, 2], 5), what="weights of scores near ±10000")
    _expect_invariance(answer)
    _compare_gradient(answer, _scores("gradient", 3, 5), _mask([5, 0, 2], 5))


@check
def check_masked_softmax_hidden(answer: Function) -> None:
    """masked softmax, other cases: one sentence, one key, left padding, holes, float64, a table of many queries"""
    _compare(answer, _scores("single", 1, 7), _mask([3], 7), case="a batch of one sentence")
    _compare(answer, _scores("one key", 3, 1), _mask([1, 0, 1], 1), case="sentences of one key")
    _compare(answer, _scores("left", 3, 6), _mask([6, 4, 1], 6).flip(-1), case="padding on the left")
    holes = torch.rand(5, 8, generator=generator("holes")) < 0.6
    _compare(answer, _scores("holes", 5, 8), holes, 1.7, case="padding anywhere, temperature not 1")
    _compare(answer, _scores("double", 3, 5).double(), _mask([5, 3, 0], 5), 0.7, case="float64")
    large = _scores("more large", 3, 6)
    _compare_large(answer, large, _mask([6, 4, 1], 6), case="scores near ±10000", temperature=0.5)
    draw = torch.randn(2, 4, 5, generator=generator("table"))
    _compare(answer, draw, _mask([5, 3], 5).unsqueeze(1), case="scores (batch, queries, keys), one mask per sentence")
    _compare_gradient(answer, _scores("hidden gradient", 4, 6), _mask([6, 3, 0, 1], 6), 1.7, case="temperature not 1")


def _compare(
    answer: Function,
    scores: Tensor,
    mask: Tensor,
    temperature: float = 1.0,
    what: str = "weights",
    case: str = "",
    tolerance: float | None = None,
) -> None:
    expected = reference.masked_softmax(scores, mask, temperature)
    given = {"scores": scores.clone(), "source_mask": mask.clone()}
    if temperature != 1.0:
        given["temperature"] = temperature
    with torch.no_grad():
        weights = ask(what, answer, case=case, **given)
    axes = ("batch", "keys") if scores.dim() == 2 else ("batch", "queries", "keys")
    expect_tensor(what, weights, like=scores, case=case)
    expect_shape(what, weights, case=case, **dict(zip(axes, scores.shape, strict=True)))
    expect_finite(what, weights, _reason(weights, mask), case)
    expect_close(
        what,
        weights,
        expected,
        mistakes=lambda: _mistakes(scores, mask, temperature),
        properties=lambda: _expect_properties(what, weights, mask.expand_as(scores), case),
        case=case,
        tolerance=tolerance,
    )
    expect_unchanged("scores", given["scores"], scores, case)
    expect_unchanged("source_mask", given["source_mask"], mask, case)


def _reason(weights: Tensor, mask: Tensor) -> str:
    """Why there are NaNs: only where no token is real, or elsewhere too."""
    bad = (~torch.isfinite(weights)).any(-1)
    empty = ~mask.expand_as(weights).any(-1)
    return EMPTY if not (bad & ~empty).any() else "0/0 or ∞/∞: what is the smallest and the largest exp in that row?"


def _compare_large(
    answer: Function, scores: Tensor, mask: Tensor, temperature: float = 1.0, what: str = "weights", case: str = ""
) -> None:
    """Row 0 lies near 10000; in the others the real tokens lie near −10000 and the padding near 10000."""
    level = torch.where(mask, -1e4, 1e4)
    level[0] = 1e4
    scores = (8 * scores).round() / 8 + level  # multiples of 1/8, so that float32 is exact
    given = {"scores": scores.clone(), "source_mask": mask.clone()}
    given |= {"temperature": temperature} if temperature != 1.0 else {}
    with torch.no_grad():
        weights = ask(what, answer, case=case, **given)
    if isinstance(weights, Tensor) and weights.shape == scores.shape and weights.dtype == scores.dtype:
        right = reference.masked_softmax(scores, mask, temperature)
        if same(weights[0], right[0], ROUNDING) and not same(weights[1:], right[1:], ROUNDING):
            got = "the real tokens of a sentence do not get theirs"
            label = f"{what} ({case})" if case else what
            raise CheckFailed(label, got, "weights that sum to 1 over them", DROWNED)
        expect_finite(what, weights, OVERFLOW, case)
    _compare(answer, scores, mask, temperature, what, case, ROUNDING)


def _mistakes(scores: Tensor, mask: Tensor, temperature: float) -> dict[str, Tensor]:
    scaled = scores / temperature
    low = scaled.masked_fill(~mask, torch.finfo(scores.dtype).min)
    right = reference.masked_softmax(scores, mask, temperature)
    raw = scaled.exp() * mask
    wrong = {
        "the mask is ignored: padding takes part in the softmax": scaled.softmax(-1),
        "the mask comes after the softmax, so the real tokens no longer share all of the 1": scaled.softmax(-1) * mask,
        "the mask is turned round: True means a real token": reference.masked_softmax(scores, ~mask, temperature),
        "a sentence without a real token shares its 1 among the padding; it gets weights of 0": low.softmax(-1),
        "the scores are multiplied by the mask: a score of 0 is not low, exp(0) is 1": (scaled * mask).softmax(-1),
        "padding gets a score of 0, which is not low: exp(0) is 1; its weight is then removed, the rest not made up": (
            scaled * mask
        ).softmax(-1)
        * mask,
        "padding's weight is removed after the softmax and shared equally among the real tokens": (
            scaled.softmax(-1)
            + (scaled.softmax(-1) * ~mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(1)
        )
        * mask,
        "these are exponentials that are never divided by their sum": raw,
        "the exponentials are divided by the sum over the whole batch; each sentence has its own 1": raw / raw.sum(),
        "these are the scores with padding at 0; the softmax is missing": scores * mask,
        "the softmax is applied twice": low.softmax(-1).masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
        * mask,
        "there is a sigmoid in place of the softmax: the tokens have to compete for the 1": scaled.sigmoid() * mask,
        "the tokens share the weight equally: the scores are not used": right.new_ones(())
        * mask
        / mask.sum(-1, keepdim=True).clamp(1),
        "only the best token gets weight: that is the maximum, not its soft form": torch.nn.functional.one_hot(
            low.argmax(-1), scores.size(-1)
        )
        * right.new_ones(())
        * mask,
    }
    for axis, name in enumerate(("batch", "queries")[: scores.dim() - 1]):
        why = f"the softmax runs over the axis `{name}`; the keys of one sentence compete with each other"
        columns = low.softmax(axis)
        wrong |= {why: columns * mask, f"{why}, and the mask is not the only trouble": scaled.softmax(axis)}
        wrong[f"{why}; and the mask comes after it"] = scaled.softmax(axis) * mask
    if temperature != 1.0:
        wrong |= {
            "the temperature multiplies the scores; it divides them, so that a high one flattens the weights": (
                reference.masked_softmax(scores * temperature, mask)
            ),
            "the temperature is not used": reference.masked_softmax(scores, mask),
            "the temperature is applied to the weights; it belongs to the scores": reference.masked_softmax(
                scores, mask
            )
            / temperature,
            "the temperature is applied twice": reference.masked_softmax(scaled, mask, temperature),
            "the root of the temperature is used": reference.masked_softmax(scores, mask, temperature**0.5),
        }
    return wrong


def _expect_properties(what: str, weights: Tensor, mask: Tensor, case: str) -> None:
    label = f"{what} ({case})" if case else what
    if (weights < 0).any():
        raise CheckFailed(label, "some are negative", "shares between 0 and 1", "are these logarithms, or raw scores?")
    padding = (weights * ~mask).sum(-1).flatten()
    if float(padding.max()) > 1e-6:
        row = int(padding.argmax())
        got = "padding gets weight" if case else f"row {row} gives {float(padding[row]):.2g} to padding"
        raise CheckFailed(label, got, "0", "before the softmax, padding needs a score far below every real one")
    totals = torch.where(mask.any(-1), weights.sum(-1), 1.0).flatten()
    off = (totals - 1).abs()
    if float(off.max()) > 1e-4:
        row = int(off.argmax())
        got = "a row does not sum to 1" if case else f"row {row} sums to {float(totals[row]):.3g}"
        raise CheckFailed(label, got, "1", "the real tokens of each sentence share all of it")


def _expect_invariance(answer: Function) -> None:
    """More padding changes no weight."""
    scores, mask = _scores("invariance", 3, 5), _mask([5, 3, 2], 5)
    longer = torch.cat([scores, _scores("tail", 3, 4)], dim=1)
    with torch.no_grad():
        weights = ask("weights", answer, scores=scores.clone(), source_mask=mask)
        again = ask("weights", answer, scores=longer, source_mask=_mask([5, 3, 2], 9))
    if not same(again[:, :5], weights):
        why = "how far a batch is padded says nothing about its sentences"
        raise CheckFailed("weights", "they change when padding is added", "the same weights for the same tokens", why)


def _compare_gradient(answer: Function, scores: Tensor, mask: Tensor, temperature: float = 1.0, case: str = "") -> None:
    scores.requires_grad_()
    expected = reference.masked_softmax(scores, mask, temperature)
    asked = scores.detach().clone().requires_grad_()
    given = {"scores": asked, "source_mask": mask.clone()} | (
        {"temperature": temperature} if temperature != 1.0 else {}
    )
    weights = ask("weights", answer, case=case, **given)
    expect_gradients("weights", weights, expected, {"scores": (asked, scores)}, case)


def _scores(name: str, batch: int, keys: int) -> Tensor:
    return 2 * torch.randn(batch, keys, generator=generator(f"masking {name}"))


def _mask(lengths: list[int], keys: int) -> Tensor:
    return torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
