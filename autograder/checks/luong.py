"""Checks of one step of the Luong decoder, without and with input feeding."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.attentional import attentional_mistakes
from autograder.checks.results import compare_gradients, compare_results
from autograder.checks.twins import twins
from autograder.expect import check, generator
from seq2seq.attention import attend
from seq2seq.decoders.plain_luong import InputFeedingStep, LuongStep

Answer = Callable[..., Any]
Table = dict[str, Tensor]

LENGTHS = [5, 3, 2]
SIZES = {"embedding_size": 2, "hidden_size": 4, "encoder_size": 6}
OTHER = {"embedding_size": 5, "hidden_size": 3, "encoder_size": 4}


@check
def check_luong_step(answer: Answer) -> None:
    """Luong step: the cell first, then attention with the new state, then the attentional state"""
    _compare_step(answer, LuongStep, LENGTHS, SIZES)
    _compare_step_gradients(answer, LuongStep)


@check
def check_luong_step_hidden(answer: Answer) -> None:
    """Luong step, other cases: other sizes, one sentence, one word, mostly padding, float64, gradients"""
    _compare_step_cases(answer, LuongStep)


@check
def check_input_feeding_step(answer: Answer) -> None:
    """input feeding: the word and the last attentional state enter the cell, and the state is kept beside them"""
    _compare_step(answer, InputFeedingStep, LENGTHS, SIZES)
    _compare_step_gradients(answer, InputFeedingStep)


@check
def check_input_feeding_step_hidden(answer: Answer) -> None:
    """input feeding, other cases: other sizes, one sentence, one word, mostly padding, float64, gradients"""
    _compare_step_cases(answer, InputFeedingStep)


def _compare_step_cases(answer: Answer, kind: type[LuongStep] | type[InputFeedingStep]) -> None:
    _compare_step(answer, kind, [7, 6, 1, 2], OTHER, case="other sizes")
    _compare_step(answer, kind, [6], SIZES, case="a batch of one sentence")
    _compare_step(answer, kind, [1, 1], SIZES, case="sentences of one word")
    _compare_step(answer, kind, [2, 1], SIZES, words=8, case="mostly padding")
    _compare_step(answer, kind, LENGTHS, SIZES, torch.float64, case="float64")
    _compare_step_gradients(answer, kind, case="gradients")


def _compare_step(
    answer: Answer,
    kind: type[LuongStep] | type[InputFeedingStep],
    lengths: list[int],
    sizes: dict[str, int],
    dtype: torch.dtype = torch.float32,
    words: int = 0,
    case: str = "",
) -> None:
    module, twin = twins(answer, kind, sizes, dtype, case)
    inputs = _inputs(case, twin, lengths, sizes, dtype, words)
    with torch.no_grad():
        attentional, weights, state = twin(**inputs)
    batch = {"batch": len(lengths)}
    compare_results(
        "the step",
        module,
        inputs,
        {"new state": state, "weights": weights, "attentional state": attentional},
        {
            "attentional state": batch | {"hidden_size": sizes["hidden_size"]},
            "weights": batch | {"source_len": weights.size(1)},
            "new state": batch | {"hidden_size": sizes["hidden_size"]},
        },
        lambda: _step_mistakes(twin, **inputs),
        case=case,
    )


def _compare_step_gradients(answer: Answer, kind: type[LuongStep] | type[InputFeedingStep], case: str = "") -> None:
    module, twin = twins(answer, kind, SIZES, case="gradients")
    parameters = dict(module.named_parameters()), dict(twin.named_parameters())
    compare_gradients("the step", module, twin, _inputs("gradients", twin, LENGTHS, SIZES), parameters, case)


def _inputs(
    name: str,
    twin: LuongStep | InputFeedingStep,
    lengths: list[int],
    sizes: dict[str, int],
    dtype: torch.dtype = torch.float32,
    words: int = 0,
) -> dict[str, Tensor]:
    draw, batch, words = generator(f"luong {name}"), len(lengths), words or max(lengths)
    embedded, fed, state, values = (
        torch.randn(shape, generator=draw).to(dtype)
        for shape in (
            (batch, sizes["embedding_size"]),
            (batch, sizes["hidden_size"]),
            (batch, sizes["hidden_size"]),
            (batch, words, sizes["encoder_size"]),
        )
    )
    inputs = {"embedded": embedded, "fed": fed, "state": state}
    if isinstance(twin, LuongStep):
        del inputs["fed"]
    return inputs | {
        "projected_keys": twin.project_keys(values).detach(),
        "values": values,
        "source_mask": torch.arange(words) < torch.tensor(lengths).unsqueeze(1),
    }


def _step_mistakes(
    step: LuongStep | InputFeedingStep,
    embedded: Tensor,
    state: Tensor,
    projected_keys: Tensor,
    values: Tensor,
    source_mask: Tensor,
    fed: Tensor | None = None,
) -> dict[str, Table]:
    entering = embedded if fed is None else torch.cat([embedded, fed], dim=-1)
    hidden = step.cell(entering, state)
    right, weights, _ = step(
        **({} if fed is None else {"fed": fed}),
        embedded=embedded,
        state=state,
        projected_keys=projected_keys,
        values=values,
        source_mask=source_mask,
    )

    def look(query: Tensor, mask: Tensor = source_mask) -> tuple[Tensor, Tensor]:
        return attend(step.scorer.score(query, projected_keys), values, mask)

    scores = step.scorer.score(hidden, projected_keys)
    lowest = torch.finfo(scores.dtype).min
    looked = {
        "the query is h_{t-1}, the state before the step; Luong et al. ask with h_t, the state after it": look(state),
        "the query is the state of sentence 0 in every sentence": look(hidden[:1].expand_as(hidden)),
        "the mask is not used: padding takes part in the softmax": look(hidden, torch.ones_like(source_mask)),
        "the mask is turned round: True means a real token": look(hidden, ~source_mask),
    }
    if fed is not None:
        looked["the query is the attentional state that was fed; it is h_t"] = look(fed)
    masked = scores.masked_fill(~source_mask, lowest)
    real = source_mask.unsqueeze(-1)
    contexts = {why: pair[0] for why, pair in looked.items()} | {
        "the values are averaged over the real tokens; the weights are not used": (values * real).sum(1) / real.sum(1),
        "the values are averaged, padding and all; the weights are not used": values.mean(1),
    }
    layer, context = step.attentional_layer, look(hidden)[0]
    attentional = attentional_mistakes(layer, context, hidden) | {
        "h_{t-1} enters W_c; it is h_t": layer(torch.cat([context, state], dim=-1)).tanh(),
    }
    if fed is not None:
        attentional["what was fed enters W_c; it is h_t"] = layer(torch.cat([context, fed], dim=-1)).tanh()
    attentional |= {
        f"another context enters than that of the weights: {why}": layer(torch.cat([other, hidden], dim=-1)).tanh()
        for why, other in contexts.items()
    }
    return {
        "new state": _state_mistakes(step, embedded, fed, state, hidden, right),
        "weights": {why: pair[1] for why, pair in looked.items()}
        | {
            "these are the scores: the softmax is missing": scores,
            "the softmax runs over the batch; it runs over the source words": scores.softmax(0),
            "the softmax runs over the batch; it runs over the source words of each sentence": masked.softmax(0),
            "the real words share the weight equally: the scores are not used": source_mask
            / source_mask.sum(-1, keepdim=True),
            "the mask comes after the softmax: the real tokens no longer share all of the 1": scores.softmax(-1)
            * source_mask,
            "the softmax is applied twice": weights.masked_fill(~source_mask, lowest).softmax(-1),
        },
        "attentional state": attentional,
    }


def _state_mistakes(
    step: LuongStep | InputFeedingStep,
    embedded: Tensor,
    fed: Tensor | None,
    state: Tensor,
    hidden: Tensor,
    right: Tensor,
) -> Table:
    zeros, silence = torch.zeros_like(state), torch.zeros_like(embedded)

    def move(word: Tensor, given: Tensor | None, before: Tensor = state) -> Tensor:
        return step.cell(word if given is None else torch.cat([word, given], dim=-1), before)

    wrong = {
        "this is the attentional state: h_t is kept beside it, and goes to the next step as it is": right,
        "this is h_{t-1} as it came: the cell is not used, or its result not returned": state,
        "h_{t-1} does not enter the cell: it starts from zeros at every step": move(embedded, fed, zeros),
        "the previous word does not enter the cell: zeros stand in its place": move(silence, fed),
        "the cell runs twice": move(embedded, fed, hidden),
        "the state before the step is added to the one after it; the cell's own gates do that": hidden + state,
        "a tanh is around the cell's result: it has one inside": hidden.tanh(),
        "the state of sentence 0 enters the cell of every sentence": move(embedded, fed, state[:1].expand_as(state)),
    }
    if fed is not None:
        wrong |= {
            "what is fed does not enter the cell: zeros stand in its place": move(embedded, zeros),
            "h_{t-1} is fed in place of the last attentional state": move(embedded, state),
            "what is fed takes the place of h_{t-1}: it enters beside the word, and the state is kept": move(
                embedded, fed, fed
            ),
            "what is fed takes the place of h_{t-1}, and zeros enter beside the word": move(embedded, zeros, fed),
            "fed and h_{t-1} are exchanged: fed enters beside the word, h_{t-1} is the cell's state": move(
                embedded, state, fed
            ),
            "the cell gets what is fed first, then the word; the stub says in which order it takes them": step.cell(
                torch.cat([fed, embedded], dim=-1), state
            ),
            "what is fed is added to the state; it enters beside the word": move(embedded, fed, state + fed),
            "what is fed is added to the state, and zeros enter beside the word": move(embedded, zeros, state + fed),
        }
    return wrong
