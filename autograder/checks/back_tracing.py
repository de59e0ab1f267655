"""Checks of the way back: from a hypothesis's last word over its parents to its first, PAD after the end."""

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
from seq2seq.beam import steps as reference
from seq2seq.vocab import PAD

Function = Callable[..., Tensor]

WHAT = "ids"


@check
def check_trace_back(answer: Function) -> None:
    """back-tracing: each word's parent is where the word before it stands; PAD after the last word"""
    _compare(answer, *_draw("visible", 6, [4, 1, 3], 4))


@check
def check_trace_back_hidden(answer: Function) -> None:
    """back-tracing, other cases: a beam of one, one step, one sentence, all of full length, a large batch"""
    _compare(answer, *_draw("narrow", 5, [4, 1, 2], 1), case="a beam of one")
    _compare(answer, *_draw("short", 1, [0, 0], 3), case="one step")
    _compare(answer, *_draw("single", 6, [3], 5), case="one sentence")
    _compare(answer, *_draw("full", 5, [4, 4, 4], 3), case="all of full length")
    _compare(answer, *_draw("first", 4, [0, 3], 3), case="a hypothesis of one word")
    drawn = torch.randint(0, 12, (20,), generator=generator("lasts")).tolist()
    _compare(answer, *_draw("large", 12, drawn, 6), case="a large batch")


def _compare(answer: Function, tokens: Tensor, parents: Tensor, last: Tensor, place: Tensor, case: str = "") -> None:
    given = {"tokens": tokens, "parents": parents, "last": last, "place": place}
    handed = {name: value.clone() for name, value in given.items()}
    ids = ask(WHAT, answer, case=case, **handed)
    steps, batch, beam_size = tokens.shape
    shapes = {
        (steps, batch): "the axes are exchanged: a row is a sentence",
        (steps,): "only one sentence arrives",
        (batch, steps, beam_size): "all hypotheses arrive; wanted is the one that ends at `place`",
        (batch, int(last.max()) + 1): "there is a column for every step, PAD and all",
        (batch, steps + 1): "BOS is no word of the hypothesis",
    }
    shapes.pop((batch, steps), None)
    expect_tensor(WHAT, ids, like=tokens, case=case)
    expect_shape(WHAT, ids, shapes, case, batch=batch, steps=steps)
    for name, before in given.items():
        expect_unchanged(name, handed[name], before, case)
    expect_close(
        WHAT,
        ids,
        reference.trace_back(tokens, parents, last, place),
        mistakes=lambda: _mistakes(tokens, parents, last, place),
        properties=lambda: _expect_properties(ids, last, case),
        why="the word at (step, place) continues the hypothesis at (step − 1, parents[step, …, place])",
        case=case,
    )


def _expect_properties(ids: Tensor, last: Tensor, case: str) -> None:
    after = torch.arange(ids.size(1)) > last.unsqueeze(1)
    if (ids[after] != PAD).any():
        why = "`last` is the step of a hypothesis's last word"
        raise CheckFailed(labelled(WHAT, case), "words after the last one", "PAD there", why)
    if (ids[~after] == PAD).any():
        why = "`last` counts from 0, so a hypothesis has last + 1 words"
        raise CheckFailed(labelled(WHAT, case), "PAD among the words", "a word at every step up to the last", why)


def _walk(
    tokens: Tensor,
    parents: Tensor,
    last: Tensor,
    place: Tensor,
    early: bool = False,
    moves_at_padding: bool = False,
    shift: int = 0,
    fill: bool = True,
) -> Tensor:
    """The way back with a slip: parents followed too early, at padding, or taken from another step."""
    steps, batch, _ = tokens.shape
    rows, ids = torch.arange(batch), tokens.new_full((batch, steps), PAD)
    for step in range(steps - 1, -1, -1):
        spoken = step <= last
        here = parents[min(max(step + shift, 0), steps - 1), rows, place]
        before = place
        place = torch.where(spoken | moves_at_padding, here, place)
        word = tokens[step, rows, place if early else before]
        ids[:, step] = torch.where(spoken | (not fill), word, PAD)
    return ids


def _forwards(tokens: Tensor, parents: Tensor, last: Tensor, place: Tensor) -> Tensor:
    steps, batch, _ = tokens.shape
    rows, ids = torch.arange(batch), tokens.new_full((batch, steps), PAD)
    for step in range(steps):
        ids[:, step] = torch.where(step <= last, tokens[step, rows, place], PAD)
        place = torch.where(step <= last, parents[step, rows, place], place)
    return ids


def _mistakes(tokens: Tensor, parents: Tensor, last: Tensor, place: Tensor) -> dict[str, Tensor]:
    steps, batch, _ = tokens.shape
    given = tokens, parents, last, place
    right = reference.trace_back(*given)
    after = torch.arange(steps) > last.unsqueeze(1)
    straight = tokens[:, torch.arange(batch), place].T
    mirrored = right.flip(1)
    turned = reference.trace_back(*given)
    for row, end in enumerate(last.tolist()):
        turned[row, : end + 1] = right[row, : end + 1].flip(0)
    return {
        "the words stand at the same place in every step: the parents are not followed": straight.masked_fill(
            after, PAD
        ),
        "the parents are not followed, and nothing is PAD": straight,
        "the words come from the last to the first": turned,
        "the steps are gone through from the first to the last; parents lead back": _forwards(*given),
        "the row comes from the last step to the first, PAD in front": mirrored,
        "the parent is followed before the word is read": _walk(*given, early=True),
        "the parents are those of the step before: a word's parent stands at its own step": _walk(*given, shift=-1),
        "the parents are those of the step after: a word's parent stands at its own step": _walk(*given, shift=1),
        "the parents are followed after the last word already, where the hypothesis is not": _walk(
            *given, moves_at_padding=True
        ),
        "every hypothesis is taken to end at the last step of all": _walk(*given, moves_at_padding=True, fill=False),
        "after the last word stands what others said; it has to be PAD": _walk(*given, fill=False),
        "the last word is left out: `last` is its step": _walk(tokens, parents, last - 1, place),
        "the last word is left out, and PAD stands for it": right.masked_fill(
            torch.arange(steps) == last.unsqueeze(1), PAD
        ),
        "a word too many: `last` is the step of the last word": _walk(tokens, parents, last + 1, place),
        "every hypothesis is traced from place 0": reference.trace_back(tokens, parents, last, torch.zeros_like(place)),
        "every sentence has the place of sentence 0": reference.trace_back(
            tokens, parents, last, place[:1].expand_as(place)
        ),
        "every sentence has the last step of sentence 0": reference.trace_back(
            tokens, parents, last[:1].expand_as(last), place
        ),
        "the words are read in sentence 0 for every sentence": reference.trace_back(
            tokens[:, :1].expand_as(tokens), parents, last, place
        ),
        "the parents are read in sentence 0 for every sentence": reference.trace_back(
            tokens, parents[:, :1].expand_as(parents), last, place
        ),
        "these are the places; wanted are the words that stand there": _walk(parents, parents, last, place),
        "the words come to stand one step late: the first word is at step 0": right.roll(1, 1),
    }


def _draw(name: str, steps: int, lasts: list[int], beam_size: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """A record whose words all differ in a sentence, and whose ways cross."""
    draw = generator(f"back-tracing {name}")
    batch = len(lasts)
    tokens = torch.stack(
        [4 + torch.randperm(steps * beam_size, generator=draw).view(steps, beam_size) for _ in lasts], dim=1
    )
    parents = torch.randint(0, beam_size, (steps, batch, beam_size), generator=draw)
    parents[1:] = (
        torch.stack(  # no place is its own parent, so that to stay in place is wrong
            [
                (torch.arange(beam_size) + 1 + parents[step] % max(1, beam_size - 1)) % beam_size
                for step in range(1, steps)
            ]
        )
        if steps > 1
        else parents[1:]
    )
    parents[0] = 0  # before the first step there is one hypothesis
    place = torch.randint(beam_size, (batch,), generator=draw)
    return tokens, parents, torch.tensor(lasts), place
