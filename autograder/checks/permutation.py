"""Checks of the permutation test: weights that change places, and how far the output moves."""

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
    same,
)
from autograder.wording import labelled
from seq2seq import altered_attention as reference

Function = Callable[..., Any]

LENGTHS = (6, 5, 3, 1)


@check
def check_permute_weights(answer: Function) -> None:
    """permuted weights: the same weights in every sentence, in another order, and padding keeps its 0"""
    _compare_permuted(answer, _mask(LENGTHS), "permuted weights")


@check
def check_permute_weights_hidden(answer: Function) -> None:
    """permuted weights, other cases: padding anywhere, one sentence, one token, float64, a table of many steps"""
    what = "permuted weights"
    _compare_permuted(answer, _mask((7, 2, 5)), what, "other sizes")
    _compare_permuted(answer, _mask((6, 4, 2)).flip(-1), what, "padding on the left")
    holes = torch.rand(5, 9, generator=generator("holes")) < 0.6
    _compare_permuted(answer, holes, what, "padding anywhere")
    _compare_permuted(answer, _mask((5, 0, 3)), what, "a sentence without a real token")
    _compare_permuted(answer, _mask((6,)), what, "a batch of one sentence")
    _compare_permuted(answer, _mask((1, 1)), what, "sentences of one token")
    _compare_permuted(answer, _mask((6, 4)), what, "float64", dtype=torch.float64)
    _compare_permuted(answer, _mask((6, 4)).unsqueeze(1), what, "weights (batch, queries, keys)", queries=3)


def _compare_permuted(
    answer: Function, mask: Tensor, what: str, case: str = "", queries: int = 0, dtype: torch.dtype = torch.float32
) -> None:
    draw = generator(f"{what} {case}")
    shape = (mask.size(0), queries, mask.size(-1)) if queries else tuple(mask.shape)
    raw = torch.rand(shape, generator=draw, dtype=dtype) * mask
    weights = raw / raw.sum(-1, keepdim=True).clamp(min=1e-9)
    # Padding has the smallest draws and the largest, so that sorting it along with the rest is seen.
    draws = torch.rand(shape, generator=draw, dtype=dtype) * 0.8 + 0.1
    odd = torch.arange(shape[-1]) % 2 == 0
    draws = torch.where(mask.expand(shape), draws, torch.where(odd, draws / 100, 1 - draws / 100))
    given = {"weights": weights.clone(), "source_mask": mask.clone(), "draws": draws.clone()}
    permuted = ask(what, answer, case=case, **given)
    expect_tensor(what, permuted, like=weights, case=case)
    axes = ("batch", "queries", "keys") if queries else ("batch", "keys")
    expect_shape(what, permuted, case=case, **dict(zip(axes, shape, strict=True)))
    expect_finite(what, permuted, case=case)
    orders = _two_orders(weights, mask, draws)
    if not any(same(permuted, order) for order in orders):
        label = labelled(what, case)
        expect_close(
            what,
            permuted,
            orders[0],
            mistakes=lambda: _order_mistakes(weights, mask.expand(shape), draws),
            properties=lambda: _expect_permutation(label, permuted, weights, mask.expand(shape), case),
            why="the weights are those of the sentence, but not in the order of its draws",
            case=case,
        )
    for name, before in (("weights", weights), ("source_mask", mask), ("draws", draws)):
        expect_unchanged(name, given[name], before, case)


def _two_orders(weights: Tensor, mask: Tensor, draws: Tensor) -> tuple[Tensor, Tensor]:
    """Place n gets the weight of the n-th draw, or the n-th draw's place gets the weight of place n: both are right."""
    real = mask.expand_as(weights)
    places = torch.arange(weights.size(-1)).expand_as(weights)
    in_order = places.masked_fill(~real, weights.size(-1)).argsort(-1)
    drawn = draws.masked_fill(~real, 2.0).argsort(-1)
    turned = torch.zeros_like(weights).scatter(-1, drawn, weights.gather(-1, in_order))
    return reference.permute_weights(weights, mask, draws), turned


def _order_mistakes(weights: Tensor, mask: Tensor, draws: Tensor) -> dict[str, Tensor]:
    everywhere = torch.ones_like(mask)
    first = draws[:1].expand_as(draws)
    ranks = draws.masked_fill(~mask, 2.0).argsort(-1)
    mixed = reference.permute_weights(weights, everywhere, draws)
    wrong = {
        "they stand where they stood; is it the real tokens that are sorted?": weights,
        "the draws of padding are sorted among those of the real tokens, and weights move onto padding": mixed,
        "the draws of padding are sorted among those of the real tokens; weights that move onto padding are lost": (
            mixed * mask
        ),
        "every sentence has the order of sentence 0; each is to be drawn anew": reference.permute_weights(
            weights, mask, first
        ),
        "the weights are sorted by their own size, not by the draws": weights.sort(-1, descending=True).values,
        "the weights are turned back to front; every order should be as likely": weights.flip(-1),
        "these are the draws, not the weights": draws * mask,
        "the draws become the weights; it is the given weights that change places": (
            draws * mask / (draws * mask).sum(-1, keepdim=True).clamp(min=1e-9)
        ),
        "the mask is turned round: True means a real token": reference.permute_weights(weights, ~mask, draws),
        "every token gets the same weight: that is another test": mask / mask.sum(-1, keepdim=True).clamp(min=1),
        "the order is used with padding last, but the real tokens are not first: weights move onto padding": (
            weights.gather(-1, ranks)
        ),
        "weights that move onto padding are lost": weights.gather(-1, ranks) * mask,
    }
    right = _two_orders(weights, mask, draws)
    return {
        why: value.to(weights.dtype)
        for why, value in wrong.items()
        if not any(same(value.to(weights.dtype), order) for order in right)
    }


def _expect_permutation(label: str, permuted: Tensor, weights: Tensor, mask: Tensor, case: str) -> None:
    if (permuted * ~mask).abs().amax() > 1e-6:
        row = int((permuted * ~mask).abs().flatten(1).amax(1).argmax())
        got = "padding gets weight" if case else f"padding gets weight in row {row}"
        raise CheckFailed(label, got, "0", "only real tokens change places")
    sums = permuted.sum(-1)
    off = (sums - weights.sum(-1)).abs()
    if off.max() > 1e-4:
        got = "a row has another sum" if case else f"a row sums to {float(sums.flatten()[off.argmax()]):.3g}"
        why = "a weight is lost or used twice: changing places keeps them all"
        raise CheckFailed(label, got, "the sum it had", why)
    if not same(permuted.sort(-1).values, weights.sort(-1).values):
        why = "changing places leaves every number as it is"
        raise CheckFailed(label, "other numbers than before", "the sentence's own weights in another order", why)


@check
def check_median_total_variation(answer: Function) -> None:
    """median total variation: half the sum of the differences, and the trial in the middle, for every sentence"""
    _compare_distance(answer, *_trials("plain", 5, 3, 7), "distance")
    same_one = _probabilities("same", 4, 6)
    _compare_distance(answer, same_one, same_one.expand(3, -1, -1), "distance of a distribution to itself")
    apart = torch.eye(6)[:4]
    _compare_distance(
        answer, apart, apart.roll(1, -1).expand(3, -1, -1), "distance of words that have nothing in common"
    )


@check
def check_median_total_variation_hidden(answer: Function) -> None:
    """median total variation, other cases: one sentence, one trial, other sizes, float64"""
    what = "distance"
    _compare_distance(answer, *_trials("more", 9, 4, 6), what, "other sizes")
    _compare_distance(answer, *_trials("one", 5, 1, 4), what, "a batch of one sentence")
    _compare_distance(answer, *_trials("single", 1, 3, 4), what, "a single trial")
    _compare_distance(answer, *_trials("two words", 3, 4, 2), what, "a vocabulary of two words")
    _compare_distance(answer, *_trials("double", 7, 2, 5, torch.float64), what, "float64")


def _compare_distance(answer: Function, original: Tensor, permuted: Tensor, what: str, case: str = "") -> None:
    expected = reference.median_total_variation(original, permuted)
    given = {"original": original.clone(), "permuted": permuted.clone()}
    distance = ask(what, answer, case=case, **given)
    expect_tensor(what, distance, like=original, case=case)
    trials, batch, vocab = permuted.shape
    shapes = {
        (trials,): "the median ran over the sentences; it has to run over the trials",
        (trials, batch): "one distance for each trial; the median over the trials is missing",
        (vocab,): "the words of the vocabulary are to be summed",
        (batch, vocab): "one number for each word of the vocabulary; the sum over them is missing",
        (): "one number for the whole batch; each sentence has its own",
    }
    shapes.pop((batch,), None)
    expect_shape(what, distance, shapes, case, batch=batch)
    expect_finite(what, distance, "log 0 is not finite; this distance needs no logarithm", case)
    expect_close(what, distance, expected, mistakes=lambda: _distance_mistakes(original, permuted), case=case)
    expect_unchanged("original", given["original"], original, case)
    expect_unchanged("permuted", given["permuted"], permuted, case)


def _distance_mistakes(original: Tensor, permuted: Tensor) -> dict[str, Tensor]:
    gaps = permuted - original
    each = gaps.abs().sum(-1) / 2
    logs = (original / permuted.clamp(min=1e-9)).clamp(min=1e-9).log()
    return {
        "twice too much: what one word gains another has lost, and both are summed": 2 * each.median(0).values,
        "this is the mean over the trials; the median is asked for": each.mean(0),
        "this is twice the mean over the trials; half the sum, and the median, are asked for": 2 * each.mean(0),
        "this is the largest over the trials; the median is asked for": each.max(0).values,
        "this is the smallest over the trials; the median is asked for": each.min(0).values,
        "only the first trial is used": each[0],
        "only the last trial is used": each[-1],
        "the differences are averaged over the words; they are summed and halved": 2
        * each.median(0).values
        / original.size(-1),
        "the differences cancel out: take their size before the sum": gaps.sum(-1).median(0).values / 2,
        "the differences are squared; their size is summed": gaps.pow(2).sum(-1).median(0).values / 2,
        "this is the Euclidean distance; the sizes of the differences are summed": gaps.norm(dim=-1).median(0).values,
        "half the Euclidean distance; the sizes of the differences are summed": gaps.norm(dim=-1).median(0).values / 2,
        "this is the largest difference of one word; the sizes of all of them are summed": (
            gaps.abs().amax(-1).median(0).values
        ),
        "this is half the largest difference of one word; the sizes of all of them are summed": (
            gaps.abs().amax(-1).median(0).values / 2
        ),
        "the median is taken word by word before the sum; each trial has a distance, and these have a median": (
            gaps.abs().median(0).values.sum(-1) / 2
        ),
        "the trials are averaged before the distance is taken: differences of opposite sign cancel": (
            gaps.mean(0).abs().sum(-1) / 2
        ),
        "this is the Kullback-Leibler divergence; the total variation has no logarithm": (
            (original * logs).sum(-1).median(0).values
        ),
    }


def _trials(
    name: str, trials: int, batch: int, vocab: int, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor]:
    original = _probabilities(f"{name} original", batch, vocab, dtype)
    return original, torch.stack([_probabilities(f"{name} {trial}", batch, vocab, dtype) for trial in range(trials)])


def _probabilities(name: str, batch: int, vocab: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return (1.5 * torch.randn(batch, vocab, generator=generator(f"distribution {name}"), dtype=dtype)).softmax(-1)


def _mask(lengths: tuple[int, ...]) -> Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
