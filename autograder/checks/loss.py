"""Checks of the masked loss: the mean over real target tokens, and over nothing else."""

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

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
    same,
)
from seq2seq.batch import length_mask
from seq2seq.training import masked_loss
from seq2seq.vocab import EOS, PAD

Function = Callable[[Tensor, Tensor, Tensor], Tensor]
Given = dict[str, Tensor]


@check
def check_masked_loss(answer: Function) -> None:
    """masked loss: the mean of -log p over the real target tokens; padding has no share, in value or gradient"""
    _compare(answer, [5, 3, 1, 4], vocab=7)
    _compare(answer, [4, 4], vocab=6, what="loss without padding")
    _expect_invariance(answer)
    _compare_gradients(answer, [4, 1, 3], vocab=5)


@check
def check_masked_loss_hidden(answer: Function) -> None:
    """masked loss, other cases: other sizes, one sentence, one token each, mostly padding, float64, extreme logits"""
    _compare(answer, [2, 9, 6, 1, 1], vocab=11, case="other sizes")
    _compare(answer, [6], vocab=8, case="a batch of one sentence")
    _compare(answer, [1, 1, 1], vocab=9, case="sentences of one token")
    _compare(answer, [1, 1, 30], vocab=6, case="mostly padding")
    _compare(answer, [3, 5, 2], vocab=7, case="float64", dtype=torch.float64)
    _compare(answer, [3, 4, 1], vocab=7, case="logits near ±1000", scale=400.0)
    _compare(answer, [3, 3, 2], vocab=3, case="as many words as places", longest=3)
    _compare_gradients(answer, [2, 5, 1], vocab=6, case="other sizes")


def _compare(
    answer: Function,
    lengths: list[int],
    vocab: int,
    what: str = "loss",
    dtype: torch.dtype = torch.float32,
    scale: float = 2.0,
    longest: int = 0,
    case: str = "",
) -> None:
    given = _draw(f"{what} {case}", lengths, vocab, longest)
    given["logits"] = (scale * given["logits"]).to(dtype)
    asked = {name: value.clone() for name, value in given.items()}
    with torch.no_grad():
        got = ask(what, answer, case=case, **asked)
    expect_tensor(what, got, like=given["logits"], case=case)
    batch, width = given["target_out"].shape
    shapes = {
        (batch, width): "one loss for each place; they are to be averaged over the real ones",
        (batch * width,): "one loss for each place; they are to be averaged over the real ones",
        (batch,): "one loss for each sentence; all real tokens of the batch have one mean",
        (width,): "one loss for each step; all real tokens of the batch have one mean",
        (sum(lengths),): "one loss for each real token; their mean is asked",
        (1,): "the loss is a number, without an axis",
    }
    expect_shape(what, got, shapes, case)
    why = "log(0): take the logarithm and the softmax in one step, `log_softmax`, or leave both to `cross_entropy`"
    expect_finite(what, got, why, case)
    expect_close(what, got, masked_loss(**given), mistakes=lambda: _mistakes(**given), case=case)
    for name, value in given.items():
        expect_unchanged(name, asked[name], value, case)


def _expect_invariance(answer: Function) -> None:
    """What stands at padding, and how much there is of it, changes nothing."""
    given = _draw("invariance", [4, 2, 1], 6)
    padding = ~given["target_mask"].unsqueeze(-1)
    other = given | {"logits": given["logits"] + 3 * padding * torch.rand(6, generator=generator("invariance"))}
    wider = {name: F.pad(value, (0, 0, 0, 3) if name == "logits" else (0, 3)) for name, value in given.items()}
    with torch.no_grad():
        loss, *again = (
            ask("loss", answer, **{n: v.clone() for n, v in each.items()}) for each in (given, other, wider)
        )
    for what, value in zip(("the logits at padding change", "padding is added"), again, strict=True):
        if not same(value, loss):
            raise CheckFailed("loss", f"it changes when {what}", "the same loss", "padding has no share in it")


def _compare_gradients(answer: Function, lengths: list[int], vocab: int, case: str = "") -> None:
    given = _draw("gradients", lengths, vocab)
    ours = given["logits"].requires_grad_()
    theirs = ours.detach().clone().requires_grad_()
    got = ask("loss", answer, case=case, **(given | {"logits": theirs}))
    expect_gradients("loss", got, masked_loss(**given), {"logits": (theirs, ours)}, case)


def _draw(name: str, lengths: list[int], vocab: int, longest: int = 0) -> Given:
    """Logits, and targets that end with EOS, in a batch that is padded with PAD."""
    draw = generator(f"loss {name}")
    width, sizes = longest or max(lengths), torch.tensor(lengths)
    mask = length_mask(sizes, width)
    words = torch.randint(EOS, vocab, mask.shape, generator=draw)
    words = words.scatter(1, sizes.unsqueeze(1) - 1, EOS).masked_fill(~mask, PAD)
    logits = torch.randn(*mask.shape, vocab, generator=draw)
    return {"logits": logits, "target_out": words, "target_mask": mask}


def _mistakes(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Given:
    vocab, real = logits.size(-1), target_mask.to(logits.dtype)
    logs = logits.log_softmax(-1)
    losses = -logs.gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    right = (losses * real).sum() / real.sum()
    probabilities = logits.softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    again = -logits.softmax(-1).log_softmax(-1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    batch, width = target_out.shape
    over_steps = -logits.log_softmax(1).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    over_batch = -logits.log_softmax(0).gather(-1, target_out.unsqueeze(-1)).squeeze(-1)
    shuffled = -logits.reshape(batch, vocab, width).log_softmax(1).gather(1, target_out.unsqueeze(1)).squeeze(1)
    words_alone = real * (target_out != EOS)
    wrong = {
        "padding has its share: the model would be paid for saying <pad>": losses.mean(),
        "the mask is turned round: this is the loss of the padding": (losses * (1 - real)).sum() / (1 - real).sum(),
        "padding's losses are left out of the sum, but counted in the number it is divided by": (losses * real).mean(),
        "this is the sum over the real tokens; their mean is asked": (losses * real).sum(),
        "this is the sum over all places, padding too": losses.sum(),
        "the sum is divided by the number of sentences; it has to be by that of real tokens": (losses * real).sum()
        / batch,
        "the sum is divided by the number of steps; it has to be by that of real tokens": (losses * real).sum() / width,
        "each sentence is averaged first, so that a word of a short one counts more than one of a long one": (
            (losses * real).sum(1) / real.sum(1)
        ).mean(),
        "each step is averaged first, so that a word counts more where few sentences are left": (
            (losses * real).sum(0) / real.sum(0)
        ).mean(),
        "the minus sign is missing": -right,
        "the probabilities are averaged; it is their logarithms that add up": (probabilities * real).sum() / real.sum(),
        "the probabilities are averaged, with a minus sign; it is their logarithms that add up": -(
            probabilities * real
        ).sum()
        / real.sum(),
        "the logarithm is taken after the mean; it belongs to each token": -(
            (probabilities * real).sum() / real.sum()
        ).log(),
        "the logits of the right words are averaged: the softmax is missing": -(
            logits.gather(-1, target_out.unsqueeze(-1)).squeeze(-1) * real
        ).sum()
        / real.sum(),
        "a softmax is applied twice: `cross_entropy` takes logits": (again * real).sum() / real.sum(),
        "the softmax runs over the steps; the words of the vocabulary compete": (over_steps * real).sum() / real.sum(),
        "the softmax runs over the batch; the words of the vocabulary compete": (over_batch * real).sum() / real.sum(),
        "`reshape` has shuffled the logits: to exchange two axes, `transpose` them": (shuffled * real).sum()
        / real.sum(),
        "the logits are multiplied by the mask, and padding is counted all the same: all-zero logits have a loss too": (
            _cross_entropy(logits * real.unsqueeze(-1), target_out)
        ),
        "logarithms of base 2: this is in bits": right / math.log(2),
        "this is the perplexity, the exponential of the loss": right.exp(),
        "the words' ids weigh their losses": (losses * target_out * real).sum() / real.sum(),
        "<eos> is left out: it is a real token, and the model has to learn to stop": (losses * words_alone).sum()
        / words_alone.sum(),
        "<eos> is left out of the sum, but counted": (losses * words_alone).sum() / real.sum(),
        "only the first sentence counts": (losses * real)[0].sum() / real[0].sum(),
    }
    if width > 1:
        shifted = -logs[:, :-1].gather(-1, target_out[:, 1:].unsqueeze(-1)).squeeze(-1)
        why = "the target is shifted once more: place i of the logits already belongs to place i of `target_out`"
        wrong[why] = (shifted * real[:, 1:]).sum() / real[:, 1:].sum()
        late = losses[:, 1:] * real[:, 1:]
        wrong["the first word is left out: there is no <bos> in `target_out`"] = late.sum() / real[:, 1:].sum()
    return wrong


def _cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
