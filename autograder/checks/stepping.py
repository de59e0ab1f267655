"""Checks of the two ways to run a decoder word by word: on the true words, and on its own."""

from collections.abc import Callable

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
from seq2seq.plain_decoder import PlainDecoder
from seq2seq.stepwise import teacher_forced
from seq2seq.vocab import BOS, EOS, PAD

Function = Callable[..., Tensor]
Decoder = Callable[[int, int, int], PlainDecoder]

WHAT = "logits"


@check
def check_teacher_forced(answer: Function, decoder: Decoder) -> None:
    """teacher forcing: every step reads the true word before it and the state of the step before"""
    _compare(answer, decoder, batch=3, steps=5, vocab=7)
    _compare(answer, decoder, batch=2, steps=1, vocab=6, what="logits of one step")
    _compare_gradients(answer, decoder, batch=2, steps=4, vocab=6)


@check
def check_teacher_forced_hidden(answer: Function, decoder: Decoder) -> None:
    """teacher forcing, other cases: other sizes, one sentence, one step, as many steps as sentences, float64"""
    _compare(answer, decoder, batch=4, steps=9, vocab=12, case="other sizes")
    _compare(answer, decoder, batch=1, steps=6, vocab=8, case="a batch of one sentence")
    _compare(answer, decoder, batch=1, steps=1, vocab=8, case="one sentence, one step")
    _compare(answer, decoder, batch=4, steps=4, vocab=9, case="as many steps as sentences")
    _compare(answer, decoder, batch=2, steps=3, vocab=7, case="float64", dtype=torch.float64)
    _compare_gradients(answer, decoder, batch=3, steps=6, vocab=9, case="other sizes")


def twins(
    decoder: Decoder,
    weights: dict[str, Tensor],
    vocab: int,
    embedding: int,
    size: int,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> tuple[PlainDecoder, PlainDecoder]:
    """The given decoder as the answer meets it, and our own, with the same weights."""
    sizes = {"vocab_size": vocab, "embedding_size": embedding, "hidden_size": size}
    theirs = ask("PlainDecoder(…)", decoder, case=case, **sizes)
    ours = PlainDecoder(**sizes)
    if dtype == torch.float64:
        theirs.double()
        ours.double()
    for side in (theirs, ours):
        side.load_state_dict({name: value.to(dtype) for name, value in weights.items()})
    return theirs, ours


def draw_weights(name: str, vocab: int, embedding: int, size: int) -> dict[str, Tensor]:
    draw = generator(f"decoder {name}")
    shapes = {key: value.shape for key, value in PlainDecoder(vocab, embedding, size).state_dict().items()}
    return {key: torch.randn(shape, generator=draw) for key, shape in shapes.items()}


def _drawn(
    decoder: Decoder, name: str, batch: int, steps: int, vocab: int, dtype: torch.dtype, case: str
) -> tuple[PlainDecoder, PlainDecoder, Tensor, Tensor]:
    embedding, size = 3, 5
    theirs, ours = twins(decoder, draw_weights(name, vocab, embedding, size), vocab, embedding, size, dtype, case)
    draw = generator(f"forcing {name}")
    state = torch.randn(batch, size, generator=draw).to(dtype)
    words = torch.randint(EOS + 1, vocab, (batch, steps - 1), generator=draw)
    target_in = torch.cat([torch.full((batch, 1), BOS), words], dim=1)
    if batch > 1 and steps > 2:
        target_in[1, 2:] = PAD  # a shorter sentence
    return theirs, ours, target_in, state


def _compare(
    answer: Function,
    decoder: Decoder,
    batch: int,
    steps: int,
    vocab: int,
    what: str = WHAT,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    theirs, ours, target_in, state = _drawn(decoder, f"{what} {case}", batch, steps, vocab, dtype, case)
    asked = {"target_in": target_in.clone(), "state": state.clone()}
    with torch.no_grad():
        got = ask(what, answer, case=case, decoder=theirs, **asked)
        expect_tensor(what, got, like=state, case=case)
        shapes = {
            (steps, batch, vocab): "the steps are stacked in front; the batch comes first, the steps second",
            (batch, vocab): "this is one step; the logits of all of them are asked",
            (batch, steps - 1, vocab): "a step is missing: each word of `target_in` is read, <bos> too",
            (batch, steps + 1, vocab): "a step is one too many: each word of `target_in` is read once",
            (batch, steps, 5): "these are the states; the logits come out of the decoder's step beside them",
            (batch, steps): "these are ids, one for each step; the logits are asked",
            (batch, steps * vocab): "the steps stand side by side; they need an axis of their own",
            (batch * steps, vocab): "sentences and steps share an axis; each needs its own",
        }
        shapes.pop((batch, steps, vocab), None)
        expect_shape(what, got, shapes, case, batch=batch, target_len=steps, vocab_size=vocab)
        expect_finite(what, got, case=case)
        expected = teacher_forced(ours, target_in, state)
        expect_close(what, got, expected, mistakes=lambda: _mistakes(ours, target_in, state), case=case)
    expect_unchanged("target_in", asked["target_in"], target_in, case)
    expect_unchanged("state", asked["state"], state, case)


def _compare_gradients(answer: Function, decoder: Decoder, batch: int, steps: int, vocab: int, case: str = "") -> None:
    theirs, ours, target_in, state = _drawn(decoder, f"gradients {case}", batch, steps, vocab, torch.float32, case)
    state.requires_grad_()
    asked = state.detach().clone().requires_grad_()
    parameters = dict(theirs.named_parameters())
    pairs = {"state": (asked, state)} | {name: (parameters[name], own) for name, own in ours.named_parameters()}
    got = ask(WHAT, answer, case=case, decoder=theirs, target_in=target_in.clone(), state=asked)
    expect_gradients(WHAT, got, teacher_forced(ours, target_in, state), pairs, case)


def _mistakes(decoder: PlainDecoder, target_in: Tensor, state: Tensor) -> dict[str, Tensor]:
    right = teacher_forced(decoder, target_in, state)
    first = target_in[:, :1].expand_as(target_in)
    pad = torch.full_like(target_in[:, :1], PAD)
    return {
        "the decoder reads its own best word of the step before; here it has to read the true one": _free(
            decoder, target_in, state
        ),
        "every step begins from the first state: the state of the step before has to be handed on": torch.stack(
            [decoder.step(previous, state)[0] for previous in target_in.unbind(1)], dim=1
        ),
        "every step reads <bos>: step i reads word i of `target_in`": teacher_forced(decoder, first, state),
        "every step reads the word after: `target_in` is shifted already": teacher_forced(
            decoder, torch.cat([target_in[:, 1:], pad], dim=1), state
        ),
        "every step reads the word before that: `target_in` begins with <bos> already": teacher_forced(
            decoder, torch.cat([target_in[:, :1], target_in[:, :-1]], dim=1), state
        ),
        "the words are read from right to left": teacher_forced(decoder, target_in.flip(1), state),
        "the words are read from right to left, and the logits put back in order": teacher_forced(
            decoder, target_in.flip(1), state
        ).flip(1),
        "the first state is 0: `state` is what the decoder knows of the source": teacher_forced(
            decoder, target_in, torch.zeros_like(state)
        ),
        "every sentence begins from the state of the first": teacher_forced(
            decoder, target_in, state[:1].expand_as(state)
        ),
        "these are probabilities; the logits are asked, as they come from the step": right.softmax(-1),
        "these are logarithms of probabilities; the logits are asked, as they come from the step": right.log_softmax(
            -1
        ),
        "the steps are stacked in front and then reshaped, which shuffles them: stack along axis 1": right.transpose(
            0, 1
        ).reshape(right.shape),
        "the logits of the last step stand at every step": right[:, -1:].expand_as(right),
        "padding is left out: its logits are 0; the loss sees to padding": right * (target_in != PAD).unsqueeze(-1),
        "the cell takes two steps for each word": _twice(decoder, target_in, state),
    }


def _free(decoder: PlainDecoder, target_in: Tensor, state: Tensor) -> Tensor:
    logits, previous = [], target_in[:, 0]
    for _ in range(target_in.size(1)):
        step_logits, state = decoder.step(previous, state)
        logits.append(step_logits)
        previous = step_logits.argmax(-1)
    return torch.stack(logits, dim=1)


def _twice(decoder: PlainDecoder, target_in: Tensor, state: Tensor) -> Tensor:
    logits = []
    for previous in target_in.unbind(1):
        step_logits, state = decoder.step(previous, decoder.step(previous, state)[1])
        logits.append(step_logits)
    return torch.stack(logits, dim=1)
