"""Checks of what makes a batch: padding, and the mask of real tokens."""

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
from autograder.wording import labelled
from seq2seq import batch as reference
from seq2seq.vocab import BOS, EOS, PAD, SPECIALS

Function = Callable[..., Tensor]


@check
def check_pad(answer: Function) -> None:
    """pad: sentences of unequal length in one rectangle, the ends filled up with <pad>"""
    _compare_pad(answer, [3, 1, 5, 2])
    _compare_pad(answer, [4, 6, 4])


@check
def check_pad_hidden(answer: Function) -> None:
    """pad, other cases: one sentence, equal lengths, empty sentences, one token each, a long one"""
    _compare_pad(answer, [4], case="a batch of one sentence")
    _compare_pad(answer, [3, 3], case="sentences of equal length")
    _compare_pad(answer, [2, 0, 4], case="an empty sentence among others")
    _compare_pad(answer, [1, 1, 1, 1], case="sentences of one token")
    _compare_pad(answer, [2, 40, 7], case="a long sentence")
    _compare_pad(answer, [0, 0], case="empty sentences alone")


@check
def check_length_mask(answer: Function) -> None:
    """length mask: true for as many places of each row as its sentence has tokens"""
    _compare_mask(answer, [2, 5, 1, 4], 7)
    _compare_mask(answer, [3, 5, 1], 5, what="mask as wide as the longest sentence")


@check
def check_length_mask_hidden(answer: Function) -> None:
    """length mask, other cases: one sentence, equal lengths, an empty sentence, one place, as many rows as places"""
    _compare_mask(answer, [3], 7, case="a batch of one sentence")
    _compare_mask(answer, [4, 4], 4, case="sentences of equal length")
    _compare_mask(answer, [2, 0, 3], 3, case="an empty sentence among others")
    _compare_mask(answer, [1, 0, 1], 1, case="one place")
    _compare_mask(answer, [1, 4, 2, 3], 4, case="as many rows as places")


def _compare_pad(answer: Function, lengths: list[int], case: str = "") -> None:
    what = "padded ids"
    sentences = draw_sentences(f"pad {case}", lengths)
    batch, longest = len(lengths), max(lengths)
    got = ask(what, answer, case=case, sequences=[list(ids) for ids in sentences])
    expect_ids(what, got, case)
    shapes = {
        (longest, batch): "the batch comes first: one row per sentence",
        (batch, min(lengths)): "the rows are as long as the shortest sentence: tokens are cut off",
        (batch, len(sentences[0])): "the rows are as long as the first sentence; the longest one sets the width",
        (batch, longest + 1): "the rows are one longer than the longest sentence",
        (sum(lengths),): "the sentences stand one after the other; each needs a row of its own",
        (batch * longest,): "all rows stand in one; each sentence needs a row of its own",
    }
    shapes.pop((batch, longest), None)
    expect_shape(what, got, shapes, case, batch=batch, longest=longest)
    expected = reference.pad(sentences)
    real = reference.length_mask(torch.tensor(lengths), longest)
    left = torch.tensor([[*[PAD] * (longest - len(ids)), *ids] for ids in sentences], dtype=torch.long)

    def mistakes() -> dict[str, Tensor]:
        filled = {id: expected.masked_fill(~real, id) for id in (BOS, EOS, 3, -1, -100)}
        turned = [list(reversed(ids)) for ids in sentences]
        again = [[ids[place % len(ids)] if ids else PAD for place in range(longest)] for ids in sentences]
        return {
            f"the rows are filled up with {SPECIALS[id]}; padding has an id of its own, so that a mask can tell": tensor
            for id, tensor in filled.items()
            if id > 0
        } | {
            "the rows are filled up with a number that is no id; padding has one, `PAD`": filled[-1],
            "the rows are filled up with -100, which is no id; padding has one, `PAD`": filled[-100],
            "the padding comes first; it belongs behind the sentence": left,
            "the words of each sentence stand in reverse order": reference.pad(turned),
            "the words are repeated to the end of the row; it is filled with `PAD`": torch.tensor(again),
            "the last word is repeated to the end of the row; it is filled with `PAD`": torch.tensor(
                [[*ids, *[ids[-1] if ids else PAD] * (longest - len(ids))] for ids in sentences]
            ),
            "the longest sentence comes first; the rows have to stay in the order given": reference.pad(
                sorted(sentences, key=len, reverse=True)
            ),
            "the shortest sentence comes first; the rows have to stay in the order given": reference.pad(
                sorted(sentences, key=len)
            ),
            "there is nothing but padding": torch.full_like(expected, PAD),
            "the last word of each sentence is lost": reference.pad([*[ids[:-1] for ids in sentences], [0] * longest])[
                :-1
            ],
        }

    expect_close(what, got, expected, mistakes=mistakes, case=case)


def _compare_mask(answer: Function, lengths: list[int], longest: int, what: str = "mask", case: str = "") -> None:
    given, batch = torch.tensor(lengths), len(lengths)
    asked = given.clone()
    got = ask(what, answer, case=case, lengths=asked, longest=longest)
    expect_tensor(what, got, case=case)
    shapes = {
        (longest, batch): "the batch comes first: one row per sentence",
        (batch, max(lengths)): "the width is `longest`, even where no sentence is as long",
        (longest,): "every sentence needs a row of its own, since each has its own length",
        (batch,): "every sentence needs a row, not a single value",
        (batch, longest + 1): "the rows are one too wide: places count from 0 to `longest` - 1",
        (batch, longest - 1): "the rows are one too narrow: places count from 0 to `longest` - 1",
        (sum(lengths),): "this is the row of real tokens; a mask has a value for each place, padding too",
    }
    shapes.pop((batch, longest), None)
    expect_shape(what, got, shapes, case, batch=batch, longest=longest)
    if got.dtype != torch.bool:
        why = "only a boolean mask can be turned round with `~` and be given to `masked_fill`"
        raise CheckFailed(labelled(what, case), f"dtype {got.dtype}", "torch.bool", why)
    expected = reference.length_mask(given, longest)

    def mistakes() -> dict[str, Tensor]:
        places = torch.arange(longest)
        return {
            "the mask is turned round: true means a real token": ~expected,
            "it is turned round, and one place off: place 0 is the first token": places > given.unsqueeze(1),
            "one place too many is true: the first token has place 0, so the last has place length - 1": places
            <= given.unsqueeze(1),
            "one place too few is true: the first token has place 0, so the last has place length - 1": places
            < given.unsqueeze(1) - 1,
            "the first place is left out; the first token has place 0": (places < given.unsqueeze(1)) & (places > 0),
            "the real tokens stand at the end of the rows; padding comes behind the sentence": expected.flip(-1),
            "every place is true": torch.ones_like(expected),
            "every row has the mask of the first sentence": expected[:1].expand_as(expected),
            "every row has the mask of the longest sentence": (places < max(lengths)).expand_as(expected),
            "only one place of each row is true; so are all before it": places == given.unsqueeze(1) - 1,
            "only one place of each row is true; the mask is true for all tokens of the sentence": places
            == given.unsqueeze(1),
            "the lengths are compared in reverse order": expected.flip(0),
            "places and lengths are exchanged": places.unsqueeze(0).expand_as(expected) < given.flip(0).unsqueeze(1),
        }

    expect_close(what, got, expected, mistakes=mistakes, case=case)
    expect_unchanged("lengths", asked, given, case)


def expect_ids(what: str, got: object, case: str) -> None:
    expect_tensor(what, got, case=case)
    if got.dtype != torch.long:
        why = "ids are whole numbers, and an embedding looks up nothing else"
        raise CheckFailed(labelled(what, case), f"dtype {got.dtype}", "torch.long", why)


def draw_sentences(name: str, lengths: list[int]) -> list[list[int]]:
    draw = generator(f"sentences {name}")
    return [torch.randint(4, 60, (length,), generator=draw).tolist() for length in lengths]
