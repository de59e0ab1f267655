"""Checks of a learner's tests: inputs, or a predicate, must tell wrong code from right code, of several kinds each."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_finite,
    expect_tensor,
    expect_unchanged,
    generator,
)
from autograder.wording import brief, labelled
from seq2seq.museum import exhibits, repairs

Function = Callable[..., Any]

CLEAR = 1e-4  # what a test sees must stand out from rounding

BROKEN_WEIGHTS: dict[str, Function] = {
    "a softmax over the batch": lambda scores: scores.softmax(0),
    "a softmax over all numbers of the batch": lambda scores: scores.flatten().softmax(0).view_as(scores),
    "centring the scores over the batch": lambda scores: (scores - scores.mean(0)).softmax(1),
}
BROKEN_PERPLEXITIES: dict[str, Function] = {
    "a sum that is divided by the padding too": exhibits.exhibit_perplexity,
    "an average over all positions": lambda losses, mask: losses.mean().exp(),
    "a sum that has the padding in it": lambda losses, mask: (losses.sum() / mask.sum()).exp(),
}


@check
def check_neighbour_proof(answer: Function) -> None:
    """proof by neighbours: wrong code gives the first sentence other weights in the other batch, right code does not"""
    _expect_neighbours(answer, 4, 5)


@check
def check_neighbour_proof_hidden(answer: Function) -> None:
    """proof by neighbours, other cases: two sentences, as many sentences as words, float64, scores near 1000"""
    _expect_neighbours(answer, 2, 6, "two sentences")
    _expect_neighbours(answer, 7, 3, "other sizes")
    _expect_neighbours(answer, 3, 3, "as many sentences as words")
    _expect_neighbours(answer, 4, 5, "float64", torch.float64)
    _expect_neighbours(answer, 3, 4, "scores near 1000", level=1000.0)


@check
def check_query_proof(answer: Function) -> None:
    """proof by queries: True where steps of a sentence have different weights, False where the query cancels"""
    right, wrong = _weights("query", (3, 4, 5))
    _expect_verdict(answer, right, True, "weights that change from step to step")
    equal = right[:, :1].expand_as(right)
    _expect_verdict(answer, equal, False, "weights that are the same at every step, of sentences that differ")
    _expect_verdict(answer, wrong, False, "weights of the exhibit, where steps differ by rounding alone")
    _expect_verdict(answer, _one_differs(equal, 0, -1), True, "weights that change at the last step only")


@check
def check_query_proof_hidden(answer: Function) -> None:
    """proof by queries, other cases: one sentence, one step, small changes, weights that do not sum to 1, float64"""
    right, wrong = _weights("query hidden", (4, 3, 6))
    equal = right[:, :1].expand_as(right)
    _expect_verdict(answer, _one_differs(equal, -1, 1), True, "", "a change in the last sentence alone")
    _expect_verdict(answer, _one_differs(equal, 0, 1, 0.01), True, "", "a small change")
    _expect_verdict(answer, right[:1], True, "", "a batch of one sentence")
    _expect_verdict(answer, right[:, :1], False, "", "one step: there is nothing to compare")
    _expect_verdict(answer, wrong[:1], False, "", "one sentence of the exhibit")
    _expect_verdict(answer, wrong, False, "", "the exhibit")
    _expect_verdict(answer, right.double(), True, "", "float64")
    less = equal * torch.linspace(1.0, 0.5, equal.size(1)).view(1, -1, 1)
    _expect_verdict(answer, less, True, "", "weights that need not sum to 1, as those of local attention")


@check
def check_padding_proof(answer: Function) -> None:
    """proof by padding: wrong code gives the padded batch another perplexity, right code does not"""
    _expect_padding(answer, [5, 3, 2])


@check
def check_padding_proof_hidden(answer: Function) -> None:
    """proof by padding, other cases: no padding yet, one sentence, one word, float64"""
    _expect_padding(answer, [4, 4], "no padding yet")
    _expect_padding(answer, [6], "a batch of one sentence")
    _expect_padding(answer, [1, 1, 1], "sentences of one word")
    _expect_padding(answer, [2, 7, 4, 1], "other sizes")
    _expect_padding(answer, [5, 2], "float64", torch.float64)


def _expect_neighbours(
    answer: Function,
    batch: int,
    keys: int,
    case: str = "",
    dtype: torch.dtype = torch.float32,
    level: float = 0.0,
) -> None:
    what, wanted = "neighbour proof", "the pair (one batch, other batch)"
    scores = (level + 2 * torch.rand(batch, keys, generator=generator(f"neighbours {case}"))).to(dtype)
    given = scores.clone()
    pair = _pair(what, ask(what, answer, case=case, scores=given), wanted, case)
    for name, one in zip(("one batch", "other batch"), pair, strict=True):
        expect_tensor(name, one, like=scores, case=case)
        if one.dim() != 2 or one.size(1) != keys or not len(one):
            got = f"shape {tuple(one.shape)}"
            raise CheckFailed(
                labelled(name, case), got, f"(1 or more sentences, keys={keys})", "it is a batch of scores"
            )
        expect_finite(name, one, "these are scores, as a scorer gives them, and nobody is padding", case)
    if not torch.equal(pair[0][0], pair[1][0]):
        why = "right code would be blamed: it gives other scores other weights"
        raise CheckFailed(labelled(what, case), "the first sentences differ", "the same first sentence in both", why)
    for broken, code in BROKEN_WEIGHTS.items():
        if _near(*(code(one)[0] for one in pair)):
            why = "are the neighbours of the first sentence the same in both batches, if only in another order?"
            raise CheckFailed(labelled(what, case), f"{broken} goes unnoticed", "other weights for sentence 1", why)
    expect_unchanged("scores", given, scores, case)


def _expect_verdict(answer: Function, weights: Tensor, expected: bool, told: str, case: str = "") -> None:
    what, given = "query proof", weights.clone()
    verdict = ask(what, answer, case=case, weights=given)
    label = labelled(what, case or told)
    if isinstance(verdict, Tensor) and verdict.numel() == 1:
        verdict = bool(verdict)
    if not isinstance(verdict, bool):
        raise CheckFailed(label, brief(verdict), "True or False", "one verdict for the whole batch")
    if verdict != expected:
        why = (
            "is a step compared with all the others of its sentence, in every sentence?"
            if expected
            else "only steps of one sentence are compared, and rounding is no difference"
        )
        raise CheckFailed(label, str(verdict), str(expected), why)
    expect_unchanged("weights", given, weights, case)


def _expect_padding(answer: Function, lengths: list[int], case: str = "", dtype: torch.dtype = torch.float32) -> None:
    what, wanted = "padding proof", "the pair (padded losses, padded mask)"
    batch, length = len(lengths), max(lengths)
    losses = (0.2 + 3 * torch.rand(batch, length, generator=generator(f"padding {case}"))).to(dtype)
    mask = torch.arange(length) < torch.tensor(lengths).unsqueeze(1)
    given = losses.clone(), mask.clone()
    more, real = _pair(what, ask(what, answer, case=case, losses=given[0], target_mask=given[1]), wanted, case)
    expect_tensor("padded losses", more, like=losses, case=case)
    expect_tensor("padded mask", real, like=mask, case=case)
    if more.shape != real.shape or more.dim() != 2 or len(more) != batch or more.size(1) <= length:
        got = f"shapes {tuple(more.shape)} and {tuple(real.shape)}"
        why = "the same sentences, more positions"
        raise CheckFailed(labelled(what, case), got, f"(batch={batch}, more than {length}) for both", why)
    expect_finite("padded losses", more, "right code that multiplies by the mask would be blamed: 0 · ∞ is NaN", case)
    for row in range(batch):
        if not torch.equal(more[row][real[row]], losses[row][mask[row]]):
            got = "a sentence has other real losses than before"
            why = "right code would be blamed: what is added has to be padding for the mask too"
            raise CheckFailed(labelled(what, case), got, "the same real losses", why)
    for broken, code in BROKEN_PERPLEXITIES.items():
        if _near(code(losses, mask), code(more, real)):
            why = "what stands at the new padding? Wrong code must stumble over it, right code must not see it"
            raise CheckFailed(labelled(what, case), f"{broken} goes unnoticed", "another perplexity", why)
    for name, now, before in zip(("losses", "target_mask"), given, (losses, mask), strict=True):
        expect_unchanged(name, now, before, case)


def _pair(what: str, result: object, wanted: str, case: str) -> tuple[Any, Any]:
    if isinstance(result, Tensor) or not isinstance(result, tuple | list) or len(result) != 2:
        got = "one tensor" if isinstance(result, Tensor) else brief(result)
        raise CheckFailed(labelled(what, case), got, wanted)
    return result[0], result[1]


def _near(one: Tensor, other: Tensor) -> bool:
    return float((one - other).abs().max()) < CLEAR


def _weights(name: str, sizes: tuple[int, int, int]) -> tuple[Tensor, Tensor]:
    """Weights of right scores, and of the exhibit's; the second are not the same to the last bit at every step."""
    batch, queries, keys = sizes
    draw = generator(name)
    asked, offered = 2 * torch.randn(batch, queries, 8, generator=draw), torch.randn(batch, keys, 8, generator=draw)
    energy = torch.randn(8, generator=draw)
    right, wrong = (
        scores(asked, offered, energy).softmax(-1) for scores in (repairs.mended_scores, exhibits.exhibit_scores)
    )
    noise = 1e-7 * torch.randn(wrong.shape, generator=draw)  # whatever the processor's own rounding is
    return right, wrong + noise


def _one_differs(weights: Tensor, sentence: int, step: int, share: float = 0.5) -> Tensor:
    """One step of one sentence moves a share of its weight one word on."""
    changed = weights.clone()
    changed[sentence, step] = (1 - share) * changed[sentence, step] + share * changed[sentence, step].roll(1)
    return changed
