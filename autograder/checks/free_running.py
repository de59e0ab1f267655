"""Checks of a translation that hears nothing but itself."""

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
from seq2seq.museum import repairs

Function = Callable[..., Tensor]


@check
def check_mended_translation(answer: Function) -> None:
    """mended translation: every step hears the decoder's own last word, the first hears BOS"""
    _compare_translation(answer, batch=3, vocab_size=8, bos=1, steps=5)


@check
def check_mended_translation_hidden(answer: Function) -> None:
    """mended translation, other cases: another BOS, one sentence, one step, more steps than words, float64"""
    _compare_translation(answer, batch=4, vocab_size=9, bos=5, steps=6, case="another BOS")
    _compare_translation(answer, batch=1, vocab_size=6, bos=0, steps=4, case="a batch of one sentence")
    _compare_translation(answer, batch=3, vocab_size=6, bos=2, steps=1, case="one step")
    _compare_translation(answer, batch=2, vocab_size=5, bos=1, steps=12, case="more steps than words")
    _compare_translation(answer, batch=2, vocab_size=5, bos=1, steps=3, case="float64", dtype=torch.float64)


def _compare_translation(
    answer: Function,
    batch: int,
    vocab_size: int,
    bos: int,
    steps: int,
    case: str = "",
    dtype: torch.dtype = torch.float32,
) -> None:
    tables = _tables(batch, vocab_size, case).to(dtype)
    what, given = "words", tables.clone()
    words = ask(what, answer, case=case, next_logits=given, bos=bos, steps=steps)
    expected = repairs.mended_translation(tables, bos, steps)
    expect_tensor(what, words, case=case)
    if words.is_floating_point() or words.dtype == torch.bool:
        raise CheckFailed(labelled(what, case), f"dtype {words.dtype}", "torch.int64", "words are ids here, not scores")
    shapes = {
        (batch, steps + 1): "one word too many: BOS is no word of the translation, nor is what follows the last step",
        (batch, steps, vocab_size): "these are logits; the best word of each step is wanted",
        (steps,): "the batch is lost: each sentence has a translation of its own",
    }
    shapes |= {} if batch == steps else {(steps, batch): "sentences come first, then their words"}
    expect_shape(what, words, {k: v for k, v in shapes.items() if k != (batch, steps)}, case, batch=batch, steps=steps)
    shifted = torch.cat([torch.full((batch, 1), bos), expected[:, :-1]], dim=1)
    table = {
        "every step hears BOS: the word that was said has to be handed on": expected[:, :1].expand(-1, steps),
        "these are the words that are heard, BOS first; those that are said are wanted": shifted,
        "the previous word is the column of the table; it is the row": repairs.mended_translation(
            tables.mT, bos, steps
        ),
        "the least likely word is said": repairs.mended_translation(-tables, bos, steps),
        "the first sentence's table is used for all": repairs.mended_translation(
            tables[:1].expand_as(tables), bos, steps
        ),
        "the first step hears another word than BOS": repairs.mended_translation(tables, 0, steps),
        "the translation does not start at BOS: its first word is missing": repairs.mended_translation(
            tables, bos, steps + 1
        )[:, 1:],
    }
    table = {why: value for why, value in table.items() if not torch.equal(value, expected)}
    expect_close(what, words, expected, lambda: table, case=case)
    expect_unchanged("next_logits", given, tables, case)


def _tables(batch: int, vocab_size: int, case: str) -> Tensor:
    """Each table leads round all words in a circle of its own, so that no two steps say the same."""
    draw = generator(f"tables {case}")
    tables = torch.randn(batch, vocab_size, vocab_size, generator=draw)
    for table in tables:
        circle = torch.randperm(vocab_size, generator=draw)
        table[circle, circle.roll(-1)] += 8.0
    return tables
