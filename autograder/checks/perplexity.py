"""Checks of perplexity: real words alone count, all of them alike, and the logarithms are averaged before the exp."""

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from autograder.checks.number import close, is_number, number
from autograder.expect import CheckFailed, ask, check, expect_unchanged, generator
from autograder.wording import brief, labelled
from seq2seq import metrics as reference

Function = Callable[..., Tensor]

WHAT = "perplexity"
OVERFLOW = "average the logarithms before the exp; and take `log_softmax`, for log of softmax may be log 0"


@check
def check_perplexity_of_logits(answer: Function) -> None:
    """perplexity: real words alone, each counting once; equal logits give the size of the vocabulary"""
    _compare(answer, *_draw("visible", [5, 2, 3], 5, 7))
    logits, target, mask = _draw("even", [4, 2], 4, 9)
    _compare(answer, torch.zeros_like(logits), target, mask, what="perplexity of equal logits")
    _compare(answer, *_draw("full", [4, 4], 4, 6), what="perplexity without padding")


@check
def check_perplexity_of_logits_hidden(answer: Function) -> None:
    """perplexity, other cases: one sentence, one word, two words to choose from, large logits, float64"""
    _compare(answer, *_draw("one", [3], 6, 5), case="a batch of one sentence")
    _compare(answer, *_draw("word", [1, 1], 1, 8), case="sentences of one word")
    _compare(answer, *_draw("two", [3, 7, 1, 5], 7, 5), case="more sentences")
    logits, target, mask = _draw("large", [4, 6, 2], 6, 8)
    _compare(answer, logits.double(), target, mask, case="float64")
    logits[..., :3] -= 20  # so that the likeliest word is none of the marks
    target = torch.where(mask, logits.argmax(-1), target)
    _compare(answer, 60 * logits, target, mask, case="large logits")


def _compare(answer: Function, logits: Tensor, target: Tensor, mask: Tensor, what: str = WHAT, case: str = "") -> None:
    given = {"logits": logits.clone(), "target_out": target.clone(), "target_mask": mask.clone()}
    with torch.no_grad():
        got = ask(what, answer, case=case, **given)
    expected = reference.perplexity_of_logits(logits, target, mask)
    if not is_number(got):
        why = (
            "is the `return` missing?" if got is None else "one number for the whole batch: what is averaged, and how?"
        )
        raise CheckFailed(labelled(what, case), brief(got), "one number", why)
    for name, before in (("logits", logits), ("target_out", target), ("target_mask", mask)):
        expect_unchanged(name, given[name], before, case)
    value, right = number(got), float(expected)
    if close(value, right):
        return
    why = next((why for why, wrong in _mistakes(logits, target, mask).items() if close(value, float(wrong))), "")
    if not why and not math.isfinite(value):
        why = OVERFLOW
    elif not why and value < 1:
        why = "probabilities are at most 1, so their inverse cannot be less"
    shown = ("a wrong number", "that of the equation") if case else (f"{value:.4g}", f"{right:.4g}")
    raise CheckFailed(labelled(what, case), *shown, why)


def _mistakes(logits: Tensor, target: Tensor, mask: Tensor) -> dict[str, Tensor]:
    words = F.log_softmax(logits, -1).gather(-1, target.unsqueeze(-1)).squeeze(-1)
    right = reference.perplexity_of_logits(logits, target, mask).log()
    raw = logits.gather(-1, target.unsqueeze(-1)).squeeze(-1)
    means = -(words * mask).sum(1) / mask.sum(1)
    steps, sentences = (
        F.log_softmax(logits, axis).gather(-1, target.unsqueeze(-1)).squeeze(-1)[mask].mean() for axis in (1, 0)
    )
    last = mask & ~F.pad(mask[:, 1:], (0, 1))
    inner = mask & ~last
    wrong = {
        "padding is averaged along: only real words count": (-words.mean()).exp(),
        "padding is left out of the sum, but counted with the words": (-(words * mask).sum() / mask.numel()).exp(),
        "padding is in the sum, though not in the number of words": (-words.sum() / mask.sum()).exp(),
        "the mask is turned round: True means a real word": (-words[~mask].mean()).exp(),
        "the perplexities of the sentences are averaged: all words of the batch count alike": means.exp().mean(),
        "each sentence is averaged first: all words of the batch count alike": means.mean().exp(),
        "the exp is missing: this is the mean loss": right,
        "the sum is not divided by the number of words": (-words[mask].sum()).exp(),
        "the sum is divided by the number of sentences, not of words": (-words[mask].sum() / len(mask)).exp(),
        "the sign is wrong: logarithms of probabilities are below 0": (-right).exp(),
        "2 is raised to a mean of natural logarithms; base and logarithm have to fit": 2**right,
        "the logits are taken for log-probabilities: a softmax is missing": (-raw[mask].mean()).exp(),
        "the softmax runs over the axis `target_len`; words of the vocabulary compete": (-steps).exp(),
        "the softmax runs over the axis `batch`; words of the vocabulary compete": (-sentences).exp(),
        "the inverse probabilities are averaged; their logarithms are": (-words[mask]).exp().mean(),
        "this is the inverse of the mean probability; the logarithms are averaged": 1 / words[mask].exp().mean(),
        "the exp is applied twice": right.exp().exp(),
        "the probability of the most likely word is taken, not that of the right one": (
            -F.log_softmax(logits, -1).amax(-1)[mask].mean()
        ).exp(),
        "only sentence 0 is measured": (-words[0][mask[0]].mean()).exp(),
    }
    if inner.any():
        wrong["the last word of each sentence, EOS, is left out; it has to be predicted too"] = (
            -words[inner].mean()
        ).exp()
        wrong["the targets are moved by one: `target_out` stands beside its logits already"] = (
            -F.log_softmax(logits[:, :-1], -1).gather(-1, target[:, 1:].unsqueeze(-1)).squeeze(-1)[mask[:, 1:]].mean()
        ).exp()
    return wrong


def _draw(name: str, lengths: list[int], longest: int, vocab_size: int) -> tuple[Tensor, Tensor, Tensor]:
    draw = generator(f"perplexity {name}")
    mask = torch.arange(longest) < torch.tensor(lengths).unsqueeze(1)
    target = torch.randint(3, vocab_size, mask.shape, generator=draw).masked_fill(~mask, 0)
    return 1.5 * torch.randn(*mask.shape, vocab_size, generator=draw), target, mask
