"""Checks of copying: attention weights as a distribution over words."""

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
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from autograder.wording import labelled
from seq2seq.beyond import copy_mixture as reference

Function = Callable[..., Any]


@check
def check_copy_distribution(answer: Function) -> None:
    """copy distribution: a word gets the weights of all its places, in every sentence, with gradients"""
    _compare_copy(answer, 2, 4, 9, repeats=False, what="copy distribution of words that come once")
    _compare_copy(answer, 3, 6, 10, words=8)
    _compare_copy_gradients(answer, 3, 6, 10)


@check
def check_copy_distribution_hidden(answer: Function) -> None:
    """copy distribution, other cases: one sentence, one place, one word everywhere, other sizes, float64, gradients"""
    _compare_copy(answer, 4, 11, 7, "more places than words")
    _compare_copy(answer, 1, 5, 8, "a batch of one sentence")
    _compare_copy(answer, 3, 1, 6, "sentences of one word")
    _compare_copy(answer, 2, 5, 1, "a vocabulary of one word")
    _compare_copy(answer, 2, 5, 12, "words that no sentence has", words=4)
    _compare_copy(answer, 3, 7, 9, "float64", dtype=torch.float64)
    _compare_copy_gradients(answer, 2, 8, 6, "gradients")


def _compare_copy(
    answer: Function,
    batch: int,
    places: int,
    size: int,
    case: str = "",
    repeats: bool = True,
    words: int = 0,
    dtype: torch.dtype = torch.float32,
    what: str = "copy distribution",
) -> None:
    weights, source = _draw_copy(batch, places, words or size, case, repeats, dtype)
    expected = reference.copy_distribution(weights, source, size)
    given = {"weights": weights.clone(), "extended_source": source.clone(), "extended_size": size}
    with torch.no_grad():
        copied = ask(what, answer, case=case, **given)
    expect_tensor(what, copied, like=weights, case=case)
    shapes = {
        (batch, places): "there is a number for each place; each word of the extended vocabulary needs one",
        (size,): "the batch axis is lost: each sentence has a distribution of its own",
        (batch, int(source.max()) + 1): "as many as the largest id; extended_size says how many words there are",
        (batch, places, size): "each place has its word; the places of a word are to be added up",
    }
    shapes.pop((batch, size), None)
    expect_shape(what, copied, shapes, case, batch=batch, extended_size=size)
    expect_finite(what, copied, case=case)
    expect_close(
        what,
        copied,
        expected,
        mistakes=lambda: _copy_mistakes(weights, source, size),
        properties=lambda: _expect_all_weight(labelled(what, case), copied, weights, case),
        case=case,
    )
    expect_unchanged("weights", given["weights"], weights, case)
    expect_unchanged("extended_source", given["extended_source"], source, case)


def _copy_mistakes(weights: Tensor, source: Tensor, size: int) -> dict[str, Tensor]:
    right = reference.copy_distribution(weights, source, size)
    counts = reference.copy_distribution(torch.ones_like(weights), source, size)
    first, last = torch.zeros_like(right), torch.zeros_like(right)
    for place in range(weights.size(1)):
        last.scatter_(1, source[:, place : place + 1], weights[:, place : place + 1])
        back = weights.size(1) - 1 - place
        first.scatter_(1, source[:, back : back + 1], weights[:, back : back + 1])
    largest = torch.zeros_like(right).scatter_reduce(1, source, weights, "amax")
    best = torch.zeros_like(right).scatter(1, source.gather(1, weights.argmax(1, keepdim=True)), 1.0)
    chosen = weights.max(1, keepdim=True)
    strongest = torch.zeros_like(right).scatter(1, source.gather(1, chosen.indices), chosen.values)
    everyone = right.sum(0, keepdim=True).expand_as(right)
    zero = torch.zeros_like(right)
    zero[0] = right[0]
    return {
        "a word that comes twice keeps only its last weight: each place replaces the one before": last,
        "a word that comes twice keeps only its first weight": first,
        "a word that comes twice keeps only its largest weight; it gets all of them": largest,
        "a word that comes twice gets the mean of its weights; it gets their sum": right / counts.clamp(min=1),
        "the weights are not used: these are counts": counts,
        "the weights are not used: these are counts, as shares": counts / counts.sum(-1, keepdim=True),
        "this is 1 for the word of the largest weight; every place has a say": best,
        "this is the largest weight alone; every place has a say": strongest,
        "the weights of all sentences are added up; each sentence has its own distribution": everyone,
        "the words of sentence 0 are used for every sentence": reference.copy_distribution(
            weights, source[:1].expand_as(source), size
        ),
        "only sentence 0 is filled in": zero,
        "a softmax is applied: the weights share the 1 already": right.softmax(-1),
        "these are shared out anew": right / right.sum(-1, keepdim=True).clamp(min=1e-9) if size > 1 else right * 0,
    }


def _expect_all_weight(label: str, copied: Tensor, weights: Tensor, case: str) -> None:
    off = (copied.sum(-1) - weights.sum(-1)).abs()
    if off.max() > 1e-4:
        row = int(off.argmax())
        got = "a row has another sum" if case else f"row {row} sums to {float(copied[row].sum()):.3g}"
        expected = "the sum of the weights" if case else f"{float(weights[row].sum()):.3g}, the sum of its weights"
        raise CheckFailed(label, got, expected, "weight is lost, or counted twice")


def _compare_copy_gradients(answer: Function, batch: int, places: int, size: int, case: str = "") -> None:
    own, source = _draw_copy(batch, places, size, f"{case} gradients")
    weights = own.clone().requires_grad_()
    own.requires_grad_()
    given = {"weights": weights, "extended_source": source.clone(), "extended_size": size}
    copied = ask("copy distribution", answer, case=case, **given)
    expected = reference.copy_distribution(own, source, size)
    expect_gradients("copy distribution", copied, expected, {"weights": (weights, own)}, case)


def _draw_copy(
    batch: int, places: int, words: int, case: str, repeats: bool = True, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor]:
    """Weights, and the words at their places; in the last sentence the last place is padding, where there are two."""
    draw = generator(f"copy {case} {batch} {places} {words} {repeats}")
    raw = torch.randn(batch, places, generator=draw, dtype=dtype)
    source = torch.stack([torch.randperm(max(words, places), generator=draw)[:places] for _ in range(batch)]) % words
    if repeats and places > 2:
        source[:, 2] = source[:, 0]
        for row in range(batch):  # the larger of the two weights comes first in one sentence, last in the next
            raw[row, 2 * (row % 2)] = raw[row, 2 - 2 * (row % 2)] + 1
    if batch > 1 and places > 1:
        raw[-1, -1] = -torch.inf
        source[-1, -1] = 0
    return raw.softmax(-1), source
