"""Checks of one look at a memory: who asks, what is compared, what is fetched."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.pair import expect_pair
from autograder.expect import ask, check, expect_close, expect_finite, expect_gradients, expect_unchanged, generator
from seq2seq.attention import masked_softmax, weighted_sum
from seq2seq.beyond import memory_network as reference

Function = Callable[..., Any]

NAMES = ("query", "keys", "values", "mask")
EMPTY = "a story without a sentence gets weights of 0"
OVERFLOW = "exp overflows: only differences of scores matter, and the given functions see to that"


@check
def check_hop(answer: Function) -> None:
    """hop: dot products with the keys, weights of the real sentences, the mean of the values, gradients"""
    _compare(answer, (5, 5), 4)
    _compare(answer, (6, 4, 2), 5)
    _compare_gradients(answer, (5, 3), 4)


@check
def check_hop_hidden(answer: Function) -> None:
    """hop, other cases: other sizes, one story, one sentence, an empty story, large scores, float64, gradients"""
    _compare(answer, (3, 8, 1, 5), 6, "other sizes")
    _compare(answer, (4,), 3, "a batch of one story")
    _compare(answer, (1, 1, 1), 3, "stories of one sentence")
    _compare(answer, (4, 0, 2), 5, "a story without a sentence")
    _compare(answer, (5, 5, 5), 4, "large scores", scale=400.0)
    _compare(answer, (6, 2), 3, "float64", dtype=torch.float64)
    _compare_gradients(answer, (6, 2, 4), 3, "gradients")


def _compare(
    answer: Function,
    lengths: tuple[int, ...],
    size: int,
    case: str = "",
    scale: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> None:
    query, keys, values, mask = _draw(lengths, size, case, dtype)
    query = scale * query
    drawn = dict(zip(NAMES, (query, keys, values, mask), strict=True))
    given = {name: tensor.clone() for name, tensor in drawn.items()}
    batch, sentences = mask.shape
    sizes = {"batch": batch, "size": size}, {"batch": batch, "sentences": sentences}
    with torch.no_grad():
        result = ask("hop", answer, case=case, **given)
        output, weights = expect_pair("hop", result, ("output", "weights"), sizes, values, case)
        right_output, right_weights = reference.hop(query, keys, values, mask)
        expect_finite("weights", weights, OVERFLOW if mask.any(-1).all() else EMPTY, case)
        table = _weight_mistakes(query, keys, values, mask)
        expect_close("weights", weights, right_weights, lambda: table, case=case)
        expect_finite("output", output, case=case)
        outputs = _output_mistakes(query, keys, values, mask, right_weights)
        expect_close("output", output, right_output, lambda: outputs, case=case)
    for name, before in drawn.items():
        expect_unchanged(name, given[name], before, case)


def _weight_mistakes(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> dict[str, Tensor]:
    scores = (keys @ query.unsqueeze(-1)).squeeze(-1)
    return {
        "the query is compared with the values; it is compared with the keys": masked_softmax(
            (values @ query.unsqueeze(-1)).squeeze(-1), mask
        ),
        "the scores are divided by the root of the size; this network has plain dot products": masked_softmax(
            scores / query.size(-1) ** 0.5, mask
        ),
        "the mask is not used: padding takes part in the softmax": scores.softmax(-1),
        "the mask comes after the softmax, so the real sentences no longer share all of the 1": scores.softmax(-1)
        * mask,
        "the mask is turned round: True means a real sentence": masked_softmax(scores, ~mask),
        "these are scores: the softmax is missing": scores,
        "these are scores, masked: the softmax is missing": scores * mask,
        "there is a tanh around the scores; here they are plain dot products": masked_softmax(scores.tanh(), mask),
        "this is the cosine: the lengths of query and key belong to the dot product": masked_softmax(
            torch.cosine_similarity(query.unsqueeze(1), keys, dim=-1), mask
        ),
        "the query of story 0 asks in every story": masked_softmax(keys @ query[0], mask),
        "the weights are turned into a choice: only the best sentence has one": (
            torch.nn.functional.one_hot(scores.masked_fill(~mask, -torch.inf).argmax(-1), scores.size(-1)) * mask
        ).to(scores.dtype),
    }


def _output_mistakes(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor, weights: Tensor) -> dict[str, Tensor]:
    right = weighted_sum(weights, values)
    scores = (keys @ query.unsqueeze(-1)).squeeze(-1)
    return {
        "the keys are summed; they say where to look, the values what is found there": weighted_sum(weights, keys),
        "keys and values are summed together; the values alone are fetched": weighted_sum(weights, keys + values),
        "the query is added already: the network does that between two hops": right + query,
        "this is the plain mean of the values: the weights are not used": values.mean(1),
        "this is the value of the best sentence alone; every sentence has a say": values[
            torch.arange(len(values)), weights.argmax(-1)
        ],
        "the values are summed with the scores; the weights come between": weighted_sum(scores * mask, values),
        "the padding is left in the sum": weighted_sum(scores.softmax(-1), values),
        "the sum is divided by the number of sentences as well": right / values.size(1),
    }


def _compare_gradients(answer: Function, lengths: tuple[int, ...], size: int, case: str = "") -> None:
    *own, mask = _draw(lengths, size, f"{case} gradients")
    theirs = [tensor.clone().requires_grad_() for tensor in own]
    own = [tensor.requires_grad_() for tensor in own]
    given = dict(zip(NAMES, (*theirs, mask), strict=True))
    result = ask("hop", answer, case=case, **given)
    pairs = dict(zip(NAMES[:3], zip(theirs, own, strict=True), strict=True))
    for name, got, expected in zip(("output", "weights"), result, reference.hop(*own, mask), strict=True):
        expect_gradients(name, got, expected, pairs, case)


def _draw(
    lengths: tuple[int, ...], size: int, case: str, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    draw = generator(f"memory {case} {lengths}")
    batch, sentences = len(lengths), max(lengths) + (1 if 0 in lengths else 0)
    query = torch.randn(batch, size, generator=draw, dtype=dtype)
    keys, values = (torch.randn(batch, sentences, size, generator=draw, dtype=dtype) for _ in range(2))
    return query, keys, values, torch.arange(sentences) < torch.tensor(lengths).unsqueeze(1)
