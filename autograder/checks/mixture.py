"""Checks of the mixture of generating and copying: two distributions, shared by a gate."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_finite,
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
)
from autograder.wording import labelled
from seq2seq.beyond import copy_mixture as reference

Function = Callable[..., Any]


@check
def check_mixture(answer: Function) -> None:
    """mixture: both distributions, shared by the gate of each sentence, over all words, with gradients"""
    _compare_mixture(answer, 3, 6, 9)
    for gate, said in ((1.0, "when everything is generated"), (0.0, "when everything is copied")):
        _compare_mixture(answer, 2, 5, 8, what=f"mixture {said}", gate=gate)
    _compare_mixture_gradients(answer, 3, 6, 9)


@check
def check_mixture_hidden(answer: Function) -> None:
    """mixture, other cases: no unknown word, one sentence, as many sentences as words, float64, gradients"""
    _compare_mixture(answer, 4, 7, 12, "other sizes")
    _compare_mixture(answer, 1, 6, 7, "a batch of one sentence")
    _compare_mixture(answer, 3, 6, 6, "no unknown word in the batch")
    _compare_mixture(answer, 8, 5, 8, "as many sentences as words")
    _compare_mixture(answer, 3, 5, 9, "float64", dtype=torch.float64)
    _compare_mixture_gradients(answer, 2, 4, 7, "gradients")


def _compare_mixture(
    answer: Function,
    batch: int,
    vocab: int,
    size: int,
    case: str = "",
    what: str = "mixture",
    gate: float | None = None,
    dtype: torch.dtype = torch.float32,
) -> None:
    drawn = dict(zip(("generated", "copied", "generate"), _draw_mixture(batch, vocab, size, case, dtype), strict=True))
    if gate is not None:
        drawn["generate"] = torch.full_like(drawn["generate"], gate)
    expected = reference.mixture(**drawn)
    given = {name: tensor.clone() for name, tensor in drawn.items()}
    with torch.no_grad():
        mixed = ask(what, answer, case=case, **given)
    expect_tensor(what, mixed, like=drawn["copied"], case=case)
    shapes = {
        (batch, vocab): "words beyond the vocabulary are lost: they can be copied",
        (batch, vocab + size): "both distributions stand side by side; a known word that is copied has two entries",
    }
    shapes.pop((batch, size), None)
    expect_shape(what, mixed, shapes, case, batch=batch, extended_size=size)
    expect_finite(what, mixed, case=case)
    expect_close(
        what,
        mixed,
        expected,
        mistakes=lambda: _mixture_mistakes(**drawn),
        properties=lambda: _expect_one(labelled(what, case), mixed, case),
        case=case,
    )
    for name, before in drawn.items():
        expect_unchanged(name, given[name], before, case)


def _mixture_mistakes(generated: Tensor, copied: Tensor, generate: Tensor) -> dict[str, Tensor]:
    lacking = copied.size(-1) - generated.size(-1)
    known = torch.nn.functional.pad(generated, (0, lacking))
    gate = generate.unsqueeze(-1)
    both = known + copied
    gated = gate * known + copied
    wrong = {
        "the gate is turned round: 1 means generate": (1 - gate) * known + gate * copied,
        "both distributions are added whole; the gate shares the 1 between them": both,
        "both distributions count half; the gate says how much each counts": both / 2,
        "only the generated half is gated": gated,
        "only the copied half is gated": known + (1 - gate) * copied,
        "only the generated half is there; copying is missing": gate * known,
        "only the copied half is there; generating is missing": (1 - gate) * copied,
        "the gate multiplies both halves; what is not generated is copied": gate * both,
        "unknown words are put in front; the ids of the vocabulary come first": gate
        * torch.nn.functional.pad(generated, (lacking, 0))
        + (1 - gate) * copied,
        "the two are multiplied; a word may come from either": known * copied,
        "the gate is rounded: each sentence does only one of the two": torch.where(gate > 0.5, known, copied),
        "the larger of the two is taken": torch.maximum(gate * known, (1 - gate) * copied),
        "the gate of sentence 0 is used for every sentence": gate[:1] * known + (1 - gate[:1]) * copied,
        "the mean gate of the batch is used for every sentence": gate.mean() * known + (1 - gate.mean()) * copied,
    }
    if copied.size(0) == copied.size(1):
        wrong["the gates run along the words; each sentence has one"] = generate * known + (1 - generate) * copied
    return wrong


def _expect_one(label: str, mixed: Tensor, case: str) -> None:
    off = (mixed.sum(-1) - 1).abs()
    if off.max() > 1e-4:
        row = int(off.argmax())
        got = "a row does not sum to 1" if case else f"row {row} sums to {float(mixed[row].sum()):.3g}"
        raise CheckFailed(label, got, "1", "two distributions with shares that sum to 1 make one distribution")


def _compare_mixture_gradients(answer: Function, batch: int, vocab: int, size: int, case: str = "") -> None:
    names = ("generated", "copied", "generate")
    own = [tensor.requires_grad_() for tensor in _draw_mixture(batch, vocab, size, f"{case} gradients")]
    theirs = [tensor.detach().clone().requires_grad_() for tensor in own]
    mixed = ask("mixture", answer, case=case, **dict(zip(names, theirs, strict=True)))
    pairs = dict(zip(names, zip(theirs, own, strict=True), strict=True))
    expect_gradients("mixture", mixed, reference.mixture(*own), pairs, case)


def _draw_mixture(
    batch: int, vocab: int, size: int, case: str, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, Tensor]:
    draw = generator(f"mixture {case} {batch} {vocab} {size}")
    generated, copied = (torch.randn(batch, n, generator=draw, dtype=dtype).softmax(-1) for n in (vocab, size))
    return generated, copied, 0.1 + 0.8 * torch.rand(batch, generator=draw, dtype=dtype)
