"""Checks of a beam's continuations: the best of (width × vocabulary) candidates, each with its parent and its word."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.expect import CheckFailed, ask, check, expect_shape, expect_unchanged, generator, same
from autograder.wording import brief, difference, labelled
from seq2seq.beam import steps as reference

Function = Callable[..., tuple[Tensor, Tensor, Tensor]]
Triple = tuple[Tensor, Tensor, Tensor]

WHAT = "continuations"
PARTS = ("totals", "parents", "tokens")


@check
def check_continue_hypotheses(answer: Function) -> None:
    """continuations: the best of all candidates of a sentence, with parents and words; the first step has one parent"""
    _compare(answer, *_draw("visible", 2, 3, 7), 4)
    _compare(answer, *_draw("first", 3, 1, 6), 4, what="continuations of the first step")


@check
def check_continue_hypotheses_hidden(answer: Function) -> None:
    """continuations, other cases: beam of one, one sentence, a beam that narrows, empty places, many words, float64"""
    _compare(answer, *_draw("greedy", 3, 1, 8), 1, case="a beam of one")
    _compare(answer, *_draw("one", 1, 4, 9), 4, case="one sentence")
    _compare(answer, *_draw("narrow", 3, 5, 6), 2, case="a beam that gets narrower")
    _compare(answer, *_draw("wide", 2, 2, 9), 5, case="a beam that gets wider")
    _compare(answer, *_draw("many", 2, 3, 500), 6, case="many words")
    alive, words = _draw("empty", 3, 4, 6)
    alive[0, 0] = alive[1, 3] = -torch.inf
    alive[2, 1:] = -torch.inf
    _compare(answer, alive, words, 4, case="empty places")
    _compare(answer, alive[:, :2], words[:, :2, :3], 5, case="a vocabulary smaller than the beam")
    alive, words = _draw("double", 2, 4, 5)
    _compare(answer, alive.double(), words.double(), 3, case="float64")


def _compare(
    answer: Function, alive: Tensor, log_probabilities: Tensor, beam_size: int, what: str = WHAT, case: str = ""
) -> None:
    given = {"alive": alive.clone(), "log_probabilities": log_probabilities.clone(), "beam_size": beam_size}
    with torch.no_grad():
        got = ask(what, answer, case=case, **given)
    label = labelled(what, case)
    if not isinstance(got, tuple | list) or len(got) != 3:
        why = "is the `return` missing?" if got is None else "in this order: (totals, parents, tokens)"
        raise CheckFailed(label, brief(got), "three tensors", why)
    batch, width, vocab_size = log_probabilities.shape
    shapes = {
        (beam_size,): "the sentences of the batch compete with each other: each has a beam of its own",
        (batch, width, beam_size): "each hypothesis has a beam of its own: all candidates of a sentence compete",
        (batch, width, vocab_size): "these are all candidates; the best are still to be chosen",
        (batch, width * vocab_size): "these are all candidates; the best are still to be chosen",
        (batch, vocab_size): "the hypotheses were merged; a candidate is a hypothesis and a word",
        (batch, width): "each hypothesis is continued once; the best of all candidates are wanted",
    }
    shapes.pop((batch, beam_size), None)
    for name, part in zip(PARTS, got, strict=True):
        _expect_kind(f"{name} of the {what}", part, alive if name == "totals" else None, case)
        expect_shape(f"{name} of the {what}", part, shapes, case, batch=batch, beam_size=beam_size)
    for name, before in (("alive", alive), ("log_probabilities", log_probabilities)):
        expect_unchanged(name, given[name], before, case)
    expected = reference.continue_hypotheses(alive, log_probabilities, beam_size)
    got = _settled(tuple(got), expected)
    expected = _settled(expected, expected)
    wrong = [name for name, ours, theirs in zip(PARTS, got, expected, strict=True) if not same(ours, theirs)]
    if not wrong:
        return
    name = wrong[0]
    part = labelled(f"{name} of the {what}", case)
    shown = difference(got[PARTS.index(name)], expected[PARTS.index(name)], case)
    for why, triple in _mistakes(alive, log_probabilities, beam_size).items():
        if all(same(ours, theirs) for ours, theirs in zip(got, _settled(triple, expected), strict=True)):
            raise CheckFailed(part, *shown, why)
    _expect_properties(label, got, expected, (width, vocab_size))
    raise CheckFailed(part, *shown, f"{' and '.join(wrong)} belong to other candidates than the best")


def _expect_kind(what: str, part: object, like: Tensor | None, case: str) -> None:
    label = labelled(what, case)
    if not isinstance(part, Tensor):
        raise CheckFailed(label, brief(part), "a tensor", "keep to tensors from start to end")
    if like is not None and part.dtype != like.dtype:
        raise CheckFailed(label, f"dtype {part.dtype}", f"{like.dtype}, that of the inputs")
    if like is None and part.is_floating_point():
        why = "a place is a whole number, so the division has to be `//`"
        raise CheckFailed(label, f"dtype {part.dtype}", "whole numbers", why)


def _settled(triple: Triple, expected: Triple) -> Triple:
    """Whose parent and word are those of an empty place does not matter."""
    empty = expected[0] == -torch.inf
    totals, parents, tokens = triple
    if parents.shape != empty.shape:
        return triple
    return totals, parents.long().masked_fill(empty, 0), tokens.long().masked_fill(empty, 0)


def _expect_properties(label: str, got: Triple, expected: Triple, sizes: tuple[int, int]) -> None:
    totals, parents, tokens = got
    if totals.isnan().any():
        raise CheckFailed(label, "NaN", "log-probabilities", "∞ − ∞, or -inf times 0: log-probabilities are added")
    width, vocab_size = sizes
    if not ((parents >= 0) & (parents < width)).all():
        raise CheckFailed(label, "a parent outside the beam", f"places from 0 to {width - 1}")
    if not ((tokens >= 0) & (tokens < vocab_size)).all():
        raise CheckFailed(label, "a word outside the vocabulary", f"ids from 0 to {vocab_size - 1}")
    if not same(totals, expected[0]) and same(totals.sort(1, descending=True).values, expected[0]):
        raise CheckFailed(label, "the best candidates, out of order", "the best first")


def _mistakes(alive: Tensor, words: Tensor, beam_size: int) -> dict[str, Triple]:
    batch, width, vocab_size = words.shape
    candidates = alive.unsqueeze(2) + words

    def best(table: Tensor, **options: bool) -> Triple:
        totals, index = table.flatten(1).topk(beam_size, **options)
        return totals, index // table.size(2), index % table.size(2)

    totals, parents, tokens = best(candidates)
    index = parents * vocab_size + tokens
    rows = torch.arange(batch).unsqueeze(1)
    wrong = {
        "what came before is forgotten: add the log-probability of the hypothesis": best(words.expand_as(candidates)),
        "the logarithms are multiplied; they are added, as probabilities are multiplied": best(
            alive.unsqueeze(2) * words
        ),
        "the worst candidates are kept": best(candidates, largest=False),
        "parents and tokens are in opposite order": (totals, tokens, parents),
        "the parent is the number of the candidate divided by the beam's size; it is divided by the vocabulary's": (
            totals,
            index // beam_size,
            index % beam_size,
        ),
        "the number of a candidate is divided by the width; it is divided by the size of the vocabulary": (
            totals,
            index // width,
            index % width,
        ),
        "quotient and remainder belong to different divisors": (totals, index // vocab_size, index % width),
        "the tokens are numbers of candidates: the remainder by the size of the vocabulary is the word": (
            totals,
            parents,
            index,
        ),
        "the parents are numbers of candidates: divided by the size of the vocabulary they are places": (
            totals,
            index,
            tokens,
        ),
        "the parents are counted through the batch; they are places in the sentence's own beam": (
            totals,
            parents + width * rows,
            tokens,
        ),
        "the parent is 0 for all": (totals, torch.zeros_like(parents), tokens),
        "the totals are probabilities; they have to stay logarithms": (totals.exp(), parents, tokens),
        "the totals are the words' own log-probabilities: add those of the hypotheses": (
            words.flatten(1).gather(1, index),
            parents,
            tokens,
        ),
        "the totals are averaged over two terms; they are sums": (totals / 2, parents, tokens),
        "the hypotheses of sentence 0 are continued in every sentence": best(alive[:1].unsqueeze(2) + words),
        "only the best hypothesis is continued; any of them may have the best continuations": _of_first(
            candidates, beam_size
        ),
    }
    if width == beam_size:
        totals, tokens = candidates.max(-1)
        parents = torch.arange(width).expand_as(tokens)
        order = totals.argsort(1, descending=True)
        own = "each hypothesis keeps its own best word; all candidates of a sentence compete"
        wrong[own] = totals, parents, tokens
        wrong[f"{own} for the places"] = tuple(part.gather(1, order) for part in (totals, parents, tokens))
    turned, index = candidates.transpose(1, 2).flatten(1).topk(beam_size)
    wrong["the table was turned before it was flattened, so that quotient and remainder change roles"] = (
        turned,
        index // vocab_size,
        index % vocab_size,
    )
    return wrong


def _of_first(candidates: Tensor, beam_size: int) -> Triple:
    """Continuations of the best place alone, filled up with nothing."""
    most = min(beam_size, candidates.size(2))
    totals, tokens = candidates[:, 0].topk(most)
    return totals, torch.zeros_like(tokens), tokens


def _draw(name: str, batch: int, width: int, vocab_size: int) -> tuple[Tensor, Tensor]:
    """Hypotheses nearly as likely as each other, so that several have good continuations."""
    draw = generator(f"continuations {name}")
    alive = (-1.5 * torch.rand(batch, width, generator=draw)).sort(1, descending=True).values - 0.2
    return alive, (1.5 * torch.randn(batch, width, vocab_size, generator=draw)).log_softmax(-1)
