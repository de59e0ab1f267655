"""Checks of splitting features into heads, and of joining them again."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.expect import (
    ask,
    check,
    expect_close,
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from seq2seq.transformer import self_attention as reference

Function = Callable[..., Tensor]

SPLIT_AXES, JOIN_AXES = ("batch", "heads", "positions", "head_size"), ("batch", "positions", "size")
CASES = {
    "other sizes": (4, 2, 5, 6),
    "a batch of one sentence": (1, 3, 4, 2),
    "sentences of one word": (3, 2, 1, 4),
    "one head": (2, 1, 5, 3),
    "heads of one feature": (2, 4, 3, 1),
}


@check
def check_split_heads(answer: Function) -> None:
    """split heads: each head gets neighbouring features, for every position of every sentence"""
    _compare_split(answer, (2, 3, 5, 4))


@check
def check_split_heads_hidden(answer: Function) -> None:
    """split heads, other cases: other sizes, one sentence, one word, one head, heads of one feature, float64"""
    for case, sizes in CASES.items():
        _compare_split(answer, sizes, case)
    _compare_split(answer, (2, 3, 5, 4), "float64", torch.float64)


@check
def check_join_heads(answer: Function) -> None:
    """join heads: the features of all heads side by side, as they were before the split"""
    _compare_join(answer, (2, 3, 5, 4))


@check
def check_join_heads_hidden(answer: Function) -> None:
    """join heads, other cases: other sizes, one sentence, one word, one head, heads of one feature, float64"""
    for case, sizes in CASES.items():
        _compare_join(answer, sizes, case)
    _compare_join(answer, (2, 3, 5, 4), "float64", torch.float64)


def _compare_split(
    answer: Function, sizes: tuple[int, int, int, int], case: str = "", dtype: torch.dtype = torch.float32
) -> None:
    batch, heads, positions, head_size = sizes
    projected = torch.randn(batch, positions, heads * head_size, generator=generator(f"split {case}")).to(dtype)
    expected = reference.split_heads(projected, heads)
    given = projected.clone()
    with torch.no_grad():
        got = ask("split", answer, case=case, projected=given, heads=heads)
    expect_tensor("split", got, like=projected, case=case)
    shapes = {
        (batch, positions, heads, head_size): "the features are split; now the heads have to come before the positions",
        (batch, head_size, positions, heads): "heads and the features of one head are exchanged: "
        "there are `heads` shares, and each has size / heads features",
        (batch * heads, positions, head_size): "batch and heads share an axis; here they have one each",
        (heads, batch, positions, head_size): "the batch comes first, then the heads",
        (batch, heads, head_size, positions): "positions and features are exchanged: the features come last",
        (batch, positions, heads * head_size): "the features of all heads are still on one axis",
    }
    shapes.pop(sizes, None)
    expect_shape("split", got, shapes, case, **dict(zip(SPLIT_AXES, sizes, strict=True)))
    mistakes = {
        "the numbers are reshaped where two axes should be exchanged: a head gets some positions whole, "
        "and must get a share of every position": projected.reshape(sizes),
        "the features are dealt out like cards; head 1 gets the first size / heads features, side by side": (
            projected.unflatten(-1, (head_size, heads)).permute(0, 3, 1, 2)
        ),
        "the heads come in opposite order": expected.flip(1),
        "every head gets the same features: those of the first": expected[:, :1].expand(sizes),
        "the positions come in opposite order": expected.flip(2),
    }
    expect_close("split", got, expected, lambda: mistakes, case=case)
    expect_unchanged("projected", given, projected, case)
    asked = projected.clone().requires_grad_()
    own = projected.clone().requires_grad_()
    got = ask("split", answer, case=case, projected=asked, heads=heads)
    expect_gradients("split", got, reference.split_heads(own, heads), {"projected": (asked, own)}, case)


def _compare_join(
    answer: Function, sizes: tuple[int, int, int, int], case: str = "", dtype: torch.dtype = torch.float32
) -> None:
    batch, heads, positions, head_size = sizes
    contexts = torch.randn(sizes, generator=generator(f"join {case}")).to(dtype)
    expected = reference.join_heads(contexts)
    given = contexts.clone()
    with torch.no_grad():
        got = ask("joined", answer, case=case, contexts=given)
    expect_tensor("joined", got, like=contexts, case=case)
    wanted = (batch, positions, heads * head_size)
    shapes = {
        (batch, positions, head_size): "the heads are summed or averaged; side by side they keep all that they found",
        (batch, heads, positions * head_size): "the positions were joined; the heads are to be",
        (batch, heads * positions, head_size): "the heads stand one after the other as more positions; "
        "they belong side by side as more features",
        (batch, positions, heads, head_size): "the axes are in order; the last two have yet to become one",
        (batch * positions, heads * head_size): "batch and positions share an axis; here they have one each",
    }
    shapes.pop(wanted, None)
    expect_shape("joined", got, shapes, case, **dict(zip(JOIN_AXES, wanted, strict=True)))
    mistakes = {
        "the numbers are reshaped before positions and heads are exchanged: "
        "a position gets the contexts of other positions": contexts.reshape(wanted),
        "the heads are mixed feature by feature; they belong side by side, one whole head after the other": (
            contexts.permute(0, 2, 3, 1).flatten(2)
        ),
        "the heads come in opposite order": reference.join_heads(contexts.flip(1)),
        "only the first head is there, again and again": reference.join_heads(contexts[:, :1].expand(sizes)),
        "the positions come in opposite order": expected.flip(1),
    }
    expect_close("joined", got, expected, lambda: mistakes, case=case)
    expect_unchanged("contexts", given, contexts, case)
    asked, own = contexts.clone().requires_grad_(), contexts.clone().requires_grad_()
    got = ask("joined", answer, case=case, contexts=asked)
    expect_gradients("joined", got, reference.join_heads(own), {"contexts": (asked, own)}, case)
