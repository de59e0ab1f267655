"""Checks of the greedy search: a rehearsal translator tells whether it is heard."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.pairs import expect_pair
from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_finite,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
    same,
)
from autograder.wording import labelled
from seq2seq.assembly import greedy
from seq2seq.rehearsal import WORDS, RehearsalTranslator
from seq2seq.vocab import BOS, EOS, PAD, UNK

Answer = Callable[..., Any]
Rehearsal = Callable[[int], Any]  # a seed → a translator of the learner's process


@check
def check_greedy(answer: Answer, rehearsal_translator: Rehearsal) -> None:
    """greedy: each word said is heard at the next step; EOS ends a sentence, and all of them the search"""
    _compare(answer, rehearsal_translator, [3, 1, 4], max_length=9)
    _compare(answer, rehearsal_translator, [3, 5], max_length=3, what="cut at max_length")


@check
def check_greedy_hidden(answer: Answer, rehearsal_translator: Rehearsal) -> None:
    """greedy, other cases: one sentence, sentences of one word, a single step, EOS at the very last step"""
    _compare(answer, rehearsal_translator, [4], max_length=10, case="a batch of one sentence")
    _compare(answer, rehearsal_translator, [1, 1, 1], max_length=6, case="sentences of one word")
    _compare(answer, rehearsal_translator, [2, 3], max_length=1, case="a single step")
    _compare(answer, rehearsal_translator, [4, 2, 3], max_length=5, case="the last EOS at the last step allowed")
    _compare(answer, rehearsal_translator, [2, 5, 1, 3], max_length=4, case="some sentences end, some are cut")


def _compare(
    answer: Answer, rehearsal_translator: Rehearsal, lengths: list[int], max_length: int, what: str = "", case: str = ""
) -> None:
    draw = generator(f"greedy {case} {lengths}")
    seed = int(torch.randint(10_000, (), generator=draw))
    translator, ours = rehearsal_translator(seed), RehearsalTranslator(seed)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    source = torch.randint(4, WORDS - 5, mask.shape, generator=draw) * mask
    given = {"translator": translator, "source": source.clone(), "source_mask": mask.clone(), "max_length": max_length}
    name = f"ids {what}".strip()
    ids, weights = expect_pair("(ids, weights)", ask(name, answer, case=case, **given), case)
    expected, expected_weights = greedy(ours, source, mask, max_length)
    steps = expected.size(1)
    expect_tensor(name, ids, case=case)
    if ids.dtype != torch.long:
        raise CheckFailed(labelled(name, case), f"dtype {ids.dtype}", "torch.long", "ids are whole numbers")
    for why, wrong in _mistakes(ours, source, mask, max_length).items():
        if same(ids, wrong) and not same(ids, expected):
            got = f"{ids.tolist()}" if not case else "other words"
            right = f"{expected.tolist()}" if not case else "those that the translator says"
            raise CheckFailed(labelled(name, case), got, right, why)
    shapes = {
        (steps, len(lengths)): "the batch comes first: one row per sentence",
        (len(lengths),): "these are the words of one step; all steps are asked for, one column each",
    }
    shapes.pop((len(lengths), steps), None)
    expect_shape(name, ids, shapes, case, batch=len(lengths), steps=steps)
    expect_close(name, ids, expected, case=case)
    _expect_weights(weights, expected, expected_weights, case)
    expect_unchanged("source", given["source"], source, case)
    expect_unchanged("source_mask", given["source_mask"], mask, case)


def _expect_weights(weights: object, ids: Tensor, expected: Tensor, case: str) -> None:
    """What attention does after a sentence's EOS is nobody's concern."""
    batch, steps, count = expected.shape
    shapes = {
        (steps, batch, count): "the batch comes first: (batch, steps, source_len)",
        (batch, count): "these are the weights of one step; all steps are asked for",
        (batch, steps - 1, count): "the weights of one step are missing: each word said has its row, EOS too",
    }
    expect_tensor("weights", weights, like=expected, case=case)
    expect_shape("weights", weights, shapes, case, batch=batch, steps=steps, source_len=count)
    expect_finite("weights", weights, case=case)
    weights, said = weights.detach(), (ids != PAD).unsqueeze(-1)
    wrong = {
        "each row belongs to the step before: a word and its weights come out of one step": expected.roll(1, 1),
        "each row belongs to the step after: a word and its weights come out of one step": expected.roll(-1, 1),
        "the weights of the last step are repeated": expected[:, -1:].expand_as(expected),
        "the weights of the first step are repeated": expected[:, :1].expand_as(expected),
        "the steps stand in reverse order": expected.flip(1),
    }
    mistakes = {why: value * said for why, value in wrong.items()}
    expect_close("weights", weights * said, expected * said, mistakes=lambda: mistakes, case=case)


def _mistakes(ours: RehearsalTranslator, source: Tensor, mask: Tensor, max_length: int) -> dict[str, Tensor]:
    """Mistake → the ids that it gives."""

    def search(
        first: int = BOS,
        feeds: str = "said",
        ends: str = "all",
        pads: bool = True,
        keeps: bool = True,
        steps: int = max_length,
        marks: int = PAD,
        mask: Tensor = mask,
    ) -> Tensor:
        memory, state = ours.read(source, mask)
        previous = source.new_full((len(source),), first)
        finished, said = torch.zeros(len(source), dtype=torch.bool), []
        for number in range(steps):
            logits, _, after = ours.step(previous, state, memory)
            state = after if keeps else state
            best = logits.argmax(-1)
            words = best.masked_fill(finished, marks) if pads else best
            said.append(words)
            column = source[:, min(number, source.size(1) - 1)]
            previous = {"said": words, "first": torch.full_like(words, first), "source": column}[feeds]
            finished = finished | (best == EOS) if keeps or pads else best == EOS
            if finished.all() if ends == "all" else finished.any() if ends == "any" else False:
                break
        return torch.stack(said, 1)

    right = search()
    wrong = {
        "the first step hears <pad>; the sentence begins with <bos>": search(first=PAD),
        "the first step hears <eos>; the sentence begins with <bos>": search(first=EOS),
        "the first step hears <unk>; the sentence begins with <bos>": search(first=UNK),
        "every step hears <bos>: the word said has to be handed to the next step": search(feeds="first"),
        "the decoder hears the words of the source; it has to hear its own": search(feeds="source"),
        "the state of the first step is used at every step: the next one has to take its place": search(keeps=False),
        "the search ends with the first sentence that is done; the others have more to say": search(ends="any"),
        "a sentence goes on after its <eos>; it gets <pad> until the others are done": search(pads=False),
        "a sentence goes on after its <eos>, and the search runs to `max_length`": search(pads=False, ends="never"),
        "the search runs to `max_length`, though every sentence has said <eos>": search(ends="never"),
        "a sentence that is done gets <eos> again and again; it gets <pad>": search(marks=EOS),
        "a sentence that is done gets <bos>; it gets <pad>": search(marks=BOS),
        "there is a word too many: `max_length` is the most that a row may have": search(steps=max_length + 1),
        "the words stand in reverse order": right.flip(1),
        "the source is read with a mask that takes padding for words": search(mask=torch.ones_like(mask)),
        "<bos> stands in front; ids are the words that were said": torch.cat(
            [torch.full_like(right[:, :1], BOS), right], 1
        ),
    }
    if max_length > 1:
        wrong["there is a word too few: `max_length` words may be said"] = search(steps=max_length - 1)
    if right.size(1) > 1:
        wrong["the last step is missing: a sentence's <eos> belongs to its ids"] = right[:, :-1]
        wrong["<eos> is replaced by <pad>; it belongs to the ids, so that one sees where a sentence ends"] = (
            right.masked_fill(right == EOS, PAD)
        )
        wrong["<eos> is replaced by <pad>, and the last column is missing"] = right.masked_fill(right == EOS, PAD)[
            :, :-1
        ]
    return wrong
