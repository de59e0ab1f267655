"""Checks of the encoder that reads a padded batch from both ends."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.pairs import expect_pair
from autograder.checks.twins import twins
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
from autograder.wording import labelled
from seq2seq.encoders import Encoder, reverse_within_length

Answer = Callable[..., Any]

WORDS, EMBEDDING, HALF = 11, 4, 3
SIZES = {"vocab_size": WORDS, "embedding_size": EMBEDDING, "hidden_size": HALF}


@check
def check_encoder(answer: Answer) -> None:
    """encoder: a state of both directions for each word, the final states of both; padding changes nothing"""
    _compare(answer, [5, 3, 1, 4])
    _compare(answer, [4, 4], longest=5)
    _compare_gradients(answer, [5, 2])


@check
def check_encoder_hidden(answer: Answer) -> None:
    """encoder, other cases: one sentence, sentences of one word, more padding, other sizes, float64"""
    _compare(answer, [6], case="a batch of one sentence")
    _compare(answer, [1, 1, 1], case="sentences of one word")
    _compare(answer, [2, 3, 1], longest=9, case="columns of nothing but padding")
    _compare(answer, [2, 5, 7], sizes={"vocab_size": 8, "embedding_size": 3, "hidden_size": 5}, case="other sizes")
    _compare(answer, [3, 6, 2], dtype=torch.float64, case="float64")
    _compare_gradients(answer, [2, 5, 3], case="gradients")


def _compare(
    answer: Answer,
    lengths: list[int],
    longest: int = 0,
    sizes: dict[str, int] = SIZES,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    module, twin = twins(answer, Encoder, sizes, dtype, case)
    source, counts = _draw(lengths, longest or max(lengths), sizes["vocab_size"], case)
    given = {"source": source.clone(), "source_lengths": counts.clone()}
    with torch.no_grad():
        states, final = expect_pair("(states, final)", ask("states and final", module, case=case, **given), case)
        expected_states, expected_final = twin(source, counts)
        _expect_states(states, expected_states, twin, source, counts, case)
        _expect_final(final, expected_final, twin, source, counts, case)
    expect_unchanged("source", given["source"], source, case)
    expect_unchanged("source_lengths", given["source_lengths"], counts, case)


def _expect_states(states: Tensor, expected: Tensor, twin: Encoder, source: Tensor, lengths: Tensor, case: str) -> None:
    what, (batch, count, size) = "states", expected.shape
    shapes = {
        (batch, count, size // 2): "there is one direction only: the states of both stand side by side",
        (count, batch, size): "the batch comes first",
        (batch, count, 2, size // 2): "the two directions belong side by side in one axis",
        (batch, int(lengths.max()), size): "the columns of padding are gone: as many states as the source has columns",
        (batch, size): "these are final states; every word has a state of its own",
    }
    shapes.pop((batch, count, size), None)
    expect_tensor(what, states, like=expected, case=case)
    expect_shape(what, states, shapes, case, batch=batch, source_len=count, state_size=size)
    expect_finite(what, states, case=case)

    def properties() -> None:
        real = torch.arange(count) < lengths.unsqueeze(1)
        if same(states * real.unsqueeze(-1), expected):
            why = "a state at padding is no state of a word; set it to 0, so that no one takes it for one"
            raise CheckFailed(labelled(what, case), "the padding has states other than 0", "0 there", why)

    expect_close(
        what,
        states,
        expected,
        mistakes=lambda: _state_mistakes(twin, source, lengths),
        properties=properties,
        case=case,
    )


def _state_mistakes(twin: Encoder, source: Tensor, lengths: Tensor) -> dict[str, Tensor]:
    embedded = twin.embedding(source)
    real = (torch.arange(source.size(1)) < lengths.unsqueeze(1)).unsqueeze(-1)
    turned = reverse_within_length(embedded, lengths)
    forward, _ = twin.forward_rnn(embedded)
    raw, _ = twin.backward_rnn(turned)
    backward = reverse_within_length(raw, lengths)
    whole = twin.backward_rnn(embedded.flip(1))[0].flip(1)
    same_layer = reverse_within_length(twin.forward_rnn(turned)[0], lengths)
    wrong = {
        "the backward direction begins in the padding: a whole row is reversed, so shorter sentences start with "
        "<pad>; reverse each within its own length": (forward, whole),
        "the backward states are left in reading order, from last word to first; turn them back, so that both halves "
        "of a state belong to one word": (forward, raw),
        "both directions read from first to last: the backward layer needs its sentence reversed": (
            forward,
            twin.backward_rnn(embedded)[0],
        ),
        "the halves are exchanged: forward first": (backward, forward),
        "the backward direction goes through the forward layer; each has weights of its own": (forward, same_layer),
        "the backward states are turned over the whole row, padding too": (forward, raw.flip(1)),
    }
    tables = {why: torch.cat(pair, -1) for why, pair in wrong.items()}
    return {why: value * real for why, value in tables.items()} | {
        f"{why}; and the padding has states": value for why, value in tables.items()
    }


def _expect_final(final: Tensor, expected: Tensor, twin: Encoder, source: Tensor, lengths: Tensor, case: str) -> None:
    what, (batch, size) = "final", expected.shape
    shapes = {
        (batch, size // 2): "there is one direction only: the final states of both stand side by side",
        (1, batch, size): "the axis of layers, which PyTorch puts first, is still there",
        (2, batch, size // 2): "the two directions belong side by side in one axis, the batch first",
        (batch, source.size(1), size): "these are the states of all words; final is one for each sentence",
    }
    shapes.pop((batch, size), None)
    expect_tensor(what, final, like=expected, case=case)
    expect_shape(what, final, shapes, case, batch=batch, state_size=size)
    expect_finite(what, final, case=case)
    expect_close(what, final, expected, mistakes=lambda: _final_mistakes(twin, source, lengths), case=case)


def _final_mistakes(twin: Encoder, source: Tensor, lengths: Tensor) -> dict[str, Tensor]:
    states, right = twin(source, lengths)
    rows, half = torch.arange(len(source)), right.size(1) // 2
    last = states[rows, lengths - 1]
    unmasked = twin.forward_rnn(twin.embedding(source))[0][:, -1]
    whole = twin.backward_rnn(twin.embedding(source).flip(1))[0][:, -1]
    forward, backward = right[:, :half], right[:, half:]
    late = "the forward half comes from the last column, which is padding for shorter sentences"
    return {
        "the backward half is its state at the last word, where it has read that word alone; it has read the whole "
        "sentence at word 1": last,
        "both halves come from word 1, where the forward direction has read that word alone": states[:, 0],
        "both halves come from the last column: padding for shorter sentences, and for the backward direction the "
        "place where it begins": states[:, -1],
        late: torch.cat([unmasked, backward], -1),
        f"{late}, where the states are 0": torch.cat([states[:, -1, :half], backward], -1),
        f"{late}, and so does the backward half": torch.cat([unmasked, last[:, half:]], -1),
        "the backward half has begun in the padding": torch.cat([forward, whole], -1),
        "both halves have read padding": torch.cat([unmasked, whole], -1),
        "the halves are exchanged: forward first": torch.cat([backward, forward], -1),
        "this is the mean of the states; final is what each direction holds at its end": states.sum(1)
        / lengths.unsqueeze(1),
        "the forward half comes from the word before the last": torch.cat(
            [states[rows, (lengths - 2).clamp(0), :half], backward], -1
        ),
    }


def _compare_gradients(answer: Answer, lengths: list[int], case: str = "") -> None:
    module, twin = twins(answer, Encoder, SIZES, case=case)
    source, counts = _draw(lengths, max(lengths) + 1, WORDS, f"gradients {case}")
    theirs, ours = (dict(side.named_parameters()) for side in (module, twin))
    pairs = {name: (theirs[name], ours[name]) for name in ours}
    got = ask("states and final", module, case=case, source=source.clone(), source_lengths=counts.clone())
    states, final = expect_pair("(states, final)", got, case)
    expected = twin(source, counts)
    expect_gradients("states", states, expected[0], pairs, case)
    expect_gradients("final", final, expected[1], pairs, case)


def _draw(lengths: list[int], longest: int, words: int, name: str) -> tuple[Tensor, Tensor]:
    """Ids that are no marks, with 0 as padding, whose embedding is not 0."""
    ids = torch.randint(4, words, (len(lengths), longest), generator=generator(f"encoder {name} {lengths}"))
    counts = torch.tensor(lengths)
    return ids * (torch.arange(longest) < counts.unsqueeze(1)), counts
