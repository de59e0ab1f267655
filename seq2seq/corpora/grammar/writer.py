"""The English side of a sentence, written word by word."""


class Writer:
    """Collects the English words; ``say`` returns the position of a word, to which French words then link."""

    __slots__ = ("source",)

    def __init__(self) -> None:
        self.source: list[str] = []

    def say(self, word: str) -> int:
        self.source.append(word)
        return len(self.source) - 1

    def say_all(self, words: tuple[str, ...]) -> tuple[int, ...]:
        start = len(self.source)
        self.source.extend(words)
        return tuple(range(start, start + len(words)))
