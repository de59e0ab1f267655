"""Toy tasks: the target is the source, or the source reversed."""

from random import Random

from seq2seq.corpora.pair import Pair
from seq2seq.corpora.ranges import check_range
from seq2seq.guards import check_at_least


def copy(size: int, seed: int, lengths: tuple[int, int] = (3, 10), symbols: int = 20) -> list[Pair]:
    """``size`` sequences with themselves as the target; see :func:`sequences` for the arguments."""
    return [_pair(source, 1) for source in sequences(size, seed, lengths, symbols)]


def reverse(size: int, seed: int, lengths: tuple[int, int] = (3, 10), symbols: int = 20) -> list[Pair]:
    """``size`` sequences with their reversal as the target; see :func:`sequences` for the arguments."""
    return [_pair(source, -1) for source in sequences(size, seed, lengths, symbols)]


def sequences(size: int, seed: int, lengths: tuple[int, int], symbols: int) -> list[tuple[str, ...]]:
    """Random sequences over the symbols "0", "1", …; the same seed gives the same sequences.

    ``lengths`` is the range (shortest, longest), both included, and each length is equally likely.
    Sequences may repeat; symbols are drawn independently and uniformly.

    Raises:
        ValueError: the size is below 0, the range is empty, or there is no symbol.
    """
    check_at_least("size", size, 0)
    check_range("lengths", lengths, 1, "because a task needs a symbol")
    check_at_least("symbols", symbols, 1, ", because a sequence is drawn from them")
    rng = Random(seed)
    alphabet = [str(symbol) for symbol in range(symbols)]
    return [tuple(rng.choices(alphabet, k=rng.randint(*lengths))) for _ in range(size)]


def _pair(source: tuple[str, ...], step: int) -> Pair:
    """The source with itself as the target, read forwards (1) or backwards (-1)."""
    positions = range(len(source))
    return Pair(source, source[::step], frozenset(zip(positions[::step], positions, strict=True)))
