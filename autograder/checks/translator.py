"""Checks of the wiring: which part is handed what, and when. The parts are rehearsal ones, which all can run."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.pairs import expect_pair, expect_several
from autograder.expect import (
    ask,
    check,
    expect_close,
    expect_finite,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from seq2seq import rehearsal
from seq2seq.assembly import Translator

Answer = Callable[..., Any]
Parts = Callable[[int], Any]  # a seed → encoder, scorer, attend and decoder of the learner's process

MEMORY = ("projected_keys", "states", "source_mask")


@check
def check_translator(answer: Answer, rehearsal_parts: Parts) -> None:
    """translator: the source is read once; at each word attention comes first, with the state before the step"""
    _compare(answer, rehearsal_parts, [4, 2, 1])
    _compare(answer, rehearsal_parts, [3, 3])


@check
def check_translator_hidden(answer: Answer, rehearsal_parts: Parts) -> None:
    """translator, other cases: one sentence, one word, more padding, other parts, three steps one after another"""
    _compare(answer, rehearsal_parts, [5], case="a batch of one sentence")
    _compare(answer, rehearsal_parts, [1, 1], case="sentences of one word")
    _compare(answer, rehearsal_parts, [2, 4, 1], longest=7, case="columns of nothing but padding")
    _compare(answer, rehearsal_parts, [3, 2, 5], steps=3, case="three steps")


def _compare(
    answer: Answer, rehearsal_parts: Parts, lengths: list[int], longest: int = 0, steps: int = 2, case: str = ""
) -> None:
    draw = generator(f"translator {case} {lengths}")
    seed = int(torch.randint(10_000, (), generator=draw))
    named = dict(zip(("encoder", "scorer", "attend", "decoder"), rehearsal_parts(seed), strict=True))
    ours = Translator(*rehearsal.parts(seed))
    theirs = ask("Translator(…)", answer, case=case, **named)
    longest, counts = longest or max(lengths), torch.tensor(lengths)
    mask = torch.arange(longest) < counts.unsqueeze(1)
    source = torch.randint(4, rehearsal.WORDS, mask.shape, generator=draw) * mask
    with torch.no_grad():
        given = source.clone(), mask.clone()
        got = ask("what is read", theirs.read, case=case, source=given[0], source_mask=given[1])
        memory, state = expect_pair("(memory, state)", got, case)
        memory = expect_several(f"({', '.join(MEMORY)})", memory, 3, case)
        expected_memory, expected_state = ours.read(source, mask)
        _expect_memory(memory, expected_memory, ours, source, mask, case)
        _expect("the first state", state, expected_state, lambda: _start_mistakes(ours, source, mask), case)
        expect_unchanged("source", given[0], source, case)
        expect_unchanged("source_mask", given[1], mask, case)
        for number in range(steps):
            previous = torch.randint(4, rehearsal.WORDS, (len(lengths),), generator=draw)
            before, kept = expected_state.clone(), [part.clone() for part in expected_memory]
            asked = {"previous": previous.clone(), "state": before, "memory": tuple(kept)}
            got = ask(f"step {number + 1}", theirs.step, case=case, **asked)
            found = expect_several("(logits, weights, state)", got, 3, case)
            tables = _step_mistakes(ours, previous, expected_state, expected_memory)
            right = ours.step(previous, expected_state, expected_memory)
            for what, place in (("weights", 1), ("state", 2), ("logits", 0)):
                table = {why: values[place] for why, values in tables.items()}
                _expect(what, found[place], right[place], lambda table=table: table, case)
            expect_unchanged("state", before, expected_state, case)
            for what, part, own in zip(MEMORY, kept, expected_memory, strict=True):
                expect_unchanged(what, part, own, case)
            expected_state = right[2]


def _expect(what: str, got: object, expected: Tensor, mistakes: Callable[[], dict[str, Tensor]], case: str) -> None:
    axes = {"weights": "source_len", "logits": "vocab_size"}.get(what, "hidden_size")
    expect_tensor(what, got, like=expected, case=case)
    expect_shape(what, got, case=case, batch=expected.size(0), **{axes: expected.size(1)})
    expect_finite(what, got, case=case)
    expect_close(what, got, expected, mistakes=mistakes, case=case)


def _expect_memory(
    memory: tuple, expected: tuple[Tensor, ...], ours: Translator, source: Tensor, mask: Tensor, case: str
) -> None:
    for what, got, right in zip(MEMORY, memory, expected, strict=True):
        expect_tensor(what, got, like=right, case=case)
        size = right.size(2) if right.dim() == 3 else None
        axes = {"batch": right.size(0), "source_len": right.size(1)} | ({"size": size} if size else {})
        expect_shape(what, got, case=case, **axes)
    keys, states, _ = expected
    tables = {
        "projected_keys": {
            "these are the encoder states as they came: `project_keys` is done here, once per sentence": states,
            "the keys are projected twice": ours.scorer.project_keys(keys),
        },
        "states": {
            "these are the projected keys; what is summed to the context are the encoder states themselves": keys,
            "the states are projected twice": ours.scorer.project_keys(keys),
        },
        "source_mask": {"the mask is turned round: true means a real token": ~mask},
    }
    for what, got, right in zip(MEMORY, memory, expected, strict=True):
        expect_close(what, got, right, mistakes=lambda what=what: tables[what], case=case)


def _start_mistakes(ours: Translator, source: Tensor, mask: Tensor) -> dict[str, Tensor]:
    states, final = ours.encoder(source, mask.sum(1))
    full = torch.full_like(mask.sum(1), source.size(1))
    padding = (~mask).sum(1)
    wrong = {
        "the encoder is told that every sentence fills its row; the mask tells how many words each has": full,
        "the encoder is told the length of the longest sentence for all of them": mask.sum(1).max().expand_as(full),
    }
    if int(padding.min()) > 0:
        wrong["the encoder is told how much padding there is; it wants the number of real words"] = padding
    return {why: ours.decoder.start(ours.encoder(source, lengths)[1]) for why, lengths in wrong.items()} | {
        "this is what the encoder calls final; `decoder.start` makes the first state of it": final,
        "the first state is made of the state of word 1; it is made of what the encoder calls final": (
            ours.decoder.start(states[:, 0])
        ),
        "the decoder starts twice": ours.decoder.start(ours.decoder.start(final)),
        "the decoder starts from nothing: it gets no word of what the encoder has read": torch.zeros_like(final),
    }


def _step_mistakes(
    ours: Translator, previous: Tensor, state: Tensor, memory: tuple[Tensor, Tensor, Tensor]
) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
    """Mistake → (logits, weights, state) that it gives."""
    keys, states, mask = memory

    def step(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        context, weights = ours.attend(ours.scorer.score(query, keys), values, mask)
        logits, after = ours.decoder.step(previous, state, context)
        return logits, weights, after

    right = step(state, keys, states, mask)
    logits, weights, after = right
    context, _ = ours.attend(ours.scorer.score(state, keys), states, mask)
    late, late_weights = ours.attend(ours.scorer.score(after, keys), states, mask)
    none = torch.zeros_like(context)
    first = ours.decoder.step(previous, state, none)[1]
    delayed, delayed_weights = ours.attend(ours.scorer.score(first, keys), states, mask)
    words = ours.decoder.table[previous]
    return {
        "the keys are projected once more at this step; `read` has done it": step(
            state, ours.scorer.project_keys(keys), states, mask
        ),
        "the encoder states are scored as they are; the projected keys wait in the memory": step(
            state, states, states, mask
        ),
        "the context is a sum of projected keys; it is a sum of the encoder states": step(state, keys, keys, mask),
        "the mask is not used": step(state, keys, states, torch.ones_like(mask)),
        "the mask is turned round: true means a real token": step(state, keys, states, ~mask),
        "attention is asked with the new state, after the step; the query is the state before it": (
            logits,
            late_weights,
            after,
        ),
        "the step comes first, without a context, and attention after it; here it lies before the step": (
            ours.decoder.step(previous, first, delayed)[0],
            delayed_weights,
            ours.decoder.step(previous, first, delayed)[1],
        ),
        "attention is asked with the new state, and the step is done once more": (
            ours.decoder.step(previous, state, late)[0],
            late_weights,
            ours.decoder.step(previous, state, late)[1],
        ),
        "attention is asked with the previous word; the query is the decoder's state": step(words, keys, states, mask),
        "the decoder gets no context": (*_around(ours.decoder.step(previous, state, none), weights),),
        "the decoder's state is replaced by the context; it gets the context besides": (
            *_around(ours.decoder.step(previous, context, context), weights),
        ),
        "these are scores, not weights; `attend` returns (context, weights)": (
            logits,
            ours.scorer.score(state, keys),
            after,
        ),
        "the state is returned as it came; the decoder's step gives the next one": (logits, weights, state),
        "the context is returned as the state; the decoder's step gives the next one": (logits, weights, context),
        "this is the context; `attend` returns (context, weights)": (logits, context, after),
        "a softmax is applied: logits are passed on as the decoder gives them": (logits.softmax(-1), weights, after),
    }


def _around(step: tuple[Tensor, Tensor], weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return step[0], weights, step[1]
