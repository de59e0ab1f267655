"""A sentence, its translation, and their word alignment."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence, its target sentence and the gold alignment between them.

    ``links`` holds (source position, target position), both counted from 0.
    A word may have several links: one English word can become three French ones, and vice versa.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: frozenset[tuple[int, int]]

    def __post_init__(self) -> None:
        for source, target in self.links:
            if not (0 <= source < len(self.source) and 0 <= target < len(self.target)):
                raise ValueError(
                    f"links: got ({source}, {target}), expected a source position below {len(self.source)} "
                    f"and a target position below {len(self.target)}, because a link joins two words of the pair."
                )
