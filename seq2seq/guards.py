"""Guards: what the library asks of its arguments, written once; each refuses in one sentence that says why."""

import math
from collections.abc import Callable, Iterable, Sequence, Set
from functools import wraps
from numbers import Integral, Real
from operator import index
from typing import Any, SupportsIndex, TypeVar

import torch
from torch import Tensor, nn

from seq2seq.device import bounds

Words = TypeVar("Words", bound=Iterable)
WHOLE = (int, Integral)  # the second also of numpy; the first is the faster to ask for


def check_at_least(name: str, number: SupportsIndex | float, least: int, why: str = "") -> None:
    """Refuse a number below the least that has a meaning, one that is not finite, and one that is not whole.

    Raises:
        ValueError: the number is none of 'least', 'least + 1', …; `why` ends the message.
    """
    try:
        whole = index(number)  # type: ignore[arg-type]
    except TypeError:
        whole = None
    if whole is None or whole < least:
        kind = "a whole number, " if whole is None else ""
        raise ValueError(f"{name}: got {number!r}, expected {kind}at least {least}{why}.")


def check_above_zero(name: str, number: float, why: str = "") -> None:
    """Refuse 0, what is below it, NaN, and what is no number.

    Raises:
        ValueError: the number is not above 0; `why` ends the message.
    """
    if not (isinstance(number, Real | Tensor) and number > 0):
        raise ValueError(f"{name}: got {number!r}, expected a number above 0{why}.")


def check_share(name: str, number: float, why: str = "") -> None:
    """Refuse what is no share: below 0, above 1, NaN, and what is no number.

    Raises:
        ValueError: the number is not from 0 to 1; `why` ends the message.
    """
    if not (isinstance(number, Real | Tensor) and 0 <= number <= 1):
        raise ValueError(f"{name}: got {number!r}, expected a share from 0 to 1{why}.")


def check_some(name: str, items: Sequence, why: str = "an empty batch has no shape") -> None:
    """Refuse to make something of nothing.

    Raises:
        ValueError: there is no item; `why` ends the message.
    """
    if not items:
        raise ValueError(f"{name}: got none, expected at least one; {why}.")


def check_generator(generator: Any) -> None:
    """Refuse a source of chance that PyTorch does not draw from; None is none.

    Raises:
        TypeError: it is something else, such as a seed.
    """
    if not isinstance(generator, torch.Generator | None):
        raise TypeError(
            f"generator: got {generator!r:.40}, expected a torch.Generator; of a seed, "
            "`torch.Generator().manual_seed(seed)` makes one."
        )


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


def checked_tokens(name: str, tokens: Words) -> Words:
    """The tokens as they are, unless they are a string: each of its letters would be taken for a token.

    Raises:
        TypeError: it is a string, or bytes.
    """
    if isinstance(tokens, str | bytes):
        raise TypeError(
            f"{name}: got a string, {tokens!r:.40}, expected a sequence of tokens; did you forget to split it?"
        )
    return tokens


def checked_sentence(name: str, tokens: Iterable[str]) -> list[str]:
    """The tokens, each of them a string.

    Raises:
        TypeError: they are one string, or one of them is something else, such as a sentence or an id.
    """
    words = list(checked_tokens(name, tokens))
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name}: got {word!r:.40} among them, expected strings; is it a sentence, or an id?")
    return words


def checked_ids(name: str, ids: Any) -> list[int]:
    """The ids of one sentence, of a tensor or of any other sequence, as a list.

    Raises:
        TypeError: they are those of several sentences, or one is no whole number.
    """
    try:
        return [index(id) for id in (ids.tolist() if hasattr(ids, "tolist") else ids)]
    except TypeError:
        raise TypeError(
            f"{name}: got {ids!r:.60}, expected whole numbers, the ids of one sentence; of several, decode each row."
        ) from None


def check_sides(ours: Sequence, theirs: Sequence) -> None:
    """Refuse two sides of a metric that differ in number or are empty, and what would not be counted as tokens.

    Raises:
        ValueError: they differ in number, or there are none.
        TypeError: a side or a sentence is a string, whose letters would be counted, or a token is a sentence or a
            tensor.
    """
    for name, side in (("hypotheses", ours), ("references", theirs)):
        for sentence in checked_tokens(name, side):
            if any(isinstance(token, Tensor) for token in sentence):
                raise TypeError(
                    f"{name}: got tensors for tokens, {sentence!r:.60}, expected strings or numbers, because a tensor "
                    "counts as another token than its equal; `vocab.decode(ids)` makes words, `ids.tolist()` numbers."
                )
            if any(isinstance(token, list | tuple) for token in checked_tokens(name, sentence)):
                raise TypeError(
                    f"{name}: got sentences within a sentence, {sentence!r:.60}, expected a sequence of tokens; "
                    "each hypothesis has one reference."
                )
    check_counts(ours, theirs)


def check_counts(ours: Sequence, theirs: Sequence) -> None:
    """Refuse two sides of a metric that differ in number or are empty.

    Raises:
        ValueError: they differ in number, or there are none.
    """
    if len(ours) != len(theirs) or not len(ours):
        raise ValueError(
            f"sentences: got {len(ours)} of ours and {len(theirs)} of theirs; expected equal counts above 0."
        )


def check_shape(name: str, tensor: Tensor, shape: Sequence[int], why: str) -> None:
    """Refuse a tensor of another shape: one that can be broadcast would silently count several times.

    Raises:
        ValueError: it has another; `why` ends the message.
    """
    if tensor.shape != tuple(shape):
        raise ValueError(f"{name}: shape {tuple(tensor.shape)}, expected {tuple(shape)}, {why}.")


def check_links(name: str, links: Any, lengths: tuple[int, int] | None = None, why: str = "") -> None:
    """Refuse what is no set of links, and links beyond the lengths of source and target, if these are known.

    Raises:
        TypeError: not a set, or what is in it is not two whole numbers each; a tensor equals no other link.
        ValueError: a position is below 0, or not below its length; `why` ends the message.
    """
    if not isinstance(links, Set):
        raise TypeError(
            f"{name}: got {links!r:.60}, expected a set of links (source position, target position), as {{(0, 0)}}."
        )
    source_length, target_length = lengths or (math.inf, math.inf)
    source: Any
    target: Any
    for link in links:
        source, target = link if isinstance(link, tuple) and len(link) == 2 else (None, None)
        are_whole = isinstance(source, WHOLE) and isinstance(target, WHOLE)
        if not are_whole:
            raise TypeError(f"{name}: got {link!r:.60}, expected two whole numbers (source position, target position).")
        if not (0 <= source < source_length and 0 <= target < target_length):
            below = [f" below {length}" * bool(lengths) for length in (source_length, target_length)]
            raise ValueError(
                f"{name}: got {link}, expected a source position{below[0]} and a target position{below[1]}, "
                f"counted from 0{why}."
            )


def check_table(weights: Tensor, source_length: int, target_length: int) -> Tensor:
    """The weights of one sentence without what is beyond its words; an array or a list becomes a tensor.

    Shape:
        weights: (target_length, source_length), or larger

    Raises:
        ValueError: there are more words than weights.
    """
    weights = torch.as_tensor(weights)
    if weights.dim() != 2 or weights.size(0) < target_length or weights.size(1) < source_length:
        raise ValueError(
            f"weights: shape {tuple(weights.shape)}, expected at least (target={target_length}, "
            f"source={source_length}); one row per target word, one column per source word, of one sentence."
        )
    return weights[:target_length, :source_length]
