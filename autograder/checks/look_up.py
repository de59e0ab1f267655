"""Checks of the look-up for every target word at once: a table of weights, and a context for each of its rows."""

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

Function = Callable[..., tuple[Tensor, Tensor]]

BATCH, QUERIES, KEYS, SIZE, VALUE_SIZE = 2, 3, 5, 4, 6


@check
def check_look_up(answer: Function) -> None:
    """look-up of a whole target: a row of weights for each query, and the context that this row gives"""
    _compare(answer, queries=KEYS, size=KEYS, value_size=KEYS, what=" (equal sizes)")
    _compare(answer)


@check
def check_look_up_hidden(answer: Function) -> None:
    """look-up of a whole target, other cases: one sentence, one target word, one key, float64, large scores"""
    _compare(answer, batch=4, queries=2, keys=7, size=3, value_size=5, case="other sizes")
    _compare(answer, batch=1, case="a batch of one sentence")
    _compare(answer, queries=1, case="one target word")
    _compare(answer, keys=1, case="one source word")
    _compare(answer, value_size=1, case="values of size one")
    _compare(answer, dtype=torch.float64, case="float64")
    _compare(answer, scale=40.0, case="large scores")


def _compare(
    answer: Function,
    batch: int = BATCH,
    queries: int = QUERIES,
    keys: int = KEYS,
    size: int = SIZE,
    value_size: int = VALUE_SIZE,
    dtype: torch.dtype = torch.float32,
    scale: float = 1.0,
    what: str = "",
    case: str = "",
) -> None:
    draw = generator(f"look-up {what} {case}")
    sizes = {"queries": (queries, size), "keys": (keys, size), "values": (keys, value_size)}
    drawn = {name: torch.randn(batch, *rest, generator=draw).to(dtype) for name, rest in sizes.items()}
    drawn["queries"] *= scale
    given = {name: one.clone() for name, one in drawn.items()}
    with torch.no_grad():
        contexts, weights = _pair(ask(f"look_up{what}", answer, case=case, **given))
    q, k, v = drawn.values()
    expected, right = reference.look_up(q, k, v)
    shapes = {
        (batch, keys, queries): "the axes came out as (keys, queries): each row belongs to a target word",
        (batch, keys): "one row is there; every target word has a row of its own",
        (batch, batch, queries, keys): "the queries of every sentence meet the keys of every other",
    }
    shapes.pop((batch, queries, keys), None)
    if same(contexts, right) and same(weights, expected) and not same(contexts, expected):
        why = "the decoder needs the contexts first"
        raise CheckFailed("look_up", "the pair (weights, contexts)", "(contexts, weights)", why)
    expect_tensor(f"weights{what}", weights, like=q, case=case)
    expect_shape(f"weights{what}", weights, shapes, case, batch=batch, queries=queries, keys=keys)
    expect_finite(f"weights{what}", weights, "exp overflows where scores are large: `torch.softmax` knows how", case)
    expect_close(
        f"weights{what}", weights, right, lambda: _weight_mistakes(q, k), lambda: _rows(weights, case), case=case
    )
    expect_tensor(f"contexts{what}", contexts, like=v, case=case)
    expect_shape(f"contexts{what}", contexts, case=case, batch=batch, queries=queries, value_size=value_size)
    table = _context_mistakes(right, v, q @ k.mT)
    expect_close(f"contexts{what}", contexts, expected, lambda: table, case=case)
    for name, before in drawn.items():
        expect_unchanged(name, given[name], before, case)
    _expect_flow(answer, drawn, case)


def _expect_flow(answer: Function, drawn: dict[str, Tensor], case: str) -> None:
    theirs, ours = ({name: one.clone().requires_grad_() for name, one in drawn.items()} for _ in range(2))
    contexts, weights = _pair(ask("look_up", answer, case=case, **theirs))
    expected, right = reference.look_up(*ours.values())
    pairs = {name: (theirs[name], ours[name]) for name in drawn}
    expect_gradients("contexts", contexts, expected, pairs, case)
    expect_gradients("weights", weights, right, {name: pairs[name] for name in ("queries", "keys")}, case)


def _pair(result: object) -> tuple[Tensor, Tensor]:
    if isinstance(result, tuple | list) and len(result) == 2 and all(isinstance(one, Tensor) for one in result):
        return result[0], result[1]
    got = "one tensor" if isinstance(result, Tensor) else "nothing (None)" if result is None else "something else"
    raise CheckFailed("look_up", got, "the pair (contexts, weights)", "the decoder needs the one, we look at the other")


def _weight_mistakes(queries: Tensor, keys: Tensor) -> dict[str, Tensor]:
    scores = queries @ keys.mT
    table = {
        "these are the scores: the softmax is missing": scores,
        "the softmax runs over the target words; the source words compete for each target word": scores.softmax(1),
        "the softmax runs over the batch; the source words of one sentence compete": scores.softmax(0),
        "the softmax runs over the whole table; each target word has its own 1": scores.flatten(1)
        .softmax(-1)
        .view_as(scores),
        "the scores are scaled by the root of the size: the plain dot product is asked for": (
            scores / queries.size(-1) ** 0.5
        ).softmax(-1),
        "these are exponentials that are never divided by their sum": scores.exp(),
        "the softmax is applied twice": scores.softmax(-1).softmax(-1),
        "there is a sigmoid in place of the softmax: the source words have to compete for the 1": scores.sigmoid(),
        "these are logarithms of the weights": scores.log_softmax(-1),
        "every target word has the weights of the first: each asks with a query of its own": scores[:, :1]
        .softmax(-1)
        .expand_as(scores),
        "each score has the opposite sign: the nearest key gets the least": (-scores).softmax(-1),
    }
    if keys.size(1) == keys.size(2) == queries.size(2):
        table["keys are not transposed: the features of a key meet its neighbours'"] = (queries @ keys).softmax(-1)
    if queries.size(1) == keys.size(1):
        table["queries and keys are exchanged: a row belongs to a target word"] = scores.mT.softmax(-1)
    return table


def _context_mistakes(weights: Tensor, values: Tensor, scores: Tensor) -> dict[str, Tensor]:
    average = values.mean(1, keepdim=True).expand(-1, weights.size(1), -1)
    table = {
        "the values are averaged: the weights are not used": average,
        "the values are summed with the scores, not with the weights": scores @ values,
        "every target word has the context of the first": (weights @ values)[:, :1].expand_as(average),
        "the sum is divided by the number of keys as well: the weights have seen to that": weights
        @ values
        / values.size(1),
        "this is the value of the largest weight alone: every key has a say": values.gather(
            1, weights.argmax(-1, keepdim=True).expand(-1, -1, values.size(-1))
        ),
    }
    if weights.size(1) == weights.size(2):
        table["the table is transposed before the sum: row i belongs to target word i"] = weights.mT @ values
        if values.size(1) == values.size(2):
            table["the values are transposed before the sum"] = weights @ values.mT
    return table


def _rows(weights: Tensor, case: str) -> None:
    off = float((weights.sum(-1) - 1).abs().max())
    if off > 1e-4:
        got = "a row does not sum to 1" if case else f"the sum of a row is off by {off:.2g}"
        raise CheckFailed("weights", got, "1", "the source words share all of it, for each target word anew")
    if same(weights[:, :1].expand_as(weights), weights) and weights.size(1) > 1:
        raise CheckFailed("weights", "every target word has the same weights", "a row for each query")
