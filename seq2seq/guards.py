"""Guards: what the library asks of its arguments, written once; each refuses in one sentence that says why."""

from collections.abc import Sequence
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


def check_ids(name: str, ids: Any, table: nn.Embedding) -> None:
    """Refuse what has no row in a table of embeddings: no tensor, no integers, another device, an id out of range.

    Shape:
        ids: any
        table: (vocab_size, embedding_size)

    Raises:
        TypeError: not a tensor of integers.
        ValueError: on another device than the table, or an id is not from 0 to vocab_size - 1.
    """
    if not isinstance(ids, Tensor) or ids.dtype not in (torch.long, torch.int):
        kind = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
        raise TypeError(f"{name}: got {kind}, expected a tensor of integers (torch.long), because ids are row numbers.")
    if ids.device != table.weight.device:
        raise ValueError(
            f"{name}: got a tensor on {ids.device}, expected one on {table.weight.device}, where the model is; "
            "did you forget `batch.to(device)`?"
        )
    if ids.numel() and not ids.is_meta:
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
