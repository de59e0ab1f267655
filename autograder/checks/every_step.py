"""Checks of the fixed vector beside every word: the same numbers at every step, and gradients from every step."""

from collections.abc import Callable

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
from seq2seq.decoders import fixed as reference

Function = Callable[..., Tensor]

WHAT = "inputs of the steps"


@check
def check_beside_every_word(answer: Function) -> None:
    """vector beside every word: the word first, then the sentence's own vector, with gradients"""
    _compare(answer, 3, 5, 4, 2)


@check
def check_beside_every_word_hidden(answer: Function) -> None:
    """vector beside every word, other cases: one sentence, one step, equal sizes, float64"""
    _compare(answer, 2, 4, 3, 6, case="other sizes")
    _compare(answer, 1, 5, 4, 2, case="a batch of one sentence")
    _compare(answer, 3, 1, 4, 2, case="one step")
    _compare(answer, 4, 4, 4, 4, case="all sizes equal")
    _compare(answer, 3, 5, 2, 1, case="a vector of size one")
    _compare(answer, 2, 3, 4, 5, torch.float64, case="float64")


def _compare(
    answer: Function,
    batch: int,
    steps: int,
    embedding_size: int,
    vector_size: int,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    draw = generator(f"every step {case}")
    embedded = torch.randn(batch, steps, embedding_size, generator=draw).to(dtype)
    vector = torch.randn(batch, vector_size, generator=draw).to(dtype)
    given = {"embedded": embedded.clone(), "vector": vector.clone()}
    with torch.no_grad():
        joined = ask(WHAT, answer, case=case, **given)
    shapes = {
        (batch, steps, vector_size): "the words are gone: the vector stands beside them",
        (batch, steps, embedding_size): "the vector is not put beside the words, or was added to them",
        (batch, steps + 1, embedding_size): "the vector stands before the words as one more step; it is beside each",
        (batch, embedding_size + vector_size): "only one step has arrived",
        (2 * batch, steps, embedding_size): "joined along the batch; the features are the last axis",
        (batch, 2 * steps, embedding_size): "joined along the steps; the features are the last axis",
    }
    shapes.pop((batch, steps, embedding_size + vector_size), None)
    expect_tensor(WHAT, joined, like=embedded, case=case)
    expect_shape(WHAT, joined, shapes, case, batch=batch, target_len=steps, features=embedding_size + vector_size)
    expect_finite(WHAT, joined, case=case)
    expect_close(
        WHAT,
        joined,
        reference.beside_every_word(embedded, vector),
        mistakes=lambda: _mistakes(embedded, vector),
        properties=lambda: _expect_properties(joined, embedded, case),
        case=case,
    )
    expect_unchanged("embedded", given["embedded"], embedded, case)
    expect_unchanged("vector", given["vector"], vector, case)
    asked = [tensor.clone().requires_grad_() for tensor in (embedded, vector)]
    ours = [tensor.clone().requires_grad_() for tensor in (embedded, vector)]
    joined = ask(WHAT, answer, case=case, embedded=asked[0], vector=asked[1])
    pairs = {"embedded": (asked[0], ours[0]), "vector": (asked[1], ours[1])}
    expect_gradients(WHAT, joined, reference.beside_every_word(*ours), pairs, case)


def _mistakes(embedded: Tensor, vector: Tensor) -> dict[str, Tensor]:
    batch, steps, _ = embedded.shape
    beside = vector.unsqueeze(1).expand(-1, steps, -1)
    nothing = torch.zeros_like(beside)
    first, last = nothing.clone(), nothing.clone()
    first[:, 0], last[:, -1] = vector, vector
    mixed = vector.repeat(steps, 1).view(batch, steps, -1)
    wrong = {
        "the vector of another sentence stands beside the words: `repeat` and `view` mix the rows": mixed,
        "the vector is beside the first word only; later steps are to see it too": first,
        "the vector is beside the last word only; every step is to see it": last,
        "the vector of sentence 0 stands beside the words of every sentence": beside[:1].expand_as(beside),
        "the vectors are averaged over the batch; each sentence has its own": beside.mean(0).expand_as(beside),
        "the vector is shared out among the steps; each gets all of it": beside / steps,
        "zeros stand where the vector should": nothing,
        "the vectors of the batch are in opposite order": beside.flip(0),
        "the vector is turned round within itself": beside.flip(-1),
    }
    table = {why: torch.cat([embedded, part], dim=-1) for why, part in wrong.items()}
    table["the vector comes first; the equation has the word first, then the vector"] = torch.cat(
        [beside, embedded], -1
    )
    table["the words are turned round"] = torch.cat([embedded.flip(1), beside], -1)
    table["the words of a step are moved by one: step i gets the word that it was given"] = torch.cat(
        [embedded.roll(1, 1), beside], -1
    )
    table["the first word stands at every step"] = torch.cat([embedded[:, :1].expand_as(embedded), beside], -1)
    return table


def _expect_properties(joined: Tensor, embedded: Tensor, case: str) -> None:
    label = f"{WHAT} ({case})" if case else WHAT
    size = embedded.size(-1)
    if not torch.allclose(joined[..., :size], embedded):
        raise CheckFailed(label, "the first features are not the word", "the word as it came, then the vector")
    beside = joined[..., size:]
    if not torch.allclose(beside, beside[:, :1].expand_as(beside)):
        raise CheckFailed(label, "what stands beside the words changes from step to step", "the same vector each time")
