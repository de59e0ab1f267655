"""Checks of the loops over a target: tried on steps that are given, so that no earlier answer is judged again."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from autograder.checks.results import Axes, Shapes, compare_gradients, compare_results
from autograder.checks.twins import twins
from autograder.expect import CheckFailed, check, generator
from autograder.wording import labelled
from seq2seq.decoders.plain_bahdanau import unroll
from seq2seq.decoders.plain_luong import unroll_feeding
from seq2seq.decoders.rehearsal_step import FeedingRehearsalStep, RehearsalStep

Function = Callable[..., Any]

SIZES = {"embedding_size": 2, "hidden_size": 4, "encoder_size": 6}
LENGTHS = [5, 3, 2]
STEPS = 7


@check
def check_unroll(answer: Function, step: Function) -> None:
    """unroll: every step from the state before it, with its own word; the keys projected once"""
    _compare(answer, step, RehearsalStep, LENGTHS, STEPS)


@check
def check_unroll_hidden(answer: Function, step: Function) -> None:
    """unroll, other cases: one sentence, one step, mostly padding, float64, gradients"""
    _compare_cases(answer, step, RehearsalStep)


@check
def check_unroll_feeding(answer: Function, step: Function) -> None:
    """unroll with input feeding: each step gets the attentional state of the one before it, the first gets zeros"""
    _compare(answer, step, FeedingRehearsalStep, LENGTHS, STEPS)


@check
def check_unroll_feeding_hidden(answer: Function, step: Function) -> None:
    """unroll with input feeding, other cases: one sentence, one step, mostly padding, float64, gradients"""
    _compare_cases(answer, step, FeedingRehearsalStep)


def _compare_cases(answer: Function, step: Function, kind: type[RehearsalStep]) -> None:
    _compare(answer, step, kind, [6], 4, case="a batch of one sentence")
    _compare(answer, step, kind, LENGTHS, 1, case="a target of one word")
    _compare(answer, step, kind, [1, 2], 3, words=8, case="mostly padding")
    _compare(answer, step, kind, LENGTHS, STEPS, torch.float64, case="float64")
    module, twin = twins(step, kind, SIZES, case="gradients")
    inputs = _inputs("gradients", LENGTHS, STEPS)
    compare_gradients(
        "unroll",
        lambda *given: answer(module, *given),
        lambda *given: _reference(kind)(twin, *given),
        inputs,
        (dict(module.named_parameters()), dict(twin.named_parameters())),
        case="gradients",
    )


def _compare(
    answer: Function,
    step: Function,
    kind: type[RehearsalStep],
    lengths: list[int],
    steps: int,
    dtype: torch.dtype = torch.float32,
    words: int = 0,
    case: str = "",
) -> None:
    module, twin = twins(step, kind, SIZES, dtype, case)
    inputs = _inputs(case, lengths, steps, dtype, words)
    before = float(module.projections)
    with torch.no_grad():
        expected = _named(kind, _reference(kind)(twin, **inputs))
    axes, shapes = _axes(kind, len(lengths), steps, inputs["values"].size(1))
    compare_results(
        "unroll",
        lambda *given: answer(module, *given),
        inputs,
        expected,
        axes,
        lambda: _mistakes(kind, twin, inputs),
        shapes,
        case,
        lambda: _expect_one_projection(round(float(module.projections) - before), case),
    )


def _expect_one_projection(times: int, case: str) -> None:
    if times != 1:
        why = (
            "the keys do not change from step to step: `step.project_keys` runs before the first step, and never again"
        )
        raise CheckFailed(labelled("projection of the keys", case), f"{times} times", "once per sentence", why)


def _reference(kind: type[RehearsalStep]) -> Callable[..., tuple[Tensor, ...]]:
    return unroll if kind is RehearsalStep else unroll_feeding


def _named(kind: type[RehearsalStep], results: tuple[Tensor, ...]) -> dict[str, Tensor]:
    names = ("states", "contexts", "weights") if kind is RehearsalStep else ("attentional states", "weights")
    return dict(zip(names, results, strict=True))


def _axes(kind: type[RehearsalStep], batch: int, steps: int, words: int) -> tuple[Axes, Shapes]:
    last = {
        "states": ("hidden_size", SIZES["hidden_size"]),
        "contexts": ("encoder_size", SIZES["encoder_size"]),
        "weights": ("source_len", words),
        "attentional states": ("hidden_size", SIZES["hidden_size"]),
    }
    names = ("states", "contexts", "weights") if kind is RehearsalStep else ("attentional states", "weights")
    axes = {name: {"batch": batch, "target_len": steps, last[name][0]: last[name][1]} for name in names}
    shapes: dict[str, dict[tuple[int, ...], str]] = {}
    for name in names:
        size = last[name][1]
        shapes[name] = {
            (steps, batch, size): "the steps came to lie on axis 0; batch comes first: stack them on axis 1",
            (batch, size): "this is one step; every step of the target is asked for",
            (batch, steps * size): "the steps are joined on the last axis; they get an axis of their own",
            (batch * steps, size): "the steps are joined on the axis of the batch; they get an axis of their own",
            (batch, size, steps): "the steps came to lie on the last axis; they belong on axis 1",
            (batch, steps + 1, size): "one step too many: is the state before the first step among them?",
            (batch, steps - 1, size): "one step is missing: every previous word has a step, BOS too",
        }
        shapes[name].pop((batch, steps, size), None)
    return axes, shapes


def _inputs(
    name: str, lengths: list[int], steps: int, dtype: torch.dtype = torch.float32, words: int = 0
) -> dict[str, Tensor]:
    draw, batch, words = generator(f"unrolling {name}"), len(lengths), words or max(lengths)
    embedded, state, values = (
        torch.randn(shape, generator=draw).to(dtype)
        for shape in (
            (batch, steps, SIZES["embedding_size"]),
            (batch, SIZES["hidden_size"]),
            (batch, words, SIZES["encoder_size"]),
        )
    )
    mask = torch.arange(words) < torch.tensor(lengths).unsqueeze(1)
    return {"embedded": embedded, "state": state, "values": values, "source_mask": mask}


def _mistakes(kind: type[RehearsalStep], step: nn.Module, inputs: dict[str, Tensor]) -> dict[str, dict[str, Tensor]]:
    """Each mistake as a run of its own, that is as a value for every result."""
    embedded, state, mask = inputs["embedded"], inputs["state"], inputs["source_mask"]
    zeros = torch.zeros_like(state)

    def again(**changed: Tensor) -> tuple[Tensor, ...]:
        return _reference(kind)(step, **(inputs | changed))

    def stacked(one_step: Callable[[Tensor], tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
        parts = zip(*(one_step(word) for word in embedded.unbind(1)), strict=True)
        return tuple(torch.stack(part, 1) for part in parts)

    right = again()
    runs = {
        "every step gets the first word; step i gets word i": again(embedded=embedded[:, :1].expand_as(embedded)),
        "the words run from last to first": again(embedded=embedded.flip(1)),
        "the words are one place early: the first step gets the second word": again(embedded=embedded.roll(-1, 1)),
        "the words are one place late: the first step gets the last word": again(embedded=embedded.roll(1, 1)),
        "the first state is not used: the loop starts from zeros": again(state=zeros),
        "the mask is not used: padding gets weight": again(source_mask=torch.ones_like(mask)),
        "the mask is turned round: True means a real token": again(source_mask=~mask),
        "the steps came out from last to first": tuple(part.flip(1) for part in right),
        "only the first step is filled in": tuple(_kept(part, slice(0, 1)) for part in right),
        "only the last step is filled in": tuple(_kept(part, slice(-1, None)) for part in right),
        "the last step is returned in every place": tuple(part[:, -1:].expand_as(part) for part in right),
        "the steps are one place late: what stands first is from before the first step": tuple(
            torch.cat([first.unsqueeze(1), part[:, :-1]], 1)
            for part, first in zip(
                right, (state if kind is RehearsalStep else zeros, *(p[:, 0] * 0 for p in right[1:])), strict=True
            )
        ),
    }
    keys, values = step.project_keys(inputs["values"]), inputs["values"]
    if kind is RehearsalStep:
        runs["every step starts from the first state: hand the new state on to the next step"] = stacked(
            lambda word: step(word, state, keys, values, mask)
        )
    else:
        runs |= {why: _fed(step, inputs, keys, **how) for why, how in FEEDING.items()}
    named = [(why, _named(kind, run)) for why, run in runs.items()]
    return {name: {why: run[name] for why, run in named} for name in named[0][1]}


FEEDING: dict[str, dict[str, str]] = {
    "every step is fed zeros: that is only right at the first; hand the attentional state on": {"feed": "zeros"},
    "the recurrent state is fed in place of the attentional state": {"feed": "state"},
    "the attentional state takes the place of the recurrent state: both are handed on": {"state": "fed"},
    "every step starts from the first state: hand the new state on to the next step": {"state": "first"},
    "the first step is fed the first state; before the first step there is no attentional state, so it gets zeros": {
        "first": "state"
    },
    "the first step is fed ones; it gets zeros": {"first": "ones"},
    "the recurrent states are returned in place of the attentional ones": {"returned": "state"},
    "every step is fed the attentional state of the first step: hand on that of the last one": {"feed": "first"},
    "fed and state are exchanged when the step is called": {"call": "exchanged"},
    "first and last of the results are exchanged: a step returns (attentional state, weights, new state)": {
        "feed": "state",
        "state": "fed",
        "returned": "state",
    },
}


def _fed(
    step: nn.Module,
    inputs: dict[str, Tensor],
    keys: Tensor,
    feed: str = "",
    state: str = "",
    first: str = "",
    returned: str = "",
    call: str = "",
) -> tuple[Tensor, ...]:
    """The loop of input feeding with one thing done otherwise."""
    start = hidden = inputs["state"]
    zeros = torch.zeros_like(start)
    fed = {"": zeros, "state": start, "ones": torch.ones_like(start)}[first]
    kept, weights, one = [], [], None
    for word in inputs["embedded"].unbind(1):
        pair = (hidden, fed) if call else (fed, hidden)
        attentional, step_weights, new = step(word, *pair, keys, inputs["values"], inputs["source_mask"])
        one = attentional if one is None else one
        fed = {"": attentional, "zeros": zeros, "state": new, "first": one}[feed]
        hidden = {"": new, "fed": attentional, "first": start}[state]
        kept.append(new if returned else attentional)
        weights.append(step_weights)
    return torch.stack(kept, 1), torch.stack(weights, 1)


def _kept(part: Tensor, where: slice) -> Tensor:
    some = torch.zeros_like(part)
    some[:, where] = part[:, where]
    return some
