"""Checks of the decoder that is handed its context: its first state, and one step."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.pairs import expect_pair
from autograder.checks.twins import twins
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
from seq2seq.assembly import ContextDecoder

Answer = Callable[..., Any]

# State and half of the encoder's size are equal first: there a layer that is handed the wrong vector still runs.
EQUAL = {"vocab_size": 9, "embedding_size": 6, "hidden_size": 6, "encoder_size": 12}
UNEQUAL = {"vocab_size": 9, "embedding_size": 5, "hidden_size": 4, "encoder_size": 6}
OTHERS = {"vocab_size": 7, "embedding_size": 3, "hidden_size": 8, "encoder_size": 10}


@check
def check_context_decoder(answer: Answer) -> None:
    """decoder: the first state from the backward half; a step reads word, context and state, and gives logits"""
    _compare(answer, EQUAL, 2)
    _compare(answer, UNEQUAL, 3)
    _compare_gradients(answer, UNEQUAL)


@check
def check_context_decoder_hidden(answer: Answer) -> None:
    """decoder, other cases: one sentence, other sizes, float64, gradients"""
    _compare(answer, UNEQUAL, 1, case="a batch of one sentence")
    _compare(answer, OTHERS, 4, case="other sizes")
    _compare(answer, OTHERS, 2, dtype=torch.float64, case="float64")
    _compare_gradients(answer, OTHERS, case="gradients")


def _compare(
    answer: Answer, sizes: dict[str, int], batch: int, dtype: torch.dtype = torch.float32, case: str = ""
) -> None:
    module, twin = twins(answer, ContextDecoder, sizes, dtype, case)
    final, previous, state, context = _draw(sizes, batch, dtype, case)
    with torch.no_grad():
        given = final.clone()
        first = ask("the first state", module.start, case=case, final=given)
        _expect_first(first, twin, final, case)
        expect_unchanged("final", given, final, case)
        named = {"previous": previous.clone(), "state": state.clone(), "context": context.clone()}
        got = ask("logits and state", module.step, case=case, **named)
        logits, after = expect_pair("(logits, state)", got, case)
        expected = dict(zip(("state", "logits"), reversed(twin.step(previous, state, context)), strict=True))
        tables = _step_mistakes(twin, previous, state, context)
        for what, one in (("state", after), ("logits", logits)):
            size = expected[what].size(1)
            shapes = {
                (batch, sizes["hidden_size"]): "this is the state; the pair is (logits, state), in this order",
                (batch, sizes["vocab_size"]): "these are the logits; the pair is (logits, state), in this order",
                (1, batch, size): "one word is read, not a sequence: there is no axis of steps or layers",
                (batch, 1, size): "one word is read, not a sequence: there is no axis of steps",
                (batch,): "these may be the chosen words; a search will choose among the logits of all words",
            }
            shapes.pop((batch, size), None)
            expect_tensor(what, one, like=expected[what], case=case)
            expect_shape(what, one, shapes, case, batch=batch, **{_size_name(what): size})
            expect_finite(what, one, case=case)
            expect_close(what, one, expected[what], mistakes=lambda what=what: tables[what], case=case)
    for name, before in (("previous", previous), ("state", state), ("context", context)):
        expect_unchanged(name, named[name], before, case)


def _size_name(what: str) -> str:
    return "vocab_size" if what == "logits" else "hidden_size"


def _expect_first(first: object, twin: ContextDecoder, final: Tensor, case: str) -> None:
    what, expected = "the first state", twin.start(final)
    half = final.size(1) // 2
    backward = final[:, half:]
    expect_tensor(what, first, like=final, case=case)
    batch, size = expected.shape
    shapes = {(1, batch, size): "the axis of layers is one too many: the cell takes (batch, hidden_size)"}
    expect_shape(what, first, shapes, case, batch=batch, hidden_size=size)
    expect_finite(what, first, case=case)

    def mistakes() -> dict[str, Tensor]:
        bridge = twin.bridge
        wrong = {
            "this is made of the forward half; $s_0$ comes from the backward one, which has just read word 1": bridge(
                final[:, :half]
            ).tanh(),
            "the tanh is missing": bridge(backward),
            "there is a sigmoid in place of the tanh": bridge(backward).sigmoid(),
            "there is a ReLU in place of the tanh": bridge(backward).relu(),
            "every second number is taken; the backward half is the second half": bridge(final[:, 1::2]).tanh(),
            "every second number is taken; the backward half is the second half, not the even places": bridge(
                final[:, ::2]
            ).tanh(),
            "the two halves are averaged; only the backward one is asked for": bridge(
                (final[:, :half] + backward) / 2
            ).tanh(),
            "the two halves are added; only the backward one is asked for": bridge(final[:, :half] + backward).tanh(),
            "the decoder starts from nothing: it gets no word of what the encoder has read": torch.zeros_like(expected),
            "the bias of the bridge is left out": (backward @ bridge.weight.T).tanh(),
            "the tanh comes before the bridge; it belongs around it": bridge(backward.tanh()),
        }
        if half == size:
            wrong["the bridge is not used"] = backward
            wrong["the bridge is not used, only the tanh"] = backward.tanh()
        return wrong

    expect_close(what, first, expected, mistakes=mistakes, case=case)


def _step_mistakes(
    twin: ContextDecoder, previous: Tensor, state: Tensor, context: Tensor
) -> dict[str, dict[str, Tensor]]:
    word, none = twin.embedding(previous), torch.zeros_like
    cell, output, readout = twin.cell, twin.output_layer, twin.readout

    def joined(*parts: Tensor) -> Tensor:
        return torch.cat(parts, dim=-1)

    after = cell(joined(word, context), state)
    logits = output(readout(after, word, context))
    inputs = {
        "context and word are exchanged in what the cell reads: $[E y; c]$, the word first": joined(context, word),
        "the cell does not read the context: attention would reach the word, but never the state": joined(
            word, none(context)
        ),
        "the cell does not read the previous word; the context stands beside it, not in its place": joined(
            none(word), context
        ),
    }
    states = {why: cell(given, state) for why, given in inputs.items()} | {
        "this is the state as it came: the cell's new one is to be returned": state,
        "the cell starts from zeros at every step: the state that came in is not used": cell(joined(word, context)),
        "the state that came in is added once more; the GRU has seen to that": after + state,
        "there is one more tanh around the state": after.tanh(),
        "the cell runs twice": cell(joined(word, context), after),
    }
    wrong = {
        "the readout is made of the state before the step; the word that is to come hangs on the new one": output(
            readout(state, word, context)
        ),
        "a softmax is applied: logits are raw, loss and search do the rest": logits.softmax(-1),
        "a log-softmax is applied: logits are raw, loss and search do the rest": logits.log_softmax(-1),
        "there is one more tanh in front of the output layer; the readout takes maxima already": output(
            readout(after, word, context).tanh()
        ),
        "the readout does not get the context": output(readout(after, word, none(context))),
        "the readout does not get the previous word": output(readout(after, none(word), context)),
        "the readout does not get the state": output(readout(none(after), word, context)),
        "context and word are exchanged in the readout: (state, embedded, context)": output(
            readout(after, context, word)
        ),
        "the readout gets its parts in another order than (state, embedded, context)": output(
            readout(word, after, context)
        ),
        "the readout gets its parts in reverse order; it is (state, embedded, context)": output(
            readout(context, word, after)
        ),
        "a tanh is around the logits": logits.tanh(),
        "a ReLU is around the logits": logits.relu(),
        "the bias of the output layer is left out": logits - output.bias,
    }
    return {"state": states, "logits": wrong}


def _compare_gradients(answer: Answer, sizes: dict[str, int], case: str = "") -> None:
    module, twin = twins(answer, ContextDecoder, sizes, case=case)
    final, previous, state, context = _draw(sizes, 2, torch.float32, f"gradients {case}")
    own = final.requires_grad_(), state.requires_grad_(), context.requires_grad_()
    given = [tensor.detach().clone().requires_grad_() for tensor in own]
    theirs, ours = (dict(side.named_parameters()) for side in (module, twin))
    weights = {name: (theirs[name], ours[name]) for name in ours}
    first = ask("the first state", module.start, case=case, final=given[0])
    bridge = {name: pair for name, pair in weights.items() if name.startswith("bridge")}
    expect_gradients("the first state", first, twin.start(own[0]), {"final": (given[0], own[0]), **bridge}, case)
    named = {"previous": previous.clone(), "state": given[1], "context": given[2]}
    logits, after = expect_pair("(logits, state)", ask("logits and state", module.step, case=case, **named), case)
    expected_logits, expected_after = twin.step(previous, own[1], own[2])
    inputs = {"state": (given[1], own[1]), "context": (given[2], own[2])}
    expect_gradients("state", after, expected_after, inputs, case)
    rest = {name: pair for name, pair in weights.items() if name not in bridge}
    expect_gradients("logits", logits, expected_logits, inputs | rest, case)


def _draw(sizes: dict[str, int], batch: int, dtype: torch.dtype, name: str) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    draw = generator(f"context decoder {name} {batch} {sizes}")
    final = torch.randn(batch, sizes["encoder_size"], generator=draw).to(dtype)
    previous = torch.randint(4, sizes["vocab_size"], (batch,), generator=draw)
    state = torch.randn(batch, sizes["hidden_size"], generator=draw).tanh().to(dtype)
    return final, previous, state, torch.randn(batch, sizes["encoder_size"], generator=draw).to(dtype)
