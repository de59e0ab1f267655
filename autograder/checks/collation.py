"""Checks of the two sides of the target: what the decoder reads, and what it has to predict."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from autograder.checks.batches import draw_sentences, expect_ids
from autograder.expect import CheckFailed, ask, check, expect_close, expect_shape, expect_unchanged
from autograder.wording import brief, labelled
from seq2seq import batch as reference
from seq2seq.vocab import BOS, EOS, PAD

Function = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


@check
def check_shifted(answer: Function) -> None:
    """shifted target: what the decoder reads begins with <bos>, what it predicts ends with <eos>, row by row"""
    _compare_shifted(answer, [3, 5, 1, 4])
    _compare_shifted(answer, [2, 2])


@check
def check_shifted_hidden(answer: Function) -> None:
    """shifted target, other cases: one sentence, an empty one, sentences of one token, mostly padding"""
    _compare_shifted(answer, [4], case="a batch of one sentence")
    _compare_shifted(answer, [2, 0, 5], case="an empty sentence among others")
    _compare_shifted(answer, [1, 1, 1], case="sentences of one token")
    _compare_shifted(answer, [1, 2, 30, 1], case="mostly padding")


def _compare_shifted(answer: Function, lengths: list[int], case: str = "") -> None:
    target, sizes = reference.pad(draw_sentences(f"shift {case}", lengths)), torch.tensor(lengths)
    given = {"target": target.clone(), "lengths": sizes.clone()}
    got = ask("target_in, target_out", answer, case=case, **given)
    if not isinstance(got, list | tuple) or len(got) != 2:
        what = labelled("target_in, target_out", case)
        raise CheckFailed(what, brief(got), "the pair (target_in, target_out)")
    right = dict(zip(("target_in", "target_out"), reference.shifted(target, sizes), strict=True))
    batch, longest = target.shape
    shapes = {
        (batch, longest): "each side has one place more than the longest sentence, for <bos> or for <eos>",
        (batch, longest - 1): "words are cut off; each side has one place more than the longest sentence",
        (batch, longest + 2): "<bos> and <eos> do not meet: the side that is read has the one, the other the other",
    }
    for what, side in zip(right, got, strict=True):
        expect_ids(what, side, case)
        expect_shape(what, side, shapes, case, batch=batch, longest_and_one=longest + 1)
    for (what, expected), side in zip(right.items(), got, strict=True):
        table = _shift_mistakes(target, sizes)[what]
        expect_close(what, side, expected, mistakes=lambda table=table: table, case=case)
    expect_unchanged("target", given["target"], target, case)
    expect_unchanged("lengths", given["lengths"], sizes, case)


def _shift_mistakes(target: Tensor, lengths: Tensor) -> Mapping[str, Mapping[str, Tensor]]:
    batch, longest = target.shape
    column, rows = target.new_zeros(batch, 1), torch.arange(batch)
    target_in, target_out = reference.shifted(target, lengths)
    places = torch.arange(longest + 1)

    def ended(place: Tensor, id: int) -> Tensor:
        side = torch.cat([target, column + PAD], 1)
        side[rows, place] = id
        return side

    with_end = target_in.clone()
    with_end[rows, (lengths + 1).clamp(max=longest)] = EOS
    return {
        "target_in": {
            "the two sides are exchanged: the decoder reads (BOS …) and predicts (… EOS)": target_out,
            "no <bos> comes first; without it there is nothing to predict the first word from": torch.cat(
                [target, column + PAD], 1
            ),
            "padding stands in the place of <bos>, and padding is masked away; <bos> has an id of its own": torch.cat(
                [column + PAD, target], 1
            ),
            "<eos> stands in the place of <bos>": torch.cat([column + EOS, target], 1),
            "<unk> stands in the place of <bos>": torch.cat([column + 3, target], 1),
            "<bos> stands behind the row; it belongs before the first word": torch.cat([target, column + BOS], 1),
            "<bos> stands behind the sentence; it belongs before the first word": ended(lengths, BOS),
            "<eos> is on the side that is read; after it there is nothing to predict": with_end,
            "<bos> takes the place of the first word, which is lost": torch.cat(
                [column + BOS, target[:, 1:], column + PAD], 1
            ),
            "<bos> fills the padding as well": torch.where(places <= lengths.unsqueeze(1), target_in, BOS),
        },
        "target_out": {
            "both sides are the same: the decoder would predict the very word that it reads": target_in,
            "<eos> is missing; the decoder would never learn to stop": torch.cat([target, column + PAD], 1),
            "<eos> stands at the end of the row, behind the padding; it belongs behind each sentence's last word": (
                torch.cat([target, column + EOS], 1)
            ),
            "<eos> takes the place of the last word, which is lost": ended((lengths - 1).clamp(0), EOS),
            "<eos> stands one place too far, behind a <pad>": ended((lengths + 1).clamp(max=longest), EOS),
            "<eos> fills the padding as well; one is enough": torch.where(
                places < lengths.unsqueeze(1), torch.cat([target, column], 1), EOS
            ),
            "<bos> stands where <eos> belongs": ended(lengths, BOS),
            "<unk> stands where <eos> belongs": ended(lengths, 3),
            "<eos> stands before the sentence": torch.cat([column + EOS, target], 1),
            "the sides are shifted by two: each word has to stand one place before where it is read": torch.cat(
                [ended(lengths, EOS)[:, 1:], column + PAD], 1
            ),
            "every row ends where the first sentence does": ended(lengths[:1].expand_as(lengths), EOS),
        },
    }
