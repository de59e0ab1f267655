"""Checks of the alignment error rate from tables of links, hard and soft."""

from collections.abc import Callable
from typing import Any

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
from seq2seq import alignment as reference

Function = Callable[..., Any]
Tables = tuple[Tensor, Tensor, Tensor]

LENGTHS = ((11, 9), (8, 7), (5, 6))  # source and target tokens of each sentence


@check
def check_alignment_error(answer: Function) -> None:
    """alignment error: 0 for the gold links, 1 for none of them, sure and possible links, hard and soft"""
    predicted, sure, possible = tables("plain", LENGTHS)
    _compare(answer, (sure, sure, sure), "error of the gold links themselves")
    _compare(answer, (~sure & ~possible, sure, possible), "error of links that are all wrong")
    _compare(answer, (predicted, sure, possible | sure), "error with sure and possible links")
    _compare(answer, (predicted, sure, possible & ~sure), "error where the sure links are not listed as possible")
    _compare(answer, (predicted, sure, sure), "error where every gold link is sure")
    _compare(answer, (soft("plain", LENGTHS), sure, possible), "error of weights")


@check
def check_alignment_error_hidden(answer: Function) -> None:
    """alignment error, other cases: one sentence, sentences without a sure link or a possible one, float64 weights"""
    what = "error"
    one = ((7, 4),)
    many = ((5, 7), (2, 3), (8, 6), (4, 4))
    _compare(answer, tables("one", one), what, "a batch of one sentence")
    _compare(answer, tables("many", many), what, "more sentences, of more lengths")
    predicted, sure, possible = tables("bare", many)
    sure[1] = False
    _compare(answer, (predicted, sure, possible), what, "a sentence without a sure link")
    possible[1] = False
    predicted[2] = False
    _compare(answer, (predicted, sure, possible), what, "a sentence without any gold link, one without a predicted one")
    _compare(answer, (predicted, torch.zeros_like(sure), possible), what, "possible links only")
    _compare(answer, (soft("double", many).double(), sure, possible), what, "weights in float64")
    _compare(answer, (soft("single", one), *tables("one", one)[1:]), what, "weights of one sentence")


def _compare(answer: Function, given: Tables, what: str, case: str = "") -> None:
    expected = reference.alignment_error(*given)
    asked = dict(zip(("predicted", "sure", "possible"), (table.clone() for table in given), strict=True))
    error = _ask(answer, what, case, asked)
    if type(error) in (int, float):
        error = torch.tensor(float(error))
    expect_tensor(what, error, case=case)
    batch, target, source = given[0].shape
    why = {
        (batch,): "one error for each sentence; the links of all sentences are counted together",
        (batch, target): "one error for each word; the links of all sentences are counted together",
        (batch, target, source): "nothing is summed yet",
        (target, source): "only the batch is summed",
    }
    if error.numel() != 1 or error.dim():
        expect_shape(what, error, why | {(1,): "a single number: sum over all axes"}, case)
    error = error if error.is_floating_point() else error.float()
    expect_finite(what, error, "0/0: a sentence may be without links, the corpus is not; count all together", case)
    expect_close(
        what,
        error,
        expected,
        mistakes=lambda: _mistakes(*given),
        properties=lambda: _expect_range(labelled(what, case), error, case),
        case=case,
    )
    for name, before in zip(asked, given, strict=True):
        expect_unchanged(name, asked[name], before, case)


def _ask(answer: Function, what: str, case: str, asked: dict[str, Tensor]) -> Any:
    try:
        return ask(what, answer, case=case, **asked)
    except CheckFailed as failure:
        if not asked["predicted"].is_floating_point() or "NotImplementedError" not in failure.got:
            raise
        why = "`&` joins bools alone; weights are shares, and what is shared is multiplied"
        refused = CheckFailed(labelled(what, case), "raised NotImplementedError", "weights taken as they are", why)
        refused.__context__ = failure.__context__
    raise refused


def _expect_range(label: str, error: Tensor, case: str) -> None:
    if not -1e-6 <= float(error) <= 1 + 1e-6:
        got = "outside 0 to 1" if case else f"{float(error):.3g}"
        raise CheckFailed(label, got, "an error from 0 to 1", "do numerator and denominator count the same links?")


def _mistakes(predicted: Tensor, sure: Tensor, possible: Tensor) -> dict[str, Tensor]:
    right = reference.alignment_error(predicted, sure, possible)
    ours, must, listed = (table.to(right.dtype) for table in (predicted, sure, possible))
    may = (sure | possible).to(right.dtype)

    def total(table: Tensor) -> Tensor:
        return table.sum()

    hits = total(ours * must) + total(ours * may)
    hard = torch.zeros_like(ours).scatter(-1, ours.argmax(-1, keepdim=True), 1.0) * (ours.sum(-1, keepdim=True) > 0)
    each = torch.stack([reference.alignment_error(*row) for row in zip(predicted, sure, possible, strict=True)])
    wrong = _hardened(predicted, hard, sure, possible) if predicted.is_floating_point() else {}
    wrong |= {
        "this is the share of right links; the error is what is missing to 1": 1 - right,
        "a sure link counts as possible too, listed or not: some are missing from the possible ones": 1
        - (total(ours * must) + total(ours * listed)) / (total(ours) + total(must)),
        "sure links that are possible too are added twice to the possible ones": 1
        - (2 * total(ours * must) + total(ours * listed)) / (total(ours) + total(must)),
        "the possible links are not used: a predicted link that is only possible is no error": 1
        - 2 * total(ours * must) / (total(ours) + total(must)),
        "possible links count as if they were sure: nobody must find them all": 1
        - 2 * total(ours * may) / (total(ours) + total(may)),
        "possible links count in the numerator twice: one of its two terms is for the sure ones": 1
        - 2 * total(ours * may) / (total(ours) + total(must)),
        "the denominator counts the possible links; it counts the predicted and the sure ones": 1
        - hits / (total(ours) + total(may)),
        "the denominator counts sure and possible links; it counts the predicted and the sure ones": 1
        - hits / (total(must) + total(may)),
        "the denominator counts the listed possible links; it counts the predicted and the sure ones": 1
        - hits / (total(ours) + total(listed)),
        "the denominator counts a link that is predicted and sure once; it counts it on both sides": 1
        - hits / total(torch.maximum(ours, must)),
        "this is the share of predicted links that are not possible; sure links that are missed are errors too": 1
        - total(ours * may) / total(ours),
        "this is the share of sure links that are missed; predicted links that are not possible are errors too": 1
        - total(ours * must) / total(must),
        "this is the mean of each sentence's error; the links of all sentences are counted together": each.mean(),
        "this is the share of cells that differ: cells without a link on either side say nothing": (
            (ours - may).abs().mean()
        ),
        "only sentence 0 is counted": each[0],
        "the hits are counted once; sure and possible links each have a term": 1
        - total(ours * may) / (total(ours) + total(must)),
        "this is twice too far from 0: the hits on sure and on possible links share the denominator": 1
        - hits / (2 * (total(ours) + total(must))),
        "the possible hits are missing: sure and possible links each have a term": 1
        - total(ours * must) / (total(ours) + total(must)),
    }
    return {why: value.to(right.dtype) for why, value in wrong.items() if torch.isfinite(value)}


def _hardened(weights: Tensor, hard: Tensor, sure: Tensor, possible: Tensor) -> dict[str, Tensor]:
    return {
        "every weight above 0 counts as a whole link; a link counts as much as its weight": reference.alignment_error(
            weights > 0, sure, possible
        ),
        "only the largest weight of each row counts; a link counts as much as its weight": reference.alignment_error(
            hard, sure, possible
        ),
        "weights above one half count as whole links; a link counts as much as its weight": reference.alignment_error(
            weights > 0.5, sure, possible
        ),
    }


def tables(name: str, lengths: tuple[tuple[int, int], ...]) -> Tables:
    """Predicted, sure and possible links that overlap in part; half of the sure ones are listed as possible."""
    draw = generator(f"tables {name}")
    shape = len(lengths), max(target for _, target in lengths), max(source for source, _ in lengths)
    sure, possible, predicted = (torch.zeros(shape, dtype=torch.bool) for _ in range(3))
    for row, (source, target) in enumerate(lengths):
        for word in range(target):
            first, second, wrong = torch.randperm(max(3, source), generator=draw)[:3].clamp(max=source - 1).tolist()
            sure[row, word, first] = True
            possible[row, word, second] = True
            possible[row, word, first] = word % 2 == 0
            predicted[row, word, (first, second, wrong)[(row + word) % 3]] = True
            if word == 0:  # more predicted links than sure ones, so that no two sums are equal
                predicted[row, word, [first, wrong]] = True
    return predicted, sure, possible


def soft(name: str, lengths: tuple[tuple[int, int], ...]) -> Tensor:
    """Weights of the real tokens, 0 at padding on both sides."""
    batch, target_len = len(lengths), max(target for _, target in lengths)
    source_len = max(source for source, _ in lengths)
    sources, targets = torch.tensor(lengths).unbind(1)
    real = torch.arange(source_len) < sources.unsqueeze(1)
    words = torch.arange(target_len) < targets.unsqueeze(1)
    scores = 2 * torch.randn(batch, target_len, source_len, generator=generator(f"soft {name}"))
    weights = scores.masked_fill(~real.unsqueeze(1), -1e9).softmax(-1)
    return weights * words.unsqueeze(-1)
