"""English sentences with their French translations and exact word alignments, from a small grammar.

The grammar builds a sentence once and generates it in both languages together, so that every French word is linked to
the English words it translates.
The translation is a function of the English sentence: the same English never has two French versions.

Conventions that ensure this:
    *you* is one person, formally addressed (vous); *i* and *you* only have adjectives with one form for both genders.
    *it* and *they* refer to the subject of the clause before, and take its gender.
    The simple past is the passé composé, or the imparfait for states; the past progressive is the imparfait.

Tokens are lower-case words and punctuation.
An elided form is a token that keeps its apostrophe (``l' homme``); a contraction is one token (``du``).

Every token of both sides is linked; there are no null links.
Where the languages differ:
    *does not eat* / *ne mange pas*: *does* and *eat* to *mange*, *not* to *ne* and *pas*.
    *ate* / *a mangé*: *ate* to both; *did not eat* / *n' a pas mangé*: *did* to *a*, *eat* to *mangé*.
    *is going to eat* / *va manger*: *is*, *going* to *va*, *to*, *eat* to *manger*.
    *apples* / *des pommes*: an article without an English word is linked to the noun.
    *the teacher 's sister* / *la sœur du professeur*: *'s* to *la* and *du*, *the* to *du*.
    *needs* / *a besoin de*, *looks for* / *cherche*, *gets up* / *se lève*: each word to each.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from seq2seq.corpora.grammar.draw_sentences import Sentences
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.ranges import check_range
from seq2seq.guards import check_at_least

SHORTEST = 3


class Splits(NamedTuple):
    """Three lists of pairs; no source sentence is in two of them, or twice in one."""

    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]


def sample_pair(rng: Random, length: tuple[int, int]) -> Pair:
    """One pair; its number of English tokens, the full stop included, is uniform over the range ``length``."""
    check(length)
    return Sentences(rng).sentence(rng.randint(*length))


def corpus(size: int, seed: int, lengths: tuple[int, int] = (4, 50)) -> list[Pair]:
    """``size`` pairs with different source sentences, English lengths uniform over ``lengths``; repeatable by seed.

    Raises:
        ValueError: the size is below 0, or the lengths do not allow so many.
    """
    return take(size, distinct(seed, lengths, set()))


def splits(
    train: int,
    validation: int,
    test: int,
    seed: int,
    lengths: tuple[int, int] = (4, 50),
    test_lengths: tuple[int, int] | None = None,
) -> Splits:
    """Three disjoint corpora; ``test_lengths``, if given, allows test lengths beyond those of training.

    Raises:
        ValueError: a number of pairs is below 0, or the lengths do not allow so many.
    """
    for name, size in (("train", train), ("validation", validation), ("test", test)):
        check_at_least(name, size, 0)
    sources: set[tuple[str, ...]] = set()
    pairs = distinct(seed, lengths, sources)
    first, second = take(train, pairs), take(validation, pairs)
    return Splits(first, second, take(test, distinct(seed + 1, test_lengths or lengths, sources)))


def take(size: int, pairs: Iterator[Pair]) -> list[Pair]:
    check_at_least("size", size, 0)
    return [next(pairs) for _ in range(size)]


def distinct(seed: int, lengths: tuple[int, int], known: set[tuple[str, ...]]) -> Iterator[Pair]:
    """Pairs whose source sentences are not among the known ones, to which they are added."""
    check(lengths)
    rng = Random(seed)
    sentences = Sentences(rng)
    while True:
        length = rng.randint(*lengths)
        for _ in range(1000):
            pair = sentences.sentence(length)
            if pair.source not in known:
                break
        else:
            raise ValueError(f"size: no new sentence of {length} words in 1000 draws; ask for fewer, or longer ones.")
        known.add(pair.source)
        yield pair


def check(lengths: tuple[int, int]) -> None:
    check_range("lengths", lengths, SHORTEST, f"because the shortest sentence has {SHORTEST} tokens (paul sleeps .)")
