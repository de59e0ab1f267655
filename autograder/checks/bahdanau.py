"""Checks of the Bahdanau decoder's first state and of one of its steps."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.results import compare_gradients, compare_results
from autograder.checks.twins import twins
from autograder.expect import check, generator
from seq2seq.attention import attend
from seq2seq.decoders.plain_bahdanau import BahdanauStep, FirstState

Answer = Callable[..., Any]

LENGTHS = [5, 3, 2]
SIZES = {"embedding_size": 2, "hidden_size": 4, "encoder_size": 6, "attention_size": 7}


@check
def check_first_state(answer: Answer) -> None:
    """first state: tanh(W_s ←h_1), from the backward half of the final states"""
    _compare_first(answer, 3, 6, 4)


@check
def check_first_state_hidden(answer: Answer) -> None:
    """first state, other cases: other sizes, one sentence, float64, gradients"""
    _compare_first(answer, 4, 10, 3, case="other sizes")
    _compare_first(answer, 1, 6, 5, case="a batch of one sentence")
    _compare_first(answer, 3, 2, 4, case="one feature for each direction")
    _compare_first(answer, 3, 6, 4, torch.float64, case="float64")
    module, twin = twins(answer, FirstState, {"encoder_size": 6, "hidden_size": 4}, case="gradients")
    parameters = dict(module.named_parameters()), dict(twin.named_parameters())
    final = torch.randn(3, 6, generator=generator("first gradients"))
    compare_gradients("first state", module, twin, {"final": final}, parameters, case="gradients")


@check
def check_bahdanau_step(answer: Answer) -> None:
    """Bahdanau step: attend with the state before the step, then the cell takes word, context and that state"""
    _compare_step(answer, LENGTHS, SIZES)
    _compare_step_gradients(answer)


@check
def check_bahdanau_step_hidden(answer: Answer) -> None:
    """Bahdanau step, other cases: other sizes, one sentence, one word, mostly padding, float64, gradients"""
    other = {"embedding_size": 5, "hidden_size": 3, "encoder_size": 4, "attention_size": 2}
    _compare_step(answer, [7, 6, 1, 2], other, case="other sizes")
    _compare_step(answer, [6], SIZES, case="a batch of one sentence")
    _compare_step(answer, [1, 1], SIZES, case="sentences of one word")
    _compare_step(answer, [2, 1], SIZES, words=8, case="mostly padding")
    _compare_step(answer, LENGTHS, SIZES, torch.float64, case="float64")
    _compare_step_gradients(answer, case="gradients")


def _compare_first(
    answer: Answer,
    batch: int,
    encoder_size: int,
    hidden_size: int,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    sizes = {"encoder_size": encoder_size, "hidden_size": hidden_size}
    module, twin = twins(answer, FirstState, sizes, dtype, case)
    final = torch.randn(batch, encoder_size, generator=generator(f"first {case} {sizes}")).to(dtype)
    what = "first state"
    with torch.no_grad():
        expected = twin(final)
    compare_results(
        what,
        module,
        {"final": final},
        {what: expected},
        {what: {"batch": batch, "hidden_size": hidden_size}},
        lambda: {what: _first_mistakes(twin, final)},
        case=case,
    )


def _first_mistakes(twin: FirstState, final: Tensor) -> dict[str, Tensor]:
    ahead, back = final.chunk(2, dim=-1)
    halves = {
        "": back,
        "this is the forward half, →h_T; the paper starts from the backward half, ←h_1": ahead,
        "the features are split into even and odd ones; the halves lie one after the other": final[:, 1::2],
        "the two halves are added; only the backward one is used": ahead + back,
        "the two halves are averaged; only the backward one is used": (ahead + back) / 2,
        "the backward half is reversed": back.flip(-1),
        "the backward half of sentence 0 is used for every sentence": back[:1].expand_as(back),
        "the sentences are reversed": back.flip(0),
    }
    wrong = {}
    for why, half in halves.items():
        into, also = twin.layer(half), f"{why}, and " if why else ""
        wrong |= {
            f"{also}the tanh is missing": into,
            f"{also}there is a sigmoid in place of the tanh": into.sigmoid(),
            f"{also}there is a ReLU in place of the tanh": into.relu(),
            f"{also}the tanh is taken before W_s; it comes after it": twin.layer(half.tanh()),
            f"{also}the tanh is taken before W_s and after it": twin.layer(half.tanh()).tanh(),
            f"{also}the bias of W_s is left out": (into - twin.layer.bias).tanh(),
        }
        if why:
            wrong[why] = into.tanh()
    return wrong


def _compare_step(
    answer: Answer,
    lengths: list[int],
    sizes: dict[str, int],
    dtype: torch.dtype = torch.float32,
    words: int = 0,
    case: str = "",
) -> None:
    module, twin = twins(answer, BahdanauStep, sizes, dtype, case)
    inputs = _inputs(case, twin, lengths, sizes, dtype, words)
    with torch.no_grad():
        state, context, weights = twin(**inputs)
    batch = {"batch": len(lengths)}
    compare_results(
        "the step",
        module,
        inputs,
        {"weights": weights, "context": context, "new state": state},
        {
            "new state": batch | {"hidden_size": sizes["hidden_size"]},
            "context": batch | {"encoder_size": sizes["encoder_size"]},
            "weights": batch | {"source_len": weights.size(1)},
        },
        lambda: _step_mistakes(twin, **inputs),
        case=case,
    )


def _compare_step_gradients(answer: Answer, case: str = "") -> None:
    module, twin = twins(answer, BahdanauStep, SIZES, case="gradients")
    inputs = _inputs("gradients", twin, LENGTHS, SIZES)
    parameters = dict(module.named_parameters()), dict(twin.named_parameters())
    compare_gradients("the step", module, twin, inputs, parameters, case)


def _inputs(
    name: str,
    twin: BahdanauStep,
    lengths: list[int],
    sizes: dict[str, int],
    dtype: torch.dtype = torch.float32,
    words: int = 0,
) -> dict[str, Tensor]:
    draw, batch, words = generator(f"bahdanau {name}"), len(lengths), words or max(lengths)
    embedded, state, values = (
        torch.randn(shape, generator=draw).to(dtype)
        for shape in (
            (batch, sizes["embedding_size"]),
            (batch, sizes["hidden_size"]),
            (batch, words, sizes["encoder_size"]),
        )
    )
    return {
        "embedded": embedded,
        "state": state,
        "projected_keys": twin.project_keys(values).detach(),
        "values": values,
        "source_mask": torch.arange(words) < torch.tensor(lengths).unsqueeze(1),
    }


def _step_mistakes(
    step: BahdanauStep, embedded: Tensor, state: Tensor, projected_keys: Tensor, values: Tensor, source_mask: Tensor
) -> dict[str, dict[str, Tensor]]:
    def look(query: Tensor, mask: Tensor = source_mask) -> tuple[Tensor, Tensor]:
        return attend(step.scorer.score(query, projected_keys), values, mask)

    def move(word: Tensor, context: Tensor, before: Tensor = state) -> Tensor:
        return step.cell(torch.cat([word, context], dim=-1), before)

    scores = step.scorer.score(state, projected_keys)
    everywhere = torch.ones_like(source_mask)
    context, _ = look(state)
    moved, nowhere, silence = move(embedded, context), torch.zeros_like(context), torch.zeros_like(embedded)
    real = source_mask.unsqueeze(-1)
    averaged = (values * real).sum(1) / real.sum(1)
    without, plain = move(embedded, nowhere), move(embedded, averaged)
    queries = {
        "the query is s_i, the state after the step; Bahdanau et al. ask with s_{i-1}, the state before it": moved,
        "the query is the state after a cell that got no context; attention comes first, with s_{i-1}": without,
        "the query is the state after a cell that got the average of the values; attention comes first": plain,
        "the query is a state of zeros; it is s_{i-1}": torch.zeros_like(state),
        "the query is the state of sentence 0 in every sentence": state[:1].expand_as(state),
    }
    looked = {why: look(query) for why, query in queries.items()}
    unmasked = look(state, everywhere)
    looked["the mask is not used: padding takes part in the softmax"] = unmasked
    looked["the mask is turned round: True means a real token"] = look(state, ~source_mask)
    context_table = {why: pair[0] for why, pair in looked.items()} | {
        "the values are averaged over the real tokens; the weights are not used": averaged,
        "the values are averaged, padding and all; the weights are not used": values.mean(1),
        "this is the last encoder state, a fixed vector; the context is summed anew at every step": values[:, -1],
        "the scores are summed with, not the weights": (scores.masked_fill(~source_mask, 0).unsqueeze(-1) * values).sum(
            1
        ),
    }
    order = step.cell(torch.cat([context, embedded], dim=-1), state)
    return {
        "weights": {why: pair[1] for why, pair in looked.items()}
        | {
            "these are the scores: the softmax is missing": scores,
            "the softmax runs over the batch; it runs over the source words": scores.softmax(0),
            "the softmax runs over the batch; it runs over the source words of each sentence": scores.masked_fill(
                ~source_mask, torch.finfo(scores.dtype).min
            ).softmax(0),
            "the real words share the weight equally: the scores are not used": source_mask
            / source_mask.sum(-1, keepdim=True),
            "the mask comes after the softmax: the real tokens no longer share all of the 1": scores.softmax(-1)
            * source_mask,
        },
        "context": context_table,
        "new state": {
            "the cell gets the context first, then the word; the stub says in which order it takes them": order,
            "the context does not enter the cell: zeros stand in its place": without,
            "the previous word does not enter the cell: zeros stand in its place": move(silence, context),
            "s_{i-1} does not enter the cell: it starts from zeros at every step": move(
                embedded, context, torch.zeros_like(state)
            ),
            "this is s_{i-1} as it came: the cell is not used, or its result not returned": state,
            "the state before the step is added to the one after it; the cell's own gates do that": moved + state,
            "the cell runs twice": move(embedded, context, moved),
            "a tanh is around the cell's result: it has one inside": moved.tanh(),
            "the state of sentence 0 enters the cell of every sentence": move(
                embedded, context, state[:1].expand_as(state)
            ),
        }
        | {
            f"the cell gets another context than the one returned: {why}": move(embedded, c)
            for why, c in context_table.items()
        },
    }
