"""Checks of the reversed source: the words are turned, the padding stays at the end."""

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
    generator,
)
from seq2seq import order as reference
from seq2seq.vocab import PAD

Function = Callable[..., Tensor]

WHAT = "reversed source"


@check
def check_reverse_source(answer: Function) -> None:
    """reversed source: each sentence within its own length, padding at the end, twice is as before"""
    source, lengths = _draw("visible", [3, 5, 2, 4], 6)
    _compare(answer, source, lengths)
    once = ask(WHAT, answer, source=source.clone(), source_lengths=lengths.clone())
    twice = ask(WHAT, answer, source=once, source_lengths=lengths.clone())
    expect_close("the source reversed twice", twice, source, why="to turn a sentence round again gives it back")


@check
def check_reverse_source_hidden(answer: Function) -> None:
    """reversed source, other cases: one sentence, one word each, no padding, much padding, a large batch"""
    _compare(answer, *_draw("one", [4], 7), "a batch of one sentence")
    _compare(answer, *_draw("single", [1, 1, 1], 1), "sentences of one word")
    _compare(answer, *_draw("full", [5, 5], 5), "no padding")
    _compare(answer, *_draw("much", [2, 1, 3], 12), "much padding")
    drawn = torch.randint(1, 18, (30,), generator=generator("lengths")).tolist()
    _compare(answer, *_draw("large", drawn, 18), "a large batch")
    source, lengths = _draw("palindrome", [4, 2], 6)
    source[0, 1] = PAD  # an id is not looked at: how long a sentence is, its length says
    _compare(answer, source, lengths, "a sentence with the id of padding within it")


def _compare(answer: Function, source: Tensor, lengths: Tensor, case: str = "") -> None:
    batch, longest = source.shape
    expected = reference.reverse_source(source, lengths)
    given = {"source": source.clone(), "source_lengths": lengths.clone()}
    turned = ask(WHAT, answer, case=case, **given)
    expect_tensor(WHAT, turned, like=source, case=case)
    shapes = {
        (longest,): "only one sentence arrives",
        (longest, batch): "the axes are exchanged: a row is a sentence",
        (batch, longest, longest): "every position meets every other: pick one word for each position",
        (batch, int(lengths.max())): "the batch keeps its width, padding and all",
    }
    shapes.pop((batch, longest), None)
    expect_shape(WHAT, turned, shapes, case, batch=batch, source_len=longest)
    expect_unchanged("source", given["source"], source, case)
    expect_unchanged("source_lengths", given["source_lengths"], lengths, case)
    expect_close(
        WHAT,
        turned,
        expected,
        mistakes=lambda: _mistakes(source, lengths),
        properties=lambda: _expect_properties(turned, source, lengths, case),
        why="position i of a sentence of n words gets the word at n − 1 − i",
        case=case,
    )


def _mistakes(source: Tensor, lengths: Tensor) -> dict[str, Tensor]:
    longest = source.size(1)
    positions = torch.arange(longest)
    mask = positions < lengths.unsqueeze(1)
    right = reference.reverse_source(source, lengths)
    shifted = lengths.unsqueeze(1) - positions
    first = source.clone()
    first[0] = right[0]
    wrong = {
        "the whole row is turned, so that the padding stands in front": source.flip(1),
        "the sentences of the batch are turned, not the words of each": source.flip(0),
        "words and sentences are both turned": source.flip(0, 1),
        "nothing is turned": source,
        "every sentence is turned within the length of sentence 0": reference.reverse_source(
            source, lengths[:1].expand_as(lengths)
        ),
        "every sentence is turned within the length of the longest": reference.reverse_source(
            source, lengths.max().expand_as(lengths)
        ),
        "every sentence is turned within the length of the shortest": reference.reverse_source(
            source, lengths.min().expand_as(lengths)
        ),
        "the last word stays where it is: a sentence of n words ends at position n − 1": reference.reverse_source(
            source, lengths - 1
        ),
        "one word too many is turned: a sentence of n words ends at position n − 1": reference.reverse_source(
            source, (lengths + 1).clamp(max=longest)
        ),
        "positions count from 0: the first word comes from n − 1, not from n": source.gather(
            1, shifted.clamp(0, longest - 1)
        ).where(mask, source),
        "padding is overwritten with the first word: it keeps its own id": source.gather(
            1, (lengths.unsqueeze(1) - 1 - positions).clamp(0)
        ),
        "only sentence 0 is turned": first,
        "position 0 is a position too: the last place of a sentence gets its first word": source.gather(
            1, torch.where(shifted > 1, shifted - 1, positions)
        ),
        "the lengths are guessed from the id of padding: `source_lengths` says them": reference.reverse_source(
            source, (source != PAD).sum(1)
        ),
        "the words are sorted by their ids": source.sort(1, descending=True).values,
        "the words are moved round in a ring, not turned": source.roll(1, 1),
    }
    inward = torch.where(mask, source, PAD)
    return {why: value for why, value in wrong.items() if not torch.equal(value, right)} | (
        {} if torch.equal(inward, source) else {"padding is written anew": torch.where(mask, right, PAD)}
    )


def _expect_properties(turned: Tensor, source: Tensor, lengths: Tensor, case: str) -> None:
    mask = torch.arange(source.size(1)) < lengths.unsqueeze(1)
    label = f"{WHAT} ({case})" if case else WHAT
    if not torch.equal(turned.where(~mask, 0), source.where(~mask, 0)):
        raise CheckFailed(label, "the padding has moved", "padding at the end, where it was")
    lost = [row for row in range(len(source)) if turned[row].sort().values.ne(source[row].sort().values).any()]
    if lost:
        got = "words are lost or doubled" if case else f"row {lost[0]} has other words than before"
        raise CheckFailed(label, got, "the same words", "each position takes one word, and each word is taken once")


def _draw(name: str, lengths: list[int], longest: int) -> tuple[Tensor, Tensor]:
    """Ids that differ within a row; PAD after the end."""
    draw = generator(f"order {name}")
    rows = torch.stack([4 + torch.randperm(3 * longest, generator=draw)[:longest] for _ in lengths])
    sizes = torch.tensor(lengths)
    return rows.masked_fill(torch.arange(longest) >= sizes.unsqueeze(1), PAD), sizes
