"""Checks of the expected log-likelihood: the sum over every position that could be drawn."""

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
from seq2seq import hard as reference

Function = Callable[..., Tensor]


@check
def check_expected_log_likelihood(answer: Function) -> None:
    """expected log-likelihood: each position's log-likelihood times its weight, summed; padding counts nothing"""
    _compare(answer, [5, 5, 5])
    _compare(answer, [5, 3, 1], what="bound, with padding")


@check
def check_expected_log_likelihood_hidden(answer: Function) -> None:
    """expected log-likelihood, other cases: one sentence, one key, many keys, a table of steps, float64"""
    _compare(answer, [6], case="a batch of one sentence")
    _compare(answer, [1, 1, 1], case="sentences of one key")
    _compare(answer, [11, 2, 7, 4], case="many keys")
    _compare(answer, [4, 3], dtype=torch.float64, case="float64")
    _compare(answer, [5, 2], steps=3, case="log-weights (batch, steps, keys)")


def _compare(
    answer: Function,
    lengths: list[int],
    steps: int = 0,
    dtype: torch.dtype = torch.float32,
    what: str = "bound",
    case: str = "",
) -> None:
    keys = max(lengths)
    shape = (len(lengths), steps, keys) if steps else (len(lengths), keys)
    draw = generator(f"bound {case} {what}")
    scores = torch.randn(shape, generator=draw).to(dtype).requires_grad_()
    asked = scores.detach().clone().requires_grad_()
    mask = torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
    mask = mask.unsqueeze(1) if steps else mask
    log_weights = reference.masked_log_softmax(scores, mask)
    likelihoods = (torch.randn(shape, generator=draw).to(dtype) - 2).requires_grad_()
    expected = reference.expected_log_likelihood(log_weights, likelihoods)
    own = reference.masked_log_softmax(asked, mask), likelihoods.detach().clone().requires_grad_()
    bound = ask(what, answer, case=case, log_weights=own[0], log_likelihoods=own[1])
    axes = dict(zip(("batch", "steps"), shape[:-1], strict=False))
    expect_tensor(what, bound, like=likelihoods, case=case)
    shapes = {
        (): "each sentence has a bound of its own: sum over the positions only",
        shape: "the positions are weighted, but not summed yet",
        (keys,): "the sum runs over the positions, the last axis; here it ran over the batch",
    }
    expect_shape(what, bound, shapes, case, **axes)
    expect_finite(what, bound, "the log-weight of padding is a very low number: exp makes 0 of it", case)
    table = _mistakes(log_weights.detach(), likelihoods.detach())
    why = "the weight, not its logarithm, times the log-likelihood, summed over the positions"
    expect_close(what, bound.detach(), expected.detach(), lambda: table, why=why, case=case)
    expect_unchanged("log_weights", own[0], log_weights, case)
    expect_unchanged("log_likelihoods", own[1], likelihoods, case)
    pairs = {"the scores": (asked, scores), "log_likelihoods": (own[1], likelihoods)}
    expect_gradients(what, bound, expected, pairs, case)


def _mistakes(log_weights: Tensor, likelihoods: Tensor) -> dict[str, Tensor]:
    weights = log_weights.exp()
    best = log_weights.argmax(-1, keepdim=True)
    return {
        "the logarithms of the weights are used: exp makes weights of them": (log_weights * likelihoods).sum(-1),
        "this is the marginal, the log of the expected likelihood: here the log is inside the sum": torch.logsumexp(
            log_weights + likelihoods, -1
        ),
        "this is the expected likelihood: the log-likelihoods stay logarithms": (weights * likelihoods.exp()).sum(-1),
        "this is the plain average over the positions: the weights are not used": likelihoods.mean(-1),
        "this is the plain sum over the positions: the weights are not used": likelihoods.sum(-1),
        "this is the log-likelihood at the position of the largest weight: every position counts": likelihoods.gather(
            -1, best
        ).squeeze(-1),
        "the two logarithms are added, and then summed: the weight is a factor": (log_weights + likelihoods).sum(-1),
        "the sum is divided by the number of positions as well: the weights have seen to that": (
            weights * likelihoods
        ).mean(-1),
        "the sign is turned round: this is to be maximised": -(weights * likelihoods).sum(-1),
        "the softmax is taken of the weights again: exp is enough": (weights.softmax(-1) * likelihoods).sum(-1),
        "the entropy of the weights is in it too": (weights * (likelihoods - log_weights)).sum(-1),
    }
