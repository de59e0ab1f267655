"""Checks of the Luong decoder over a whole target at once: equal to the loop of its steps."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.attentional import attentional_mistakes
from autograder.checks.luong import LENGTHS, OTHER, SIZES
from autograder.checks.results import compare_gradients, compare_results
from autograder.checks.twins import twins
from autograder.expect import check, generator
from seq2seq.attention import masked_softmax
from seq2seq.decoders.plain_luong import LuongUnroll

Answer = Callable[..., Any]
Table = dict[str, Tensor]

STEPS = 7


@check
def check_luong_unroll(answer: Answer) -> None:
    """Luong unroll: every state, then every row of weights, then every attentional state, as the steps give them"""
    _compare(answer, LENGTHS, SIZES)
    _compare_gradients(answer)


@check
def check_luong_unroll_hidden(answer: Answer) -> None:
    """Luong unroll, other cases: other sizes, one sentence, one step, mostly padding, float64, gradients"""
    _compare(answer, [7, 6, 1, 2], OTHER, steps=5, case="other sizes")
    _compare(answer, [6], SIZES, case="a batch of one sentence")
    _compare(answer, LENGTHS, SIZES, steps=1, case="a target of one word")
    _compare(answer, [5, 2, 4], SIZES, steps=5, case="targets as long as the sources")
    _compare(answer, [2, 1, 3], SIZES, steps=3, words=3, case="three sentences of three words each way")
    _compare(answer, [2, 1], SIZES, words=8, case="mostly padding")
    _compare(answer, LENGTHS, SIZES, dtype=torch.float64, case="float64")
    _compare_gradients(answer, case="gradients")


def _compare(
    answer: Answer,
    lengths: list[int],
    sizes: dict[str, int],
    steps: int = STEPS,
    words: int = 0,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    module, twin = twins(answer, LuongUnroll, sizes, dtype, case)
    inputs = _inputs(case, lengths, sizes, steps, words, dtype)
    with torch.no_grad():
        attentionals, weights = twin(**inputs)
    batch, count, hidden_size = len(lengths), weights.size(2), sizes["hidden_size"]
    shapes = {
        "attentional states": {
            (batch, hidden_size): "this is one step; every step of the target is asked for",
            (batch, count, hidden_size): "there is one for each source word; one for each target word is asked for",
            (steps, batch, hidden_size): "the steps came to lie on axis 0; batch comes first",
        },
        "weights": {
            (batch, count): "this is one row of weights; every target word has one",
            (
                batch,
                count,
                steps,
            ): "the axes came out as (batch, source_len, target_len): keys and queries are exchanged",
            (steps, batch, count): "the steps came to lie on axis 0; batch comes first",
        },
    }
    for name, value in (("attentional states", attentionals), ("weights", weights)):
        shapes[name].pop(tuple(value.shape), None)
    compare_results(
        "unroll",
        module,
        inputs,
        {"weights": weights, "attentional states": attentionals},
        {
            "attentional states": {"batch": batch, "target_len": steps, "hidden_size": hidden_size},
            "weights": {"batch": batch, "target_len": steps, "source_len": count},
        },
        lambda: _mistakes(twin, **inputs),
        shapes,
        case,
    )


def _compare_gradients(answer: Answer, case: str = "") -> None:
    module, twin = twins(answer, LuongUnroll, SIZES, case="gradients")
    parameters = dict(module.named_parameters()), dict(twin.named_parameters())
    compare_gradients("unroll", module, twin, _inputs("gradients", LENGTHS, SIZES), parameters, case)


def _inputs(
    name: str,
    lengths: list[int],
    sizes: dict[str, int],
    steps: int = STEPS,
    words: int = 0,
    dtype: torch.dtype = torch.float32,
) -> dict[str, Tensor]:
    draw, batch, words = generator(f"luong unroll {name}"), len(lengths), words or max(lengths)
    embedded, state, values = (
        torch.randn(shape, generator=draw).to(dtype)
        for shape in (
            (batch, steps, sizes["embedding_size"]),
            (batch, sizes["hidden_size"]),
            (batch, words, sizes["encoder_size"]),
        )
    )
    mask = torch.arange(words) < torch.tensor(lengths).unsqueeze(1)
    return {"embedded": embedded, "state": state, "values": values, "source_mask": mask}


def _mistakes(
    twin: LuongUnroll, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> dict[str, Table]:
    mask = source_mask.unsqueeze(1)
    keys = twin.scorer.project_keys(values)
    hidden, last = twin.rnn(embedded, state.unsqueeze(0))
    from_zeros, _ = twin.rnn(embedded)
    scores = hidden @ keys.mT
    lowest = torch.finfo(scores.dtype).min
    masked = scores.masked_fill(~mask, lowest)
    ended = last.transpose(0, 1).expand_as(hidden)
    before = torch.cat([state.unsqueeze(1), hidden[:, :-1]], dim=1)
    runs = {
        "the first state is not used: the recurrent layer starts from zeros": from_zeros,
        "the queries are the states before each step; Luong et al. ask with h_t, the state after it": before,
        "every query is the last state; each step asks with its own": ended,
        "every step starts from the first state: let the recurrent layer run over the whole target": torch.cat(
            [twin.rnn(word, state.unsqueeze(0))[0] for word in embedded.split(1, dim=1)], dim=1
        ),
        "the words run from last to first": twin.rnn(embedded.flip(1), state.unsqueeze(0))[0],
    }
    weights = {why: masked_softmax(queries @ keys.mT, mask) for why, queries in runs.items()} | {
        "the mask is not used: padding takes part in the softmax": scores.softmax(-1),
        "the mask is turned round: True means a real token": masked_softmax(scores, ~mask),
        "the softmax runs over the target words; each of them has a row over the source that sums to 1": (
            masked.softmax(1)
        ),
        "the softmax, unmasked, runs over the target words; it runs over the source": scores.softmax(1),
        "the softmax runs over the batch; it runs over the source words": masked.softmax(0),
        "the softmax, unmasked, runs over the batch; it runs over the source words": scores.softmax(0),
        "these are the scores: the softmax is missing": scores,
        "these are the scores, masked: the softmax is missing": masked,
        "the mask comes after the softmax: the real tokens no longer share all of the 1": scores.softmax(-1) * mask,
    }
    if scores.size(1) == scores.size(2):
        weights["queries and keys are exchanged: a row belongs to a target word"] = masked_softmax(scores.mT, mask)
    if scores.size(0) == scores.size(1):
        why = "the mask meets the target words; it needs an axis of size 1 for them, between batch and source"
        weights[why] = masked_softmax(scores, source_mask)
    right = masked_softmax(scores, mask)
    layer, contexts = twin.attentional_layer, right @ values
    real = mask.mT
    others = {why: table @ values for why, table in weights.items() if table.shape == right.shape} | {
        "the values are averaged over the real tokens": ((values * real).sum(1) / real.sum(1)).unsqueeze(1),
        "every step gets the context of the first one": contexts[:, :1],
        "every step gets the context of the last one": contexts[:, -1:],
    }
    attentionals = attentional_mistakes(layer, contexts, hidden) | {
        f"another context enters than that of the weights: {why}": layer(
            torch.cat([other.expand_as(contexts), hidden], dim=-1)
        ).tanh()
        for why, other in others.items()
    }
    attentionals |= {
        "the states before each step enter W_c; it is h_t": layer(torch.cat([contexts, before], dim=-1)).tanh(),
        "the last state enters W_c at every step": layer(torch.cat([contexts, ended], dim=-1)).tanh(),
    }
    return {"weights": weights, "attentional states": attentionals}
