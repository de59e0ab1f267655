"""Checks of attention with several heads.

What a learner's own ``split_heads`` and ``join_heads`` return is accepted here, right or wrong: each is judged where
it is the task.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from autograder.checks.multi_head_mistakes import context_mistakes, weight_mistakes
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
    same,
)
from autograder.wording import labelled
from seq2seq.attention import masked_softmax
from seq2seq.transformer.self_attention import (
    MultiHeadAttention,
    causal_mask,
    from_torch,
    join_heads,
    split_heads,
    visible_keys,
)

Answer = Callable[..., MultiHeadAttention]
Function = Callable[..., Tensor]
Parts = tuple[Function | None, Function | None]
Inputs = tuple[Tensor, Tensor, Tensor, Tensor]

EMPTY = "a query that may see nothing gets weights of 0; a softmax over −∞ everywhere is 0/0"


@check
def check_multi_head_attention(
    answer: Answer, split_heads: Function | None = None, join_heads: Function | None = None
) -> None:
    """multi-head attention: every head weighs by its own features; joined, and through the output layer"""
    parts = split_heads, join_heads
    _compare(answer, parts, (12, 3), queries=4, lengths=[5, 3])
    _compare(answer, parts, (12, 3), queries=5, lengths=[5, 3], causal=True)
    _compare_gradients(answer, parts, (12, 3))


@check
def check_multi_head_attention_hidden(
    answer: Answer, split_heads: Function | None = None, join_heads: Function | None = None
) -> None:
    """multi-head attention, other cases: one head, one sentence, one key, empty sentence, float64, PyTorch's weights"""
    parts = split_heads, join_heads
    _compare(answer, parts, (10, 2), queries=3, lengths=[7, 4, 1], case="other sizes")
    _compare(answer, parts, (6, 1), queries=4, lengths=[5, 2], case="one head")
    _compare(answer, parts, (8, 4), queries=4, lengths=[6], case="a batch of one sentence")
    _compare(answer, parts, (8, 4), queries=3, lengths=[1, 1], case="sentences of one key")
    _compare(answer, parts, (8, 4), queries=1, lengths=[4, 2], case="one query")
    _compare(answer, parts, (8, 2), queries=3, lengths=[4, 0], case="a sentence without a real token")
    _compare(answer, parts, (8, 2), queries=3, lengths=[4, 2], case="float64", dtype=torch.float64)
    case = "one mask (queries, keys) for all sentences"
    _compare(answer, parts, (8, 2), queries=4, lengths=[4, 4], causal=True, shared=True, case=case)
    _compare_with_pytorch(answer, parts)


def _compare(
    answer: Answer,
    parts: Parts,
    sizes: tuple[int, int],
    queries: int,
    lengths: list[int],
    causal: bool = False,
    shared: bool = False,
    case: str = "",
    dtype: torch.dtype = torch.float32,
) -> None:
    module, twin = twins(answer, MultiHeadAttention, {"size": sizes[0], "heads": sizes[1]}, dtype, case)
    names = ("queries", "keys", "values", "visible")
    inputs = _draw(f"{case} {causal}", sizes[0], queries, lengths, causal, dtype)
    inputs = (*inputs[:3], inputs[3][0]) if shared else inputs
    given = dict(zip(names, (one.clone() for one in inputs), strict=True))
    with torch.no_grad():
        contexts, weights = _pair(ask("attend", module.attend, case=case, **given), inputs, sizes[1], case)
        if not _made_of_own(contexts, weights, twin, parts, inputs):
            _expect_right(contexts, weights, twin, inputs, case)
    for name, before in zip(names, inputs, strict=True):
        expect_unchanged(name, given[name], before, case)


def _expect_right(contexts: Tensor, weights: Tensor, twin: MultiHeadAttention, inputs: Inputs, case: str) -> None:
    expected, right = twin.attend(*inputs)
    expect_finite("weights", weights, EMPTY, case)
    expect_finite("contexts", contexts, EMPTY, case)
    properties = lambda: _expect_rows(weights, inputs[3].unsqueeze(-3).expand_as(weights), case)  # noqa: E731
    expect_close("weights", weights, right, lambda: weight_mistakes(twin, *inputs), properties, case=case)
    why = "each head sums its own values, each times its weight; the heads are joined and go through the output layer"
    expect_close("contexts", contexts, expected, lambda: context_mistakes(twin, *inputs), why=why, case=case)


def _expect_rows(weights: Tensor, visible: Tensor, case: str) -> None:
    label = labelled("weights", case)
    if (weights < 0).any():
        raise CheckFailed(label, "some are negative", "shares between 0 and 1", "are these scores?")
    if float((weights * ~visible).max()) > 1e-6:
        why = "the mask of a sentence counts for every one of its heads; is it spread along the right axis?"
        raise CheckFailed(label, "keys that may not be seen get weight", "0", why)
    totals = torch.where(visible.any(-1), weights.sum(-1), 1.0)
    if float((totals - 1).abs().max()) > 1e-4:
        raise CheckFailed(label, "a row does not sum to 1", "1 over the keys", "each query of each head has its own 1")


def _made_of_own(contexts: Tensor, weights: Tensor, twin: MultiHeadAttention, parts: Parts, inputs: Inputs) -> bool:
    """Whether this is what right code gives with the learner's own split and join, whatever these do."""
    queries, keys, values, visible = inputs
    try:
        asked, offered, summed = (
            _own(parts[0], split_heads, feature.clone(), twin.heads)
            for feature in (twin.query_layer(queries), keys, values)
        )
        scores = asked @ offered.mT / math.sqrt(asked.size(-1))
        own_weights = masked_softmax(scores, visible.unsqueeze(-3))
        own_contexts = twin.output_layer(_own(parts[1], join_heads, own_weights @ summed))
    except (CheckFailed, RuntimeError):
        return False
    return same(weights, own_weights) and same(contexts, own_contexts)


def _own(part: Function | None, reference: Function, *arguments: Any) -> Tensor:
    given = {f"argument {n}": argument for n, argument in enumerate(arguments)}
    result = reference(*arguments) if part is None else ask("part", part, **given)
    expect_tensor("part", result, like=arguments[0])
    expect_shape("part", result, **{str(n): size for n, size in enumerate(reference(*arguments).shape)})
    return result


def _compare_gradients(answer: Answer, parts: Parts, sizes: tuple[int, int]) -> None:
    """Gradients pass through wherever the learner's own parts are right."""
    module, twin = twins(answer, MultiHeadAttention, {"size": sizes[0], "heads": sizes[1]})
    *own, visible = _draw("gradients", sizes[0], 4, [5, 3], False, torch.float32)
    asked = [one.clone().requires_grad_() for one in own]
    own = [one.requires_grad_() for one in own]
    result = ask(
        "attend", module.attend, **dict(zip(("queries", "keys", "values"), asked, strict=True)), visible=visible
    )
    contexts, weights = _pair(result, (*own, visible), sizes[1], "")
    expected, right = twin.attend(*own, visible)
    if not same(contexts, expected) or not same(weights, right):
        return
    if _cuts(parts[0], split_heads, own[1], twin.heads) or _cuts(
        parts[1], join_heads, weights @ split_heads(own[2], twin.heads)
    ):
        return
    theirs, ours = (dict(side.named_parameters()) for side in (module, twin))
    used = [name for name in ours if name.startswith(("query", "output"))]
    pairs = dict(zip(("queries", "keys", "values"), zip(asked, own, strict=True), strict=True))
    expect_gradients("contexts", contexts, expected, pairs | {name: (theirs[name], ours[name]) for name in used})


def _cuts(part: Function | None, reference: Function, *arguments: Any) -> bool:
    """Whether the learner's own part lets no gradient through, which is judged where it is the task."""
    try:
        return not _own(part, reference, *arguments).requires_grad
    except CheckFailed:
        return False


def _compare_with_pytorch(answer: Answer, parts: Parts) -> None:
    """The same numbers as ``nn.MultiheadAttention`` with the same weights, by way of ``project_keys``."""
    case = "PyTorch's own module with the same weights"
    module, twin = twins(answer, MultiHeadAttention, {"size": 12, "heads": 3}, case=case)
    theirs = nn.MultiheadAttention(12, 3, batch_first=True)
    state = {name: torch.randn(value.shape, generator=generator(name)) for name, value in theirs.state_dict().items()}
    theirs.load_state_dict(state)
    twin = from_torch(theirs)
    ask("load_state_dict", module.load_state_dict, weights=twin.state_dict())
    sequence = torch.randn(2, 5, 12, generator=generator("PyTorch"))
    visible = visible_keys(torch.tensor([[True] * 5, [True] * 3 + [False] * 2]), causal_mask(5))
    with torch.no_grad():
        inputs = (sequence, *twin.project_keys(sequence), visible)
        result = ask("attend", module, case=case, queries=sequence, sequence=sequence.clone(), visible=visible.clone())
        contexts, weights = _pair(result, inputs, 3, case)
        if _made_of_own(contexts, weights, twin, parts, inputs):
            return
        hidden = ~visible.repeat_interleave(3, 0)
        expected, right = theirs(sequence, sequence, sequence, attn_mask=hidden, average_attn_weights=False)
        expect_close("weights", weights, right, lambda: weight_mistakes(twin, *inputs), case=case)
        expect_close("contexts", contexts, expected, lambda: context_mistakes(twin, *inputs), case=case)


def _pair(result: object, inputs: Inputs, heads: int, case: str) -> tuple[Tensor, Tensor]:
    if isinstance(result, Tensor) or not isinstance(result, tuple | list) or len(result) != 2:
        got = "one tensor" if isinstance(result, Tensor) else f"a {type(result).__name__}"
        got = "nothing (None)" if result is None else got
        why = "the weights are looked at later"
        raise CheckFailed(labelled("attend", case), got, "the pair (contexts, weights)", why)
    contexts, weights = result
    batch, queries, size = inputs[0].shape
    keys = inputs[1].size(1)
    expect_tensor("contexts", contexts, like=inputs[0], case=case)
    expect_tensor("weights", weights, like=inputs[0], case=case)
    if contexts.shape == (batch, heads, queries, keys) and weights.shape == (batch, queries, size):
        why = "the order is the other way"
        raise CheckFailed(labelled("attend", case), "the pair (weights, contexts)", "(contexts, weights)", why)
    shapes = {
        (batch, queries, keys): "the weights of the heads are averaged, or there is one head only; each has its own",
        (batch * heads, queries, keys): "batch and heads share an axis; the caller wants one each",
        (batch, heads, keys, queries): "queries and keys are exchanged: queries on axis 2, keys on axis 3",
        (batch, queries, heads, keys): "the heads come before the queries",
        (batch, queries, heads, heads): "the heads score each other: they have to come before the positions",
    }
    right = (batch, heads, queries, keys)
    shapes.pop(right, None)
    expect_shape("weights", weights, shapes, case, batch=batch, heads=heads, queries=queries, keys=keys)
    shapes = {
        (batch, heads, queries, size // heads): "the heads are not joined yet",
        (batch * heads, queries, size // heads): "the heads are not joined yet, and still share the batch's axis",
        (batch, queries, size // heads): "the heads are summed or averaged; they are joined side by side",
    }
    shapes.pop((batch, queries, size), None)
    expect_shape("contexts", contexts, shapes, case, batch=batch, queries=queries, size=size)
    return contexts, weights


def _draw(name: str, size: int, queries: int, lengths: list[int], causal: bool, dtype: torch.dtype) -> Inputs:
    draw, batch, keys = generator(f"heads {name}"), len(lengths), max(lengths)
    asked, offered, values = (torch.randn(batch, n, size, generator=draw).to(dtype) for n in (queries, keys, keys))
    source_mask = torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
    return asked, offered, values, visible_keys(source_mask, causal_mask(keys)[keys - queries :] if causal else None)
