"""A sentence, its translation, and their word alignment."""

from dataclasses import dataclass

from seq2seq.vocab import checked_tokens


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence, its target sentence and the gold alignment between them.

    ``links`` holds (source position, target position), both counted from 0.
    A word may have several links: one English word can become three French ones, and vice versa.

    Raises:
        ValueError: a link joins a word that does not exist.
        TypeError: a sentence is a string.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: frozenset[tuple[int, int]]

    def __post_init__(self) -> None:
        checked_tokens("source", self.source)
        checked_tokens("target", self.target)
        for source, target in self.links:
            if not (0 <= source < len(self.source) and 0 <= target < len(self.target)):
                raise ValueError(
                    f"links: got ({source}, {target}), expected a source position below {len(self.source)} "
                    f"and a target position below {len(self.target)}, because a link joins two words of the pair."
                )
