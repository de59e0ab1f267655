"""Checks of the score functions: each against the reference with the same weights, on fresh sentences.

Equal sizes of query and key come first: there a swapped or transposed layer still runs, so it can be named.
After them every axis gets a size of its own, so that a mixed-up axis cannot hide.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.checks import mistakes
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
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer

Answer = Callable[..., Scorer]

BATCH, KEYS = 2, 5


@check
def check_dot_scorer(answer: Answer) -> None:
    """dot scores: one number per key, the product of query and key, batched, with gradients"""
    _compare(answer, DotScorer, (), mistakes.dot, query_size=4, key_size=4)
    _compare_gradients(answer, DotScorer, (), query_size=4, key_size=4)


@check
def check_dot_scorer_hidden(answer: Answer) -> None:
    """dot scores, other cases: other sizes, one sentence, one key and float64"""
    _compare_cases(answer, DotScorer, lambda query, key: (), mistakes.dot, equal_sizes=True)


@check
def check_scaled_dot_scorer(answer: Answer) -> None:
    """scaled dot scores: the dot product over the root of the size, batched, with gradients"""
    _compare(answer, ScaledDotScorer, (), mistakes.scaled_dot, query_size=6, key_size=6)
    _compare_gradients(answer, ScaledDotScorer, (), query_size=6, key_size=6)


@check
def check_scaled_dot_scorer_hidden(answer: Answer) -> None:
    """scaled dot scores, other cases: other sizes, one sentence, one key and float64"""
    _compare_cases(answer, ScaledDotScorer, lambda query, key: (), mistakes.scaled_dot, equal_sizes=True)


@check
def check_bilinear_scorer(answer: Answer) -> None:
    """bilinear scores: W carries the keys to the query's space, once per sentence; batched, with gradients"""
    _compare(answer, BilinearScorer, (4, 4), mistakes.bilinear, query_size=4, key_size=4)
    _compare(answer, BilinearScorer, (3, 4), mistakes.bilinear, query_size=3, key_size=4)
    _compare_gradients(answer, BilinearScorer, (3, 4), query_size=3, key_size=4)


@check
def check_bilinear_scorer_hidden(answer: Answer) -> None:
    """bilinear scores, other cases: other sizes, one sentence, one key and float64"""
    _compare_cases(answer, BilinearScorer, lambda query, key: (query, key), mistakes.bilinear)


@check
def check_additive_scorer(answer: Answer) -> None:
    """additive scores: v · tanh(W query + U key), the keys projected once; batched, with gradients"""
    _compare(answer, AdditiveScorer, (4, 4, 4), mistakes.additive, query_size=4, key_size=4)
    _compare(answer, AdditiveScorer, (3, 4, 6), mistakes.additive, query_size=3, key_size=4)
    _compare_gradients(answer, AdditiveScorer, (3, 4, 6), query_size=3, key_size=4)


@check
def check_additive_scorer_hidden(answer: Answer) -> None:
    """additive scores, other cases: other sizes, one sentence, one key and float64"""
    _compare_cases(answer, AdditiveScorer, lambda query, key: (query, key, 9), mistakes.additive)


@check
def check_location_scorer(answer: Answer) -> None:
    """location scores: a row of W per position, cut to the number of keys, blind to what the keys hold"""
    _compare(answer, LocationScorer, (4, KEYS), mistakes.location, query_size=4, key_size=4)
    _compare(answer, LocationScorer, (3, 8), mistakes.location, query_size=3, key_size=4)
    _compare_gradients(answer, LocationScorer, (3, 8), query_size=3, key_size=4)


@check
def check_location_scorer_hidden(answer: Answer) -> None:
    """location scores, other cases: as many keys as positions, one more than that, one key, float64"""
    _compare_cases(answer, LocationScorer, lambda query, key: (query, 9), mistakes.location)
    case = "as many keys as positions"
    _compare(answer, LocationScorer, (3, KEYS), mistakes.location, query_size=3, key_size=4, case=case)
    module, _ = _twins(answer, LocationScorer, (3, KEYS))
    query, keys = _draw("too many", BATCH, KEYS + 1, 3, 4)
    try:
        ask("scores", module, query=query, keys=keys)
    except CheckFailed:
        return
    why = "there is no row of W for the last key: silence here becomes a wrong weight later"
    raise CheckFailed("scores (one key more than positions)", "returned as if nothing were wrong", "a ValueError", why)


def _compare_cases(
    answer: Answer,
    reference: type[Scorer],
    sizes: Callable[[int, int], tuple[int, ...]],
    table: mistakes.Table,
    equal_sizes: bool = False,
) -> None:
    """The hidden variant of every scorer: what is tried is told, the numbers are not."""
    query, key = (7, 7) if equal_sizes else (7, 5)
    draw = {"query_size": query, "key_size": key, "table": table}
    arguments = sizes(query, key)
    _compare(answer, reference, arguments, **draw, batch=3, keys=8, case="other sizes")
    _compare(answer, reference, arguments, **draw, batch=1, keys=6, case="a batch of one sentence")
    _compare(answer, reference, arguments, **draw, batch=3, keys=1, case="sentences of one key")
    _compare(answer, reference, arguments, **draw, batch=3, keys=4, case="float64", dtype=torch.float64)
    _compare_gradients(answer, reference, arguments, query, key, keys=8, case="other sizes")


def _compare(
    answer: Answer,
    reference: type[Scorer],
    arguments: tuple[int, ...],
    table: mistakes.Table,
    query_size: int,
    key_size: int,
    batch: int = BATCH,
    keys: int = KEYS,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    module, twin = _twins(answer, reference, arguments, dtype, case)
    query, key = (tensor.to(dtype) for tensor in _draw(case, batch, keys, query_size, key_size))
    given = {"query": query.clone(), "keys": key.clone()}
    with torch.no_grad():
        if "project_keys" in vars(reference):
            _compare_projection(module, twin, key, case)
        expected = twin(query, key)
        got = ask("scores", module, case=case, **given)
        expect_tensor("scores", got, like=query, case=case)
        expect_shape("scores", got, mistakes.shapes(twin, query, key), case, batch=batch, keys=keys)
        expect_finite("scores", got, case=case)
        expect_close(
            "scores",
            got,
            expected,
            mistakes=lambda: table(twin, query, key) | mistakes.any_scorer(expected, twin, query, key),
            properties=lambda: _expect_own_score(module, query, key, got, case),
            case=case,
        )
    expect_unchanged("query", given["query"], query, case)
    expect_unchanged("keys", given["keys"], key, case)


def _compare_projection(module: Scorer, twin: Scorer, keys: Tensor, case: str) -> None:
    what = "projected keys"
    expected = twin.project_keys(keys)
    got = ask(what, module.project_keys, case=case, keys=keys)
    once = "the product with the keys does not depend on the query: compute it here, once per sentence, not in `score`"
    if same(got, keys) and not same(expected, keys):
        raise CheckFailed(what, "the keys as they came", "the keys times their matrix", once)
    expect_tensor(what, got, like=keys, case=case)
    expect_shape(what, got, case=case, batch=keys.size(0), keys=keys.size(1), size=expected.size(2))
    expect_close(what, got, expected, mistakes=lambda: mistakes.projection(twin, keys), case=case)


def _compare_gradients(
    answer: Answer,
    reference: type[Scorer],
    arguments: tuple[int, ...],
    query_size: int,
    key_size: int,
    keys: int = KEYS,
    case: str = "",
) -> None:
    module, twin = _twins(answer, reference, arguments, case=case)
    own = [tensor.requires_grad_() for tensor in _draw("gradients", BATCH, keys, query_size, key_size)]
    query, key = (tensor.detach().clone().requires_grad_() for tensor in own)  # whatever the answer does to them
    theirs, ours = (dict(side.named_parameters()) for side in (module, twin))
    pairs = {"query": (query, own[0]), "keys": (key, own[1])} | {name: (theirs[name], ours[name]) for name in ours}
    got = ask("scores", module, case=case, query=query, keys=key)
    expect_gradients("scores", got, twin(*own), pairs, case)


def _twins(
    answer: Answer,
    reference: type[Scorer],
    arguments: tuple[int, ...],
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> tuple[Scorer, Scorer]:
    """The answer and the reference with the same random weights."""
    twin = reference(*arguments).to(dtype)
    module = ask(
        f"{reference.__name__}(…)", answer, case=case, **{f"size {n}": size for n, size in enumerate(arguments)}
    )
    draw = generator(f"weights {reference.__name__} {arguments} {case}")
    weights = {name: torch.randn(old.shape, generator=draw).to(dtype) for name, old in twin.state_dict().items()}
    found, wanted = (
        {name: tuple(value.shape) for name, value in side.items()}
        for side in (ask("parameters", module.state_dict), weights)
    )
    if found != wanted:
        names = [", ".join(f"{name} {shape}" for name, shape in side.items()) or "none" for side in (found, wanted)]
        raise CheckFailed("parameters", names[0], names[1], "leave `__init__` as it was given")
    if dtype == torch.float64:
        ask("double()", module.double)
    ask("load_state_dict", module.load_state_dict, weights=weights)
    twin.load_state_dict(weights)
    return module, twin


def _draw(name: str, batch: int, keys: int, query_size: int, key_size: int) -> tuple[Tensor, Tensor]:
    draw = generator(f"sentences {name} {batch} {keys} {query_size} {key_size}")
    return torch.randn(batch, query_size, generator=draw), torch.randn(batch, keys, key_size, generator=draw)


def _expect_own_score(module: Scorer, query: Tensor, keys: Tensor, scores: Tensor, case: str) -> None:
    """The score of a key depends on that key and its sentence's query alone."""
    others = keys.clone()
    others[:, 1:] *= -3.0
    again = ask("scores", module, case=case, query=query.clone(), keys=others)
    if not same(again[:, 0], scores[:, 0].detach()):
        why = "a score is about its own key alone; what runs over all keys, the softmax for one, comes later"
        raise CheckFailed("scores", "the score of one key changes with the content of another key", "no change", why)
    others = query.clone()
    others[0] += 1.0
    again = ask("scores", module, case=case, query=others, keys=keys.clone())
    if keys.size(0) > 1 and not same(again[1:], scores[1:].detach()):
        why = "the sentences of a batch are mixed: is an axis summed, or broadcast, that should stay apart?"
        raise CheckFailed("scores", "the scores of one sentence change with the query of another", "no change", why)
