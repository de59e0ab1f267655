"""Checks of the mended exhibits of the bug museum: weights, the encoder's summary, scores, perplexity."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from autograder.expect import (
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
from seq2seq.museum import exhibits, repairs

Function = Callable[..., Tensor]
Shapes = dict[tuple[int, ...], str]


@check
def check_mended_weights(answer: Function) -> None:
    """mended weights: the words of one sentence share its 1, whoever its neighbours are"""
    _compare_weights(answer, [5, 3, 2])


@check
def check_mended_weights_hidden(answer: Function) -> None:
    """mended weights, other cases: as many sentences as words, one sentence, one word, scores near −1000, float64"""
    _compare_weights(answer, [4, 2, 3, 4], case="as many sentences as words")
    _compare_weights(answer, [6], keys=8, case="a batch of one sentence")
    _compare_weights(answer, [1, 1, 1], case="sentences of one word")
    _compare_weights(answer, [4, 3], level=-1000.0, case="scores near −1000")
    _compare_weights(answer, [4, 3], dtype=torch.float64, case="float64")


@check
def check_mended_summary(answer: Function) -> None:
    """mended summary: each direction's state where it has read the whole sentence"""
    _compare_summary(answer, [6, 4, 2])


@check
def check_mended_summary_hidden(answer: Function) -> None:
    """mended summary, other cases: no padding, much padding, one sentence, one word, float64"""
    _compare_summary(answer, [4, 4, 4], case="no padding")
    _compare_summary(answer, [2, 1, 3], source_len=9, case="much padding")
    _compare_summary(answer, [3], source_len=5, case="a batch of one sentence")
    _compare_summary(answer, [1, 1], hidden_size=4, case="sentences of one word")
    _compare_summary(answer, [5, 2], hidden_size=1, case="states of size one each way")
    _compare_summary(answer, [5, 2], dtype=torch.float64, case="float64")


@check
def check_mended_scores(answer: Function) -> None:
    """mended scores: v · tanh(W s + U h), so that the query counts"""
    _compare_scores(answer, (2, 4, 5, 3))


@check
def check_mended_scores_hidden(answer: Function) -> None:
    """mended scores, other cases: other sizes, as many steps as words, one sentence, one step, one word, float64"""
    _compare_scores(answer, (3, 2, 7, 6), case="other sizes")
    _compare_scores(answer, (2, 4, 4, 4), case="as many steps as words")
    _compare_scores(answer, (1, 3, 4, 2), case="a batch of one sentence")
    _compare_scores(answer, (2, 1, 4, 3), case="one decoder step")
    _compare_scores(answer, (2, 4, 1, 3), case="sentences of one word")
    _compare_scores(answer, (2, 3, 4, 5), case="float64", dtype=torch.float64)


@check
def check_mended_perplexity(answer: Function) -> None:
    """mended perplexity: every real word counts once, padding not at all"""
    _compare_perplexity(answer, [6, 3, 2])


@check
def check_mended_perplexity_hidden(answer: Function) -> None:
    """mended perplexity, other cases: no padding, much padding, one sentence, one word, float64"""
    _compare_perplexity(answer, [4, 4], case="no padding")
    _compare_perplexity(answer, [2, 5, 1, 3], target_len=11, case="much padding")
    _compare_perplexity(answer, [3], target_len=4, case="a batch of one sentence")
    _compare_perplexity(answer, [1, 1, 1], case="sentences of one word")
    _compare_perplexity(answer, [4, 0, 2], case="a sentence without a real word")
    _compare_perplexity(answer, [4, 2], dtype=torch.float64, case="float64")


def _compare_weights(
    answer: Function,
    lengths: list[int],
    keys: int = 0,
    level: float = 0.0,
    case: str = "",
    dtype: torch.dtype = torch.float32,
) -> None:
    keys = keys or max(lengths)
    scores = (level + 2 * torch.randn(len(lengths), keys, generator=generator(f"weights {case}"))).to(dtype)
    mask = _mask(lengths, keys)

    def mistakes() -> Mapping[str, Tensor]:
        low = scores.masked_fill(~mask, torch.finfo(dtype).min)
        return {
            "the words still compete with the words of the other sentences": exhibits.exhibit_weights(scores, mask),
            "the padding takes part in the softmax": scores.softmax(1),
            "the mask comes after the softmax: the real words no longer share all of the 1": scores.softmax(1) * mask,
            "the softmax runs over all words of the batch: each sentence has its own 1": low.flatten()
            .softmax(0)
            .view_as(scores),
            "the mask is turned round: True means a real token": torch.softmax(
                scores.masked_fill(mask, torch.finfo(dtype).min), 1
            ),
            "the softmax is missing": scores * mask,
        }

    inputs = {"scores": scores, "source_mask": mask}
    axes = {"batch": len(lengths), "keys": keys}
    _compare("weights", answer, repairs.mended_weights, inputs, axes, mistakes, case, flows=("scores",))


def _compare_summary(
    answer: Function,
    lengths: list[int],
    source_len: int = 0,
    hidden_size: int = 3,
    case: str = "",
    dtype: torch.dtype = torch.float32,
) -> None:
    source_len, batch = source_len or max(lengths), len(lengths)
    states = torch.randn(batch, source_len, 2 * hidden_size, generator=generator(f"summary {case}")).to(dtype)
    states = states * _mask(lengths, source_len).unsqueeze(-1)
    counts = torch.tensor(lengths)

    def mistakes() -> Mapping[str, Tensor]:
        last, first = states[torch.arange(batch), counts - 1], states[:, 0]
        fore, back = slice(None, hidden_size), slice(hidden_size, None)

        def joined(one: Tensor, other: Tensor) -> Tensor:
            return torch.cat([one, other], dim=1)

        read_one = "the backward direction has read one word there, the last; it starts at the end"
        padded = "the forward half is taken at the last position of the batch, or at padding; word n stands at n − 1"
        return {
            "both halves are still taken at the last position of the batch": states[:, -1],
            f"{read_one}; and {padded}": joined(states[:, -1, fore], last[:, back]),
            read_one: last,
            f"the backward half is right, but {padded}": joined(states[:, -1, fore], first[:, back]),
            "the forward half is right, but the backward half is taken at the batch's last position": joined(
                last[:, fore], states[:, -1, back]
            ),
            "the forward direction has read one word at the first position: it ends at the last": first,
            "the directions are exchanged: the forward one ends at the last word, the backward one at the first": (
                joined(first[:, fore], last[:, back])
            ),
            "the halves come in opposite order: the forward one is first": joined(first[:, back], last[:, fore]),
            "this is the average over the positions": states.sum(1) / counts.unsqueeze(1),
            "the forward half is taken one word too early": joined(
                states[torch.arange(batch), (counts - 2).clamp(min=0), fore], first[:, back]
            ),
        }

    shapes = {(batch, hidden_size): "one direction alone; the decoder starts from both"}
    inputs = {"states": states, "source_lengths": counts}
    axes = {"batch": batch, "size": 2 * hidden_size}
    _compare("summary", answer, repairs.mended_summary, inputs, axes, mistakes, case, shapes, flows=("states",))


def _compare_scores(
    answer: Function, sizes: tuple[int, int, int, int], case: str = "", dtype: torch.dtype = torch.float32
) -> None:
    batch, queries, keys, size = sizes
    draw = generator(f"scores {case}")
    asked, offered = (torch.randn(batch, n, size, generator=draw).to(dtype) for n in (queries, keys))
    energy = torch.randn(size, generator=draw).to(dtype)

    def mistakes() -> Mapping[str, Tensor]:
        one, other = asked.unsqueeze(2), offered.unsqueeze(1)
        total = one + other
        return {
            "the query still cancels: each step's part is the same for every word, and the softmax drops it": total
            @ energy,
            "the tanh is taken of each part alone: the query still cancels": (one.tanh() + other.tanh()) @ energy,
            "the tanh is outermost; it belongs inside, before v": (total @ energy).tanh(),
            "there is a ReLU, not the tanh of the equation": total.relu() @ energy,
            "there is a sigmoid, not the tanh of the equation": total.sigmoid() @ energy,
            "v is forgotten: the features are summed with equal weights": total.tanh().sum(-1),
            "a softmax is applied already: these are to be scores": (total.tanh() @ energy).softmax(-1),
            "the two parts are multiplied; they are added": (one * other).tanh() @ energy,
        }

    shapes = {(batch, keys, queries): "the words come last: one row of scores for each decoder step"}
    shapes.pop((batch, queries, keys), None)
    inputs = {"asked": asked, "offered": offered, "energy": energy}
    axes = {"batch": batch, "queries": queries, "keys": keys}
    _compare("scores", answer, repairs.mended_scores, inputs, axes, mistakes, case, shapes, flows=tuple(inputs))


def _compare_perplexity(
    answer: Function, lengths: list[int], target_len: int = 0, case: str = "", dtype: torch.dtype = torch.float32
) -> None:
    target_len = target_len or max(lengths)
    losses = (3 * torch.rand(len(lengths), target_len, generator=generator(f"losses {case}"))).to(dtype)
    mask = _mask(lengths, target_len)

    def mistakes() -> Mapping[str, Tensor]:
        real, total = losses * mask, mask.sum()
        each = real.sum(1) / mask.sum(1).clamp(min=1)
        return {
            "padding still counts in the number that the sum is divided by": real.mean().exp(),
            "the losses at the padding are averaged as well": losses.mean().exp(),
            "the losses at the padding are in the sum": (losses.sum() / total).exp(),
            "the sentences count alike, so that a word of a short one counts more": each.mean().exp(),
            "the perplexities of the words are averaged; it is the exponential of the average": losses[mask]
            .exp()
            .mean(),
            "the perplexities of the sentences are averaged; it is the exponential of the average": each.exp().mean(),
            "the exponential is missing": losses[mask].mean(),
            "the sum is not divided by the number of words": real.sum().exp(),
            "the sum is divided by the number of sentences, not of words": (real.sum() / len(losses)).exp(),
            "the mask is turned round: True means a real token": losses[~mask].mean().exp(),
        }

    shapes = {(len(lengths),): "one number for each sentence; one for the batch is wanted"}
    inputs = {"losses": losses, "target_mask": mask}
    _compare("perplexity", answer, repairs.mended_perplexity, inputs, {}, mistakes, case, shapes)


def _compare(
    what: str,
    answer: Function,
    reference: Function,
    inputs: dict[str, Tensor],
    axes: dict[str, int],
    mistakes: Callable[[], Mapping[str, Tensor]],
    case: str,
    shapes: Shapes | None = None,
    flows: tuple[str, ...] = (),
) -> None:
    expected = reference(*inputs.values())
    given: dict[str, Any] = {name: value.clone() for name, value in inputs.items()}
    with torch.no_grad():
        got = ask(what, answer, case=case, **given)
    expect_tensor(what, got, like=next(iter(inputs.values())), case=case)
    expect_shape(what, got, shapes, case, **axes)
    expect_finite(what, got, case=case)
    expect_close(what, got, expected, mistakes, case=case)
    for name, before in inputs.items():
        expect_unchanged(name, given[name], before, case)
    if not flows:
        return
    asked, own = ({name: inputs[name].clone().requires_grad_() for name in flows} for _ in range(2))
    got = ask(what, answer, case=case, **(inputs | asked))
    pairs = {name: (asked[name], own[name]) for name in flows}
    expect_gradients(what, got, reference(*(inputs | own).values()), pairs, case)


def _mask(lengths: list[int], length: int) -> Tensor:
    return torch.arange(length) < torch.tensor(lengths).unsqueeze(1)
