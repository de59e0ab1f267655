"""A sentence, its translation, and their word alignment."""

from dataclasses import dataclass

from seq2seq.guards import check_links, checked_tokens


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence, its target sentence and the gold alignment between them.

    ``links`` holds (source position, target position), both counted from 0.
    A word may have several links: one English word can become three French ones, and vice versa.

    Raises:
        ValueError: a link joins a word that does not exist.
        TypeError: a sentence is a string, or the links are not a set of pairs of whole numbers.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: frozenset[tuple[int, int]]

    def __post_init__(self) -> None:
        checked_tokens("source", self.source)
        checked_tokens("target", self.target)
        lengths = len(self.source), len(self.target)
        check_links("links", self.links, lengths, ", because a link joins two words of the pair")
