"""Guards: what the library asks of its arguments, written once; each refuses in one sentence that says why."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, SupportsIndex

import torch
from torch import Tensor, nn

from seq2seq.device import bounds
from seq2seq.vocab import checked_tokens


def check_at_least(name: str, number: SupportsIndex | float, least: int, why: str = "") -> None:
    """Refuse a number below the least that has a meaning, one that is not finite, and one that is not whole.

    Raises:
        ValueError: the number is none of 'least', 'least + 1', …; `why` ends the message.
    """
    if not hasattr(number, "__index__") or number.__index__() < least:
        raise ValueError(f"{name}: got {number}, expected at least {least}{why or ', a whole number'}.")


def check_above_zero(name: str, number: float, why: str = "") -> None:
    """Refuse 0, what is below it, and NaN.

    Raises:
        ValueError: the number is not above 0; `why` ends the message.
    """
    if not number > 0:
        raise ValueError(f"{name}: got {number}, expected a number above 0{why}.")


def check_integers(name: str, numbers: Any, why: str) -> None:
    """Refuse what is no tensor of integers.

    Raises:
        TypeError: it is none; `why` ends the message.
    """
    if not isinstance(numbers, Tensor) or numbers.dtype not in (torch.long, torch.int):
        kind = numbers.dtype if isinstance(numbers, Tensor) else type(numbers).__name__
        raise TypeError(f"{name}: got {kind}, expected a tensor of integers (torch.long), because {why}.")


def check_mask(name: str, mask: Tensor) -> None:
    """Refuse a mask of numbers: some libraries add it, some multiply by it, and as an index it picks rows.

    Raises:
        TypeError: the mask is not boolean.
    """
    if mask.dtype != torch.bool:
        raise TypeError(
            f"{name}: dtype {mask.dtype}, expected torch.bool with True = real token; "
            "did you forget `.bool()` or a comparison such as `ids != pad`?"
        )


def of_targets(function: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """A function of logits, right words and their mask, which refuses those that do not fit.

    An exercise's answer gets this guard from outside.

    Raises:
        TypeError: the mask is not boolean.
        ValueError: the shapes differ; flattened they might have the same size.
    """

    @wraps(function)
    def guarded(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
        check_mask("target_mask", target_mask)
        if not logits.shape[:-1] == target_out.shape == target_mask.shape:
            raise ValueError(
                f"target_out, target_mask: shapes {tuple(target_out.shape)} and {tuple(target_mask.shape)}, expected "
                f"{tuple(logits.shape[:-1])} twice, from logits (batch, target_len, vocab_size); is one transposed?"
            )
        return function(logits, target_out, target_mask)

    return guarded


def check_lengths_of(name: str, source: Any, lengths: Any) -> None:
    """Refuse lengths that are no tensor of integers where their sentences are; their values are the encoder's to check.

    Raises:
        TypeError: not a tensor of integers.
        ValueError: on another device than the sentences.
    """
    check_integers(name, lengths, "a length counts the words of a row")
    if isinstance(source, Tensor):
        check_device(name, lengths, source.device, "the sentences are")


def check_device(name: str, tensor: Tensor, device: torch.device, why: str) -> None:
    """Refuse a tensor of another device.

    Raises:
        ValueError: it is on another; `why` says what is where it should be.
    """
    if tensor.device != device:
        raise ValueError(
            f"{name}: got a tensor on {tensor.device}, expected one on {device}, where {why}; "
            "did you forget `batch.to(device)`?"
        )


def check_ids(name: str, ids: Any, table: nn.Embedding) -> None:
    """Refuse what has no row in a table of embeddings: no tensor, no integers, another device, an id out of range.

    Shape:
        ids: any
        table: (vocab_size, embedding_size)

    Raises:
        TypeError: not a tensor of integers.
        ValueError: on another device than the table, or an id is not from 0 to vocab_size - 1.
    """
    check_integers(name, ids, "ids are row numbers")
    check_device(name, ids, table.weight.device, "the model is")
    if ids.numel():
        lowest, highest = bounds(ids)
        if lowest < 0 or highest >= table.num_embeddings:
            raise ValueError(
                f"{name}: got ids from {lowest} to {highest}, expected 0 to {table.num_embeddings - 1}; "
                "were they made with another vocabulary than the model?"
            )


def check_sides(ours: Sequence, theirs: Sequence) -> None:
    """Refuse two sides of a metric that differ in number or are empty, and strings where it counts tokens.

    Raises:
        ValueError: they differ in number, or there are none.
        TypeError: a side or a sentence is a string, whose letters would be counted.
    """
    for name, side in (("hypotheses", ours), ("references", theirs)):
        for sentence in checked_tokens(name, side):
            checked_tokens(name, sentence)
    if len(ours) != len(theirs) or not len(ours):
        raise ValueError(
            f"sentences: got {len(ours)} of ours and {len(theirs)} of theirs; expected equal counts above 0."
        )
