"""Checks of the two readings of a sentence: one backwards within its length, and what both end with."""

from collections.abc import Callable
from itertools import product
from typing import Any

import torch
from torch import Tensor

from autograder.checks.results import compare_gradients, compare_results
from autograder.expect import CheckFailed, ask, check, generator, same
from seq2seq import encoders as reference

Function = Callable[..., Any]

LENGTHS = [4, 2, 5]
SIZE = 3


@check
def check_reverse_within_length(answer: Function) -> None:
    """reverse_within_length: the words of each sentence in reverse, the padding where it was"""
    _compare_reversal(answer, LENGTHS)


@check
def check_reverse_within_length_hidden(answer: Function) -> None:
    """reverse_within_length, other cases: one sentence, one word, more padding, float64, gradients"""
    _compare_reversal(answer, [6], case="a batch of one sentence")
    _compare_reversal(answer, [1, 1], case="sentences of one word")
    _compare_reversal(answer, [1, 3, 2], words=7, case="padding after every sentence")
    _compare_reversal(answer, [5, 5], size=1, case="no padding")
    _compare_reversal(answer, LENGTHS, dtype=torch.float64, case="float64")
    values, lengths = _draw("gradients", LENGTHS)[0], torch.tensor(LENGTHS)
    inputs = {"values": values, "lengths": lengths}
    compare_gradients("reversed values", answer, reference.reverse_within_length, inputs, case="gradients")


@check
def check_join_directions(answer: Function) -> None:
    """join_directions: a state per word from both readings, 0 at padding; →h at the last word, ←h at the first"""
    _compare_joined(answer, LENGTHS)


@check
def check_join_directions_hidden(answer: Function) -> None:
    """join_directions, other cases: one sentence, one word, more padding, float64, gradients"""
    _compare_joined(answer, [6], case="a batch of one sentence")
    _compare_joined(answer, [1, 1], case="sentences of one word")
    _compare_joined(answer, [1, 3, 2], words=7, size=2, case="padding after every sentence")
    _compare_joined(answer, LENGTHS, dtype=torch.float64, case="float64")
    forward, backward = _draw("joined gradients", LENGTHS)
    inputs = {"forward_states": forward, "backward_states": backward, "source_lengths": torch.tensor(LENGTHS)}
    compare_gradients("states and final", answer, reference.join_directions, inputs, case="gradients")


def _compare_reversal(
    answer: Function,
    lengths: list[int],
    words: int = 0,
    size: int = SIZE,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    values = _draw(f"reversal {case}", lengths, words, size)[0].to(dtype)
    inputs = {"values": values, "lengths": torch.tensor(lengths)}
    what = "reversed values"
    compare_results(
        what,
        answer,
        inputs,
        {what: reference.reverse_within_length(**inputs)},
        {what: {"batch": len(lengths), "source_len": values.size(1), "size": size}},
        lambda: {what: _reversal_mistakes(**inputs)},
        case=case,
        before_values=lambda: _expect_padding_to_stay(what, answer, values, inputs["lengths"], case),
    )


def _expect_padding_to_stay(what: str, answer: Function, values: Tensor, lengths: Tensor, case: str) -> None:
    """What stands at the padding reaches no word."""
    padding = torch.arange(values.size(1)) >= lengths.unsqueeze(1)
    now, other = (
        ask(what, answer, case=case, values=shown, lengths=lengths.clone())
        for shown in (values.clone(), values.masked_fill(padding.unsqueeze(-1), 9.0))
    )
    if not same(other[~padding], now[~padding]):
        got = "padding comes to stand among the words"
        why = "each sentence is reversed within its own length, not within that of the batch"
        raise CheckFailed(f"{what} ({case})" if case else what, got, "words only, up to the sentence's length", why)


def _reversal_mistakes(values: Tensor, lengths: Tensor) -> dict[str, Tensor]:
    words = torch.arange(values.size(1))
    right = reference.reverse_within_length(values, lengths)
    padding = (words >= lengths.unsqueeze(1)).unsqueeze(-1)
    first = values.clone()
    first[0] = right[0]
    ends = values.clone()
    rows = torch.arange(len(values))
    ends[rows, 0], ends[rows, lengths - 1] = values[rows, lengths - 1], values[:, 0]
    turned = (words + lengths.unsqueeze(1) - 1) % values.size(1)
    return {
        "nothing is reversed: these are the values as they came": values,
        "the padding is replaced by 0: it is to be left as it is": right.masked_fill(padding, 0.0),
        "the padding is reversed as well: it is to be left where it is": torch.where(padding, values.flip(1), right),
        "the padding comes to stand in front of the words, as 0: only the words are reversed, from index 0 on": (
            values.masked_fill(padding, 0.0).flip(1)
        ),
        "word 1 stands at the padding: it is to be left as it is": values.gather(
            1, (lengths.unsqueeze(1) - 1 - words).clamp(min=0).unsqueeze(-1).expand_as(values)
        ),
        "the order of the sentences is reversed, not that of their words": values.flip(0),
        "the features are reversed, not the words": values.flip(2),
        "only sentence 0 of the batch is reversed": first,
        "only the first and the last word are exchanged": ends,
        "the words are moved round, not reversed": values.gather(1, turned.unsqueeze(-1).expand_as(values)),
        "a word is missing: the last word of a sentence has the index length − 1": values.gather(
            1, (lengths.unsqueeze(1) - 2 - words).clamp(min=0).unsqueeze(-1).expand_as(values)
        ),
    }


def _compare_joined(
    answer: Function,
    lengths: list[int],
    words: int = 0,
    size: int = SIZE,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    forward, backward = (states.to(dtype) for states in _draw(f"joined {case}", lengths, words, size))
    inputs = {"forward_states": forward, "backward_states": backward, "source_lengths": torch.tensor(lengths)}
    states, final = reference.join_directions(**inputs)
    batch, count = len(lengths), forward.size(1)
    axes = {
        "states": {"batch": batch, "source_len": count, "both_directions": 2 * size},
        "final": {"batch": batch, "both_directions": 2 * size},
    }
    shapes = {
        "states": {
            (batch, count, size): "the two directions stand side by side in each state; they are not added",
            (batch, 2 * count, size): "the directions were joined along the words; it is the features that grow",
            (2 * batch, count, size): "the directions were joined along the batch; it is the features that grow",
            (batch, count, 2, size): "the directions were stacked on an axis of their own; they share the last one",
        },
        "final": {
            (batch, size): "the final states of both directions are asked for, side by side",
            (batch, batch, 2 * size): "each sentence has a last word of its own: index rows and positions together",
        },
    }
    compare_results(
        "join_directions",
        answer,
        inputs,
        {"states": states, "final": final},
        axes,
        lambda: _joined_mistakes(forward, backward, inputs["source_lengths"]),
        shapes,
        case,
    )


def _joined_mistakes(forward: Tensor, backward: Tensor, lengths: Tensor) -> dict[str, dict[str, Tensor]]:
    rows, real = torch.arange(len(forward)), (torch.arange(forward.size(1)) < lengths.unsqueeze(1)).unsqueeze(-1)
    last, before = lengths - 1, (lengths - 2).clamp(min=0)
    after = lengths.clamp(max=forward.size(1) - 1)
    ahead = {
        "": forward[rows, last],
        "→h is taken at the last position, which is padding in the shorter sentences": forward[:, -1],
        "→h is taken at the last position and set to 0 where that is padding": (forward * real)[:, -1],
        "→h is taken at the first word, where it has read nothing else yet": forward[:, 0],
        "→h is taken one word too early: the last word has the index length − 1": forward[rows, before],
        "→h is taken one word too late: the last word has the index length − 1": forward[rows, after],
        "→h is taken at the last word of sentence 0 in every sentence": forward[:, int(last[0])],
    }
    back = {
        "": backward[:, 0],
        "←h is taken at the last position; it ends at the first word": backward[:, -1],
        "←h is taken at the last position and set to 0 at padding; it ends at the first word": (backward * real)[:, -1],
        "←h is taken at the last word, where it has only begun; it ends at the first word": backward[rows, last],
    }
    finals = {}
    for (one, left), (two, right) in product(ahead.items(), back.items()):
        why = "; ".join(part for part in (one, two) if part)
        if why:
            finals[why] = torch.cat([left, right], -1)
        finals[f"the order is [→h; ←h]{'; ' if why else ''}{why}"] = torch.cat([right, left], -1)
    joined = torch.cat([forward, backward], -1)
    states = {
        "the padding is not set to 0": joined,
        "the order is [→h; ←h] in each state": torch.cat([backward, forward], -1) * real,
        "the order is [→h; ←h] in each state, and the padding is not set to 0": torch.cat([backward, forward], -1),
        "the mask is turned round: the words are set to 0": joined * ~real,
        "the last word of each sentence is set to 0 as well": joined * real.roll(-1, 1) * real,
        "the padding is set to 0 in the forward half only": torch.cat([forward * real, backward], -1),
        "the padding is set to 0 in the backward half only": torch.cat([forward, backward * real], -1),
        "the backward states are reversed once more: they come in the order of the words": torch.cat(
            [forward, reference.reverse_within_length(backward, lengths)], -1
        )
        * real,
        "the backward states are flipped, padding and all: they come in the order of the words": torch.cat(
            [forward, backward.flip(1)], -1
        )
        * real,
    }
    return {"states": states, "final": finals}


def _draw(name: str, lengths: list[int], words: int = 0, size: int = SIZE) -> tuple[Tensor, Tensor]:
    draw, shape = generator(f"directions {name}"), (len(lengths), words or max(lengths), size)
    return torch.randn(shape, generator=draw), torch.randn(shape, generator=draw)
