"""Checks of greedy decoding: each word fed back, each sentence ended at its own <eos>, the batch when all have."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.checks.stepping import Decoder, draw_weights, twins
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
from seq2seq.plain_decoder import PlainDecoder
from seq2seq.stepwise import greedy_ids
from seq2seq.vocab import BOS, EOS, PAD, UNK

Function = Callable[..., Tensor]
Ends = list[tuple[int, int]]  # for each sentence, between which places its <eos> is; at max_length: it has none

WHAT = "ids"
EMBEDDING, SIZE = 6, 8
APART = [(4, 8), (1, 2), (6, 9), (3, 5)]
DRAWN = 300  # first states to choose from


@check
def check_greedy_ids(answer: Function, decoder: Decoder) -> None:
    """greedy decoding: the best word fed back, <pad> after <eos>, an end when all sentences have one"""
    _compare(answer, decoder, APART, 14)
    _compare(answer, decoder, [(1, 3), (6, 6), (2, 5)], 6, what="ids when a sentence does not end")


@check
def check_greedy_ids_hidden(answer: Function, decoder: Decoder) -> None:
    """greedy decoding, other cases: one sentence, one word, ends at once, ends at the limit, other sizes, float64"""
    many = [(3, 6), (0, 2), (8, 14), (5, 20), (1, 4), (4, 9)]
    _compare(answer, decoder, many, 25, vocab=11, case="other sizes")
    _compare(answer, decoder, [(3, 9)], 12, case="a batch of one sentence")
    _compare(answer, decoder, [(1, 1), (0, 0), (1, 1)], 1, case="max_length of 1")
    _compare(answer, decoder, [(0, 0), (0, 0)], 5, case="sentences that end at once")
    _compare(answer, decoder, [(7, 7), (2, 4), (1, 5)], 8, case="the last <eos> at the limit")
    _compare(answer, decoder, [(5, 5), (5, 5), (5, 5)], 5, case="no sentence ends")
    _compare(answer, decoder, APART, 14, dtype=torch.float64, case="float64")


def _compare(
    answer: Function,
    decoder: Decoder,
    ends: Ends,
    max_length: int,
    vocab: int = 9,
    what: str = WHAT,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    weights, state = _find(f"{what} {case}", ends, max_length, vocab)
    theirs, ours = twins(decoder, weights, vocab, EMBEDDING, SIZE, dtype, case)
    state = state.to(dtype)
    asked = state.clone()
    with torch.no_grad():
        got = ask(what, answer, case=case, decoder=theirs, state=asked, max_length=max_length)
        expected = greedy_ids(ours, state, max_length)
    expect_tensor(what, got, case=case)
    if got.dtype != torch.long:
        why = "ids are whole numbers: are these logits, or probabilities?"
        raise CheckFailed(labelled(what, case), f"dtype {got.dtype}", "torch.long", why)
    if not torch.equal(got, expected):
        with torch.no_grad():
            _expect_steps(what, got, expected, _mistakes(ours, state, max_length), case)
    batch = len(ends)
    shapes = {
        (expected.size(1), batch): "the steps are stacked in front; the batch comes first, the steps second",
        (batch, max_length): "it goes on to `max_length` though every sentence has ended",
        (batch,): "this is one step; the words of all of them are asked",
        (batch, *expected.shape[1:], vocab): "these are not ids: which word has the largest logit?",
    }
    shapes.pop(tuple(expected.shape), None)
    expect_shape(what, got, shapes, case, batch=batch, steps=expected.size(1))
    expect_close(what, got, expected, mistakes=lambda: _mistakes(ours, state, max_length), case=case)
    expect_unchanged("state", asked, state, case)


def _expect_steps(what: str, got: Tensor, expected: Tensor, mistakes: dict[str, Tensor], case: str) -> None:
    """Not the number of steps that a known mistake leads to."""
    for why, value in mistakes.items():
        if value.shape != expected.shape and torch.equal(got, value):
            if case:
                raise CheckFailed(labelled(what, case), "another number of steps", "that of the definition", why)
            raise CheckFailed(what, f"{value.size(1)} steps", f"{expected.size(1)}", why)


def _find(name: str, ends: Ends, max_length: int, vocab: int) -> tuple[dict[str, Tensor], Tensor]:
    """Weights and first states from which the sentences end where they are wanted to."""
    own = PlainDecoder(vocab, EMBEDDING, SIZE)
    for attempt in range(300):
        weights = draw_weights(f"greedy {name} {attempt}", vocab, EMBEDDING, SIZE)
        own.load_state_dict(weights)
        states = 2 * torch.randn(DRAWN, SIZE, generator=generator(f"greedy states {name} {attempt}"))
        with torch.no_grad():
            over = greedy_ids(own, states, max_length) == EOS
        places = torch.where(over.any(1), over.int().argmax(1), max_length).tolist()
        chosen: list[int] = []
        for low, high in ends:
            chosen += [row for row, place in enumerate(places) if low <= place <= high and row not in chosen][:1]
        if len(chosen) == len(ends):
            return weights, states[chosen]
    raise LookupError(f"{name}: no decoder was found whose sentences end as they should.")


@dataclass(frozen=True)
class Habits:
    """How an answer may go about it; the defaults are right."""

    first: int = BOS
    fed: str = "own"  # the word said before; or "first": the same word at every step
    carried: bool = True  # the state of the step before is handed on
    after: int | None = PAD  # what stands after <eos>; None: whatever the decoder says
    remembers: bool = True  # a sentence that has ended stays so
    ends: str = "all"  # the batch ends when "all", "any" or "none" of its sentences have ended
    shown_end: bool = True  # <eos> is among the ids
    shown_first: bool = False  # the first word is, too
    rank: int = 0  # which of the best words is taken
    fewer: int = 0  # steps left out at the limit


def _decode(decoder: PlainDecoder, state: Tensor, max_length: int, habits: Habits) -> Tensor:
    previous = torch.full((state.size(0),), habits.first)
    finished = torch.zeros_like(previous, dtype=torch.bool)
    ids = [previous] if habits.shown_first else []
    for _ in range(max_length - habits.fewer):
        logits, following = decoder.step(previous, state)
        state = following if habits.carried else state
        said = logits.argsort(-1, descending=True)[:, habits.rank]
        ended = (finished | (said == EOS)) if habits.remembers else said == EOS
        if habits.after is not None:
            said = said.masked_fill(finished if habits.shown_end else ended, habits.after)
        finished = ended
        ids.append(said)
        previous = said if habits.fed == "own" else previous
        if habits.ends != "none" and bool(finished.all() if habits.ends == "all" else finished.any()):
            break
    return torch.stack(ids, dim=1) if ids else state.new_zeros(state.size(0), 0, dtype=torch.long)


def _mistakes(decoder: PlainDecoder, state: Tensor, max_length: int) -> dict[str, Tensor]:
    def ids(**habits: object) -> Tensor:
        return _decode(decoder, state, max_length, Habits(**habits))

    right = ids()
    return {
        "a sentence goes on after its <eos>: from there on it gets <pad>": ids(after=None),
        "a sentence goes on after its <eos>, and the batch goes on to `max_length`": ids(after=None, ends="none"),
        "<eos> is repeated after the end: from there on it gets <pad>": ids(after=EOS),
        "<bos> stands after the end: from there on it gets <pad>": ids(after=BOS),
        "<unk> stands after the end: from there on it gets <pad>": ids(after=UNK),
        "<eos> itself is replaced by <pad>: a reader of the ids has to see where the sentence ends": ids(
            shown_end=False
        ),
        "a sentence that has ended begins again: who has said <eos> stays finished": ids(remembers=False),
        "it stops when the first sentence has ended: the others are cut off": ids(ends="any"),
        "it goes on to `max_length` though every sentence has ended": ids(ends="none"),
        "it stops one step before `max_length`": ids(fewer=1),
        "it stops one step before the end: the last <eos> belongs to the ids": right[:, :-1],
        "<bos> is among the ids: it was given, not said": ids(shown_first=True),
        "the state is not handed on: every step begins from the first one": ids(carried=False),
        "the word is not fed back: every step reads <bos>": ids(fed="first"),
        "neither word nor state is handed on: every step is the first again": ids(fed="first", carried=False),
        "the first word that is read is <pad>; a sentence begins with <bos>": ids(first=PAD),
        "the first word that is read is <eos>; a sentence begins with <bos>": ids(first=EOS),
        "the first word that is read is <unk>; a sentence begins with <bos>": ids(first=UNK),
        "this takes the least probable word: the largest logit is the best": ids(rank=-1),
        "this takes the second best word": ids(rank=1),
        "every sentence begins from the state of the first": _decode(
            decoder, state[:1].expand_as(state), max_length, Habits()
        ),
        "the first state is 0: `state` is what the decoder knows of the source": _decode(
            decoder, torch.zeros_like(state), max_length, Habits()
        ),
        "the first word is lost": right[:, 1:],
    }
