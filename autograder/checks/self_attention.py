"""Checks of self-attention: query, keys and values from one sequence, under a mask.

Equal sizes come first: there an exchanged layer still runs, so it can be named.
After them every axis gets a size of its own.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from autograder.checks.twins import twins
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
from seq2seq.attention import masked_softmax
from seq2seq.transformer.self_attention import SelfAttention, causal_mask, visible_keys

Answer = Callable[..., SelfAttention]

EMPTY = "a query that may see nothing gets weights of 0; a softmax over −∞ everywhere is 0/0"


@check
def check_self_attention(answer: Answer) -> None:
    """self-attention: each position weighs those it may see, and no other; query, key and value of one sequence"""
    _compare(answer, (4, 4, 4), [5, 3, 2])
    _compare(answer, (3, 6, 7), [5, 3, 2])
    _compare(answer, (3, 6, 7), [5, 3, 2], causal=False, what="without a causal mask: ")
    _compare_gradients(answer, (3, 6, 7))


@check
def check_self_attention_hidden(answer: Answer) -> None:
    """self-attention, other cases: one sentence, one word, a query that sees nothing, a mask for all, float64"""
    _compare(answer, (5, 2, 9), [8, 1, 6, 3], case="other sizes")
    _compare(answer, (5, 3, 2), [6], case="a batch of one sentence")
    _compare(answer, (3, 5, 4), [1, 1], case="sentences of one word")
    _compare(answer, (3, 5, 4), [4, 0, 2], case="a query that may see nothing")
    _compare(answer, (3, 5, 4), [4, 3], case="float64", dtype=torch.float64)
    _compare(answer, (3, 5, 4), [4, 4], case="one mask (queries, keys) for all sentences", shared=True)
    _compare_gradients(answer, (3, 5, 4), [4, 0, 2], "gradients where a query may see nothing")


def _compare(
    answer: Answer,
    sizes: tuple[int, int, int],
    lengths: list[int],
    causal: bool = True,
    shared: bool = False,
    what: str = "",
    case: str = "",
    dtype: torch.dtype = torch.float32,
) -> None:
    input_size, _, value_size = sizes
    module, twin = twins(answer, SelfAttention, _named(sizes), dtype, case)
    sequence, visible = _draw(f"{sizes} {case}", lengths, input_size, causal)
    sequence, visible = sequence.to(dtype), visible[0] if shared else visible
    given = {"sequence": sequence.clone(), "visible": visible.clone()}
    batch, length = len(lengths), max(lengths)
    with torch.no_grad():
        expected, right = twin(sequence, visible)
        contexts, weights = _pair(ask("self-attention", module, case=case, **given), sequence, value_size, case)
        axes = {"batch": batch, "queries": length, "keys": length}
        expect_shape(f"{what}weights", weights, {(batch, length): "one row per query is wanted"}, case, **axes)
        shapes = {(batch, value_size): "the positions are summed: each of them has a context of its own"}
        expect_shape(f"{what}contexts", contexts, shapes, case, batch=batch, length=length, value_size=value_size)
        expect_finite(f"{what}weights", weights, EMPTY, case)
        expect_finite(f"{what}contexts", contexts, EMPTY, case)
        expect_close(
            f"{what}weights",
            weights,
            right,
            lambda: _weight_mistakes(twin, sequence, visible),
            lambda: _expect_rows(f"{what}weights", weights, visible.expand_as(weights), case),
            case=case,
        )
        expect_close(
            f"{what}contexts",
            contexts,
            expected,
            lambda: _context_mistakes(twin, sequence, visible, weights),
            why="each context is the sum of the values, each times the weight that is returned with it",
            case=case,
        )
    expect_unchanged("sequence", given["sequence"], sequence, case)
    expect_unchanged("visible", given["visible"], visible, case)


def _weight_mistakes(twin: SelfAttention, sequence: Tensor, visible: Tensor) -> dict[str, Tensor]:
    queries, keys = twin.query_layer(sequence), twin.key_layer(sequence)
    raw, size = queries @ keys.mT, keys.size(-1)
    scores = raw / math.sqrt(size)
    scales = {
        "the scores are not scaled: the division by the root of the size is missing": 1.0,
        "the scores are divided by the size of the keys itself; its root is enough": float(size),
        "the root is taken of the size of the sequence's vectors; that of query and key counts": math.sqrt(
            sequence.size(-1)
        ),
        "the root is taken of the size of the values; that of query and key counts": math.sqrt(
            twin.value_layer.out_features
        ),
        "the root is taken of the number of words; the size of query and key counts": math.sqrt(sequence.size(1)),
        "the scores are multiplied by the root of the size; they are divided by it": 1 / math.sqrt(size),
    }
    softmax = scores.softmax(-1)
    real = visible.expand_as(scores)
    mistakes = {why: masked_softmax(raw / scale, visible) for why, scale in scales.items() if scale != math.sqrt(size)}
    mistakes |= {
        "the mask is ignored": softmax,
        "the mask comes after the softmax, so what may be seen no longer shares all of the 1": softmax * real,
        "the mask is turned round: True means that a key may be seen": masked_softmax(scores, ~visible),
        "what is hidden gets a score of 0, which is not low: exp(0) is 1": (scores * real).softmax(-1),
        "queries and keys are exchanged: row i holds the scores of query i": masked_softmax(scores.mT, visible),
        "the softmax runs over the queries; the keys of one query compete with each other": masked_softmax(
            scores.mT, real.mT
        ).mT,
        "the softmax runs over the batch; the keys of one query compete with each other": masked_softmax(
            scores.transpose(0, 2), real.transpose(0, 2)
        ).transpose(0, 2),
        "these are the scores: the softmax is missing": scores * real,
        "what is to come is hidden although `visible` shows it: take the mask as it is": masked_softmax(
            scores, real & causal_mask(scores.size(-1))
        ),
        "the query layer is used for the keys as well: keys have a layer of their own": _weights(
            queries, queries, visible
        ),
        "the key layer is used for the queries as well: queries have a layer of their own": _weights(
            keys, keys, visible
        ),
        "the queries are the same for every position: that of the last": _weights(
            queries[:, -1:].expand_as(queries), keys, visible
        ),
        "the softmax is applied twice": masked_softmax(masked_softmax(scores, visible), visible),
    }
    if sequence.size(-1) == size:
        mistakes |= {
            "the sequence itself is used as queries: the query layer is missing": _weights(sequence, keys, visible),
            "the sequence itself is used as keys: the key layer is missing": _weights(queries, sequence, visible),
            "the sequence scores itself: query and key layers are missing": _weights(sequence, sequence, visible),
            "query and key layer are exchanged, and each has its own job": _weights(keys, queries, visible),
        }
    return mistakes


def _weights(queries: Tensor, keys: Tensor, visible: Tensor) -> Tensor:
    return masked_softmax(queries @ keys.mT / math.sqrt(keys.size(-1)), visible)


def _context_mistakes(twin: SelfAttention, sequence: Tensor, visible: Tensor, weights: Tensor) -> dict[str, Tensor]:
    values = twin.value_layer(sequence)
    everything = _weights(twin.query_layer(sequence), twin.key_layer(sequence), torch.ones_like(weights).bool())
    mistakes = {
        "the weights are transposed in the sum: row i of them belongs to query i": weights.mT @ values,
        "other weights are used in the sum than are returned: the hidden words are left in it": everything @ values,
        "the values come back unweighted": values,
        "this is the plain average of the values: their weights are not used": values.mean(1, keepdim=True).expand_as(
            values
        ),
    }
    if sequence.size(-1) == values.size(-1):
        mistakes |= {
            "the sequence itself is summed: the value layer is missing": weights @ sequence,
            "the input is added: a residual connection belongs outside of attention": weights @ values + sequence,
        }
    if twin.key_layer.out_features == values.size(-1):
        mistakes["the keys are summed: values have a layer of their own"] = weights @ twin.key_layer(sequence)
        mistakes["the queries are summed: values have a layer of their own"] = weights @ twin.query_layer(sequence)
    return mistakes


def _expect_rows(what: str, weights: Tensor, visible: Tensor, case: str) -> None:
    label = labelled(what, case)
    if (weights < 0).any():
        raise CheckFailed(label, "some are negative", "shares between 0 and 1", "are these scores?")
    hidden = (weights * ~visible).sum(-1).flatten()
    if float(hidden.max()) > 1e-6:
        why = "before the softmax, what may not be seen needs a score far below every other"
        raise CheckFailed(label, "keys that may not be seen get weight", "0", why)
    totals = torch.where(visible.any(-1), weights.sum(-1), 1.0)
    if float((totals - 1).abs().max()) > 1e-4:
        raise CheckFailed(label, "a row does not sum to 1", "1 over axis 2", "each query shares out its own 1")


def _compare_gradients(
    answer: Answer, sizes: tuple[int, int, int], lengths: list[int] | None = None, case: str = ""
) -> None:
    module, twin = twins(answer, SelfAttention, _named(sizes), case=case)
    sequence, visible = _draw(f"gradients {case}", lengths or [5, 3, 2], sizes[0], causal=True)
    asked = sequence.clone().requires_grad_()
    sequence.requires_grad_()
    theirs, ours = (dict(side.named_parameters()) for side in (module, twin))
    pairs = {"sequence": (asked, sequence)} | {name: (theirs[name], ours[name]) for name in ours}
    result = ask("self-attention", module, case=case, sequence=asked, visible=visible.clone())
    for what, got, expected in zip(
        ("contexts", "weights"), _pair(result, sequence, sizes[2], case), twin(sequence, visible), strict=True
    ):
        used = {name: pair for name, pair in pairs.items() if what == "contexts" or "value" not in name}
        expect_gradients(what, got, expected, used, case)


def _pair(result: object, sequence: Tensor, value_size: int, case: str) -> tuple[Tensor, Tensor]:
    if isinstance(result, Tensor) or not isinstance(result, tuple | list) or len(result) != 2:
        got = "one tensor" if isinstance(result, Tensor) else f"a {type(result).__name__}"
        got = "nothing (None)" if result is None else got
        raise CheckFailed(
            labelled("self-attention", case), got, "the pair (contexts, weights)", "both are looked at later"
        )
    contexts, weights = result
    expect_tensor("contexts", contexts, like=sequence, case=case)
    expect_tensor("weights", weights, like=sequence, case=case)
    batch, length, _ = sequence.shape
    swapped = contexts.shape == (batch, length, length) and weights.shape == (batch, length, value_size)
    if swapped and length != value_size:
        why = "the order is the other way"
        raise CheckFailed(labelled("self-attention", case), "the pair (weights, contexts)", "(contexts, weights)", why)
    return contexts, weights


def _named(sizes: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(("input_size", "attention_size", "value_size"), sizes, strict=True))


def _draw(name: str, lengths: list[int], input_size: int, causal: bool) -> tuple[Tensor, Tensor]:
    length = max(lengths)
    sequence = torch.randn(len(lengths), length, input_size, generator=generator(f"self-attention {name} {lengths}"))
    source_mask = torch.arange(length) < torch.tensor(lengths).unsqueeze(1)
    return sequence, visible_keys(source_mask, causal_mask(length) if causal else None)
