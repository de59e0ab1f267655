"""Checks of the moving baseline: a share of the old one, the rest from the mean of what was drawn, no gradient."""

from collections.abc import Callable

import torch
from torch import Tensor

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
)
from autograder.wording import labelled
from seq2seq import hard as reference

Function = Callable[..., Tensor]


@check
def check_move_baseline(answer: Function) -> None:
    """moving baseline: a tenth of the way to the mean of the log-likelihoods, and no gradient through it"""
    _compare(answer, (6,))
    _compare(answer, (6,), keep=0.6, what="baseline that keeps 0.6")
    _expect_no_gradient(answer)


@check
def check_move_baseline_hidden(answer: Function) -> None:
    """moving baseline, other cases: a table of steps, a single draw, nothing or everything kept, float64"""
    _compare(answer, (3, 4), case="draws (batch, steps)")
    _compare(answer, (1,), case="a single draw")
    _compare(answer, (5,), keep=0.0, case="nothing kept")
    _compare(answer, (5,), keep=1.0, case="everything kept")
    _compare(answer, (4,), keep=0.25, dtype=torch.float64, case="float64")
    _expect_no_gradient(answer, "draws (batch, steps)", (2, 3))


def _compare(
    answer: Function,
    shape: tuple[int, ...],
    keep: float | None = None,
    dtype: torch.dtype = torch.float32,
    what: str = "baseline",
    case: str = "",
) -> None:
    draw = generator(f"baseline {shape} {keep} {case}")
    baseline = (torch.randn((), generator=draw) - 4).to(dtype)
    drawn = (torch.randn(shape, generator=draw) - 1.5).to(dtype)
    drawn = drawn.flatten().sort().values.roll(2).view(shape)  # the largest stands neither first nor last
    share = {} if keep is None else {"keep": keep}
    given = {"baseline": baseline.clone(), "log_likelihood": drawn.clone()}
    moved = ask(what, answer, case=case, **given, **share)
    expect_tensor(what, moved, like=baseline, case=case)
    if tuple(moved.shape) != ():
        why = "one number for all draws: their mean counts"
        raise CheckFailed(labelled(what, case), f"shape {tuple(moved.shape)}", "a single number, shape ()", why)
    expect_shape(what, moved, case=case)
    expect_finite(what, moved, case=case)
    table = _mistakes(baseline, drawn, 0.9 if keep is None else keep)
    why = "the share `keep` of the old baseline, the rest from the mean of the log-likelihoods"
    expected = reference.move_baseline(baseline, drawn, **share)
    expect_close(what, moved.detach(), expected, lambda: table, why=why, case=case)
    expect_unchanged("baseline", given["baseline"], baseline, case)
    expect_unchanged("log_likelihood", given["log_likelihood"], drawn, case)


def _mistakes(baseline: Tensor, drawn: Tensor, keep: float) -> dict[str, Tensor]:
    mean = drawn.mean()
    wrong = {
        "the shares are exchanged: `keep` is the share of the old baseline": (1 - keep) * baseline + keep * mean,
        "the sum of the log-likelihoods is used; it is their mean, or a larger batch would move it further": keep
        * baseline
        + (1 - keep) * drawn.sum(),
        "this is the mean of the new draws alone: the old baseline is forgotten": mean,
        "this is the old baseline: it has not moved": baseline,
        "the old baseline is kept whole, and the rest added to it: it would grow for ever": baseline
        + (1 - keep) * mean,
        "the old baseline is kept in part, but the mean is added whole": keep * baseline + mean,
        "this is the plain average of the old and the new": (baseline + mean) / 2,
        "the baseline moves away from the mean, not towards it": baseline - (1 - keep) * (mean - baseline),
        "the mean is subtracted; it is added": keep * baseline - (1 - keep) * mean,
        "the largest log-likelihood is used; it is the mean": keep * baseline + (1 - keep) * drawn.amax(),
        "only the first draw is used; it is the mean of all": keep * baseline + (1 - keep) * drawn.flatten()[0],
        "only the last draw is used; it is the mean of all": keep * baseline + (1 - keep) * drawn.flatten()[-1],
        "the likelihoods are averaged; it is their logarithms": keep * baseline + (1 - keep) * drawn.exp().mean(),
    }
    if keep != 0.9:
        wrong["0.9 is kept, whatever `keep` says"] = 0.9 * baseline + (1 - 0.9) * mean
    return wrong


def _expect_no_gradient(answer: Function, case: str = "", shape: tuple[int, ...] = (5,)) -> None:
    drawn = torch.randn(shape, generator=generator(f"no gradient {case}")).requires_grad_()
    moved = ask("baseline", answer, case=case, baseline=torch.tensor(-2.0), log_likelihood=drawn)
    if isinstance(moved, Tensor) and moved.requires_grad:
        got = "gradients would flow through it"
        why = "it is a number to compare with, kept for the next batch: with its graph the memory would grow for ever"
        raise CheckFailed(labelled("baseline", case), got, "a number that is cut off (`.detach()`)", why)
