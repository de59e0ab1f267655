"""Checks of the two masks that say which keys a query may see: no word to come, no padding."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_shape,
    expect_tensor,
    expect_unchanged,
)
from autograder.wording import labelled
from seq2seq.transformer import self_attention as reference

Function = Callable[..., Tensor]


@check
def check_causal_mask(answer: Function) -> None:
    """causal mask: each position sees itself and all before it, and none that is to come"""
    _compare_causal(answer, 5)


@check
def check_causal_mask_hidden(answer: Function) -> None:
    """causal mask, other cases: other lengths, one position"""
    _compare_causal(answer, 9, "another length")
    _compare_causal(answer, 2, "two positions")
    _compare_causal(answer, 1, "one position")


@check
def check_visible_keys(answer: Function) -> None:
    """visible keys: padding is hidden from every query, and with a causal mask so are the words to come"""
    _compare_visible(answer, [6, 4, 2], queries=0)
    _compare_visible(answer, [6, 4, 2], queries=6)


@check
def check_visible_keys_hidden(answer: Function) -> None:
    """visible keys, other cases: fewer queries than keys, one sentence, one key, padding anywhere, masks that differ"""
    _compare_visible(answer, [7, 3, 5, 1], queries=4, case="fewer queries than keys")
    _compare_visible(answer, [3], queries=5, keys=5, case="a batch of one sentence")
    _compare_visible(answer, [1, 1], queries=1, case="sentences of one word")
    _compare_visible(answer, [1, 1, 1], queries=0, case="sentences of one word, no causal mask")
    _compare_visible(answer, [5, 3], queries=5, case="padding on the left", left=True)
    _expect_refusal(answer, source_keys=5, causal_keys=1)
    _expect_refusal(answer, source_keys=1, causal_keys=5)


def _compare_causal(answer: Function, length: int, case: str = "") -> None:
    right = reference.causal_mask(length)
    got = ask("mask", answer, case=case, length=length)
    _expect_bool("mask", got, case)
    shapes = {(length,): "there is one row for all queries; each sees more than the one before it"}
    expect_shape("mask", got, shapes, case, queries=length, keys=length)
    ones = torch.ones(length, length, dtype=torch.bool)
    mistakes = {
        "True and False are exchanged: True means that a key may be seen": ~right,
        "queries and keys are exchanged: this sees itself and what is to come, and nothing before": ones.triu(),
        "a position cannot see itself: the first has nothing to look at": ones.tril(-1),
        "each position sees one word too far: the very word that it has to predict": ones.tril(1),
        "nothing is hidden: the words to come are visible": ones,
        "each position sees itself alone: those before it are to be seen too": torch.eye(length, dtype=torch.bool),
        "nothing may be seen at all": ~ones,
        "the positions are counted from the end": right.flip(0),
    }
    expect_close("mask", got, right, lambda: mistakes, case=case)


def _compare_visible(
    answer: Function, lengths: list[int], queries: int, keys: int = 0, case: str = "", left: bool = False
) -> None:
    """With ``queries=0`` there is no causal mask."""
    keys = keys or max(lengths)
    source_mask = torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
    source_mask = source_mask.flip(-1) if left else source_mask
    causal = reference.causal_mask(keys)[keys - queries :] if queries else None
    right = reference.visible_keys(source_mask, causal)
    given = {"source_mask": source_mask.clone()} | ({} if causal is None else {"causal": causal.clone()})
    what = "visible" if causal is None else "visible with a causal mask"
    got = ask(what, answer, case=case, **given)
    _expect_bool(what, got, case)
    axes = {"batch": len(lengths), "queries": queries or 1, "keys": keys}
    if got.dim() == 2 and got.shape == source_mask.shape:
        wanted = f"(batch={len(lengths)}, queries={queries or 1}, keys={keys})"
        why = "the axis of the queries is missing: scores are (batch, queries, keys)"
        raise CheckFailed(labelled(what, case), f"shape {tuple(got.shape)}", wanted, why)
    expect_shape(what, got, _wrong_shapes(axes, bool(queries)), case, **axes)
    expect_close(what, got, right, lambda: _visible_mistakes(source_mask, causal, got.shape), case=case)
    expect_unchanged("source_mask", given["source_mask"], source_mask, case)
    if causal is not None:
        expect_unchanged("causal", given["causal"], causal, case)


def _wrong_shapes(axes: dict[str, int], with_causal: bool) -> dict[tuple[int, ...], str]:
    batch, queries, keys = axes.values()
    shapes = {
        (batch, keys, 1): "the axis of size 1 stands where the keys belong: this would hide queries, not keys",
        (queries, keys): "the batch is missing: each sentence has padding of its own",
        (batch, batch, keys): "the batch is there twice: the mask of the padding needs an axis for the queries",
    }
    if with_causal:
        shapes[batch, 1, keys] = "there is one row for all queries: the causal mask has not been used"
    return {shape: why for shape, why in shapes.items() if shape != (batch, queries, keys)}


def _visible_mistakes(source_mask: Tensor, causal: Tensor | None, shape: torch.Size) -> dict[str, Tensor]:
    padding = source_mask.unsqueeze(1)
    right = reference.visible_keys(source_mask, causal)
    mistakes = {
        "True and False are exchanged: True means that a key may be seen": ~right,
        "nothing is hidden": torch.ones_like(right),
        "the padding is ignored": (torch.ones_like(padding) if causal is None else causal).expand(shape),
        "the mask of the padding is turned round: True means a real token": ~padding
        if causal is None
        else ~padding & causal,
    }
    if causal is None:
        return mistakes
    mistakes |= {
        "one mask OR the other lets a key through; it has to pass both": padding | causal,
        "the causal mask is ignored: the words to come are visible": padding.expand(shape),
        "a key passes when both masks agree, even where both hide it": padding == causal,
        "the causal mask is turned round: True means that a key may be seen": padding & ~causal,
    }
    if shape[1] == shape[2]:
        column = source_mask.unsqueeze(2)
        mistakes |= {
            "the padding is hidden as a query; it is to be hidden as a key, on axis 2 of the result, and there alone": (
                column & causal
            ),
            "the padding is hidden as a query too; it is to be hidden as a key, and there alone": (
                column & padding & causal
            ),
            "the causal mask is transposed: queries are on its axis 0, keys on axis 1": padding & causal.mT,
        }
    return mistakes


def _expect_refusal(answer: Function, source_keys: int, causal_keys: int) -> None:
    case = "masks for different numbers of keys, one of them 1"
    source_mask = torch.ones(2, source_keys, dtype=torch.bool)
    causal = torch.ones(3, causal_keys, dtype=torch.bool)
    try:
        ask("visible", answer, source_mask=source_mask, causal=causal)
    except CheckFailed:
        return
    why = "an axis of size 1 broadcasts in silence, and a mask made for another length goes unnoticed"
    raise CheckFailed(labelled("visible", case), "returned as if nothing were wrong", "a ValueError", why)


def _expect_bool(what: str, got: object, case: str) -> None:
    expect_tensor(what, got, case=case)
    assert isinstance(got, Tensor)
    if got.dtype == torch.bool:
        return
    values = set(got.detach().unique().tolist()) if got.numel() else set()
    why = "a comparison, or `.bool()`, makes one" if values <= {0, 1} else "numbers to add to the scores come later"
    raise CheckFailed(labelled(what, case), f"dtype {got.dtype}", "torch.bool, True = may be seen", why)
