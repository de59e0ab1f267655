"""Checks of the normalised scores: longer hypotheses are not punished for each word that they have."""

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
from seq2seq.beam import penalty as reference

Function = Callable[..., Tensor]

WHAT = "scores"


@check
def check_normalised_scores(answer: Function) -> None:
    """normalised scores: divided by what grows with length; alpha 0 changes nothing"""
    _compare(answer, *_draw("visible", 3, 4), 0.7)
    _compare(answer, *_draw("none", 2, 3), 0.0, what="scores with alpha 0")
    _compare(answer, *_draw("one", 2, 3), 1.0, what="scores with alpha 1")


@check
def check_normalised_scores_hidden(answer: Function) -> None:
    """normalised scores, other cases: other alphas, one hypothesis, empty places, one length for all, float64"""
    for alpha in (0.2, 1.0, 1.8):
        _compare(answer, *_draw("alpha", 3, 5), alpha, case="another alpha")
    _compare(answer, *_draw("single", 1, 1), 0.6, case="one hypothesis")
    scores, lengths = _draw("empty", 3, 4)
    scores[1, 2] = scores[0, 0] = -torch.inf
    _compare(answer, scores, lengths, 0.6, case="empty places of the beam")
    _compare(answer, scores[2:], torch.tensor(4), 0.6, case="one length for all")
    _compare(
        answer, torch.stack([scores, scores - 1]), torch.tensor([3, 9]).view(2, 1, 1), 0.6, case="a length per step"
    )
    _compare(answer, scores.double(), lengths, 0.9, case="float64")


def _compare(answer: Function, logs: Tensor, lengths: Tensor, alpha: float, what: str = WHAT, case: str = "") -> None:
    given = {"log_probabilities": logs.clone(), "lengths": lengths.clone(), "alpha": alpha}
    with torch.no_grad():
        scores = ask(what, answer, case=case, **given)
    expected = reference.normalised_scores(logs, lengths, alpha)
    expect_tensor(what, scores, like=logs, case=case)
    axes = ("steps", "batch", "beam_size")[-logs.dim() :]
    expect_shape(what, scores, case=case, **dict(zip(axes, logs.shape, strict=True)))
    for name, before in (("log_probabilities", logs), ("lengths", lengths)):
        expect_unchanged(name, given[name], before, case)
    if scores.isnan().any():
        why = "an empty place has -inf, which a division leaves as it is; 0 · ∞ gives NaN"
        raise CheckFailed(labelled(what, case), "NaN", "numbers, or -inf where a place is empty", why)
    expect_close(
        what,
        scores,
        expected,
        mistakes=lambda: _mistakes(logs, lengths, alpha),
        properties=lambda: _expect_properties(what, scores, logs, case),
        case=case,
    )


def _mistakes(logs: Tensor, lengths: Tensor, alpha: float) -> dict[str, Tensor]:
    penalty = ((5 + lengths) / 6) ** alpha
    return {
        "the scores are multiplied: logarithms are below 0, so that punishes length twice": logs * penalty,
        "the log-probabilities are not normalised at all": logs,
        "this is the mean per word: the penalty of the equation grows more slowly": logs / lengths,
        "alpha is not used": logs / ((5 + lengths) / 6),
        "alpha is a factor; in the equation it is an exponent": logs / ((5 + lengths) / 6 * alpha),
        "alpha is the exponent of the length alone: 5 + n is divided by 6 before": logs / lengths**alpha,
        "only n is divided by 6: a bracket is missing around 5 + n": logs / (5 + lengths / 6) ** alpha,
        "6 stays outside the power: a bracket is missing around (5 + n) / 6": logs / ((5 + lengths) ** alpha / 6),
        "the division by 6 is missing": logs / (5 + lengths) ** alpha,
        "the power is that of 6 alone: a bracket is missing around (5 + n) / 6": logs / ((5 + lengths) / 6**alpha),
        "this divides by 6 to the power of alpha besides: a bracket is missing": logs / (5 + lengths) / 6**alpha,
        "the scores are sorted; each stays in its place": (logs / penalty).sort(-1, descending=True).values,
        "the penalty is subtracted; it divides": logs - penalty,
        "the logarithm of the penalty is subtracted: that divides the probability, not its logarithm": (
            logs - penalty.log()
        ),
        "the probabilities are divided; the equation has their logarithms": logs.exp() / penalty,
        "EOS is left out of the length; `lengths` counts it as the equation does": (
            logs / ((5 + lengths - 1) / 6) ** alpha
        ),
        "the length is counted one too long": logs / ((6 + lengths) / 6) ** alpha,
        "5 and 6 are exchanged": logs / ((6 + lengths) / 5) ** alpha,
        "this is a rounded division: a length of less than 6 more makes no difference": (
            logs / ((5 + lengths) // 6) ** alpha
        ),
        "the signs are turned: the best score is the highest": -logs / penalty,
    }


def _expect_properties(what: str, scores: Tensor, logs: Tensor, case: str) -> None:
    if (scores > 0).any():
        raise CheckFailed(
            labelled(what, case), "some are above 0", "0 or less", "a penalty is above 0, a logarithm below"
        )
    if (scores < logs).any():
        why = "no hypothesis of a word or more loses by it: its penalty is 1 or more"
        raise CheckFailed(labelled(what, case), "some are below the log-probability", "scores at least as high", why)


def _draw(name: str, batch: int, beam_size: int) -> tuple[Tensor, Tensor]:
    draw = generator(f"normalisation {name}")
    lengths = torch.randint(2, 20, (batch, beam_size), generator=draw)
    return -lengths * (0.2 + torch.rand(batch, beam_size, generator=draw)), lengths
