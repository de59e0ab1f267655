"""Vocabulary: tokens to ids and back."""

from collections import Counter
from collections.abc import Iterable, Sequence

PAD, BOS, EOS, UNK = 0, 1, 2, 3
SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")


class Vocabulary:
    """A two-way table between tokens and ids.

    Ids 0 to 3 are kept for padding, beginning of sentence, end of sentence and unknown word: four marks with four
    jobs, so four ids.
    If padding and beginning shared an id, as in some public code, masking one would mask the other.

    >>> vocab = Vocabulary(["le", "chat"])
    >>> vocab.encode(["le", "chien"])
    [4, 3]
    >>> vocab.decode([4, 5, 2, 0])
    ['le', 'chat']

    Raises:
        ValueError: a token is given twice, or is one of the four marks.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = (*SPECIALS, *tokens)
        self._ids = {token: id for id, token in enumerate(self.tokens)}
        if len(self._ids) != len(self.tokens):
            twice = [token for token, count in Counter(self.tokens).items() if count > 1]
            raise ValueError(
                f"tokens: {twice} more than once; a token needs one id, and {SPECIALS} have theirs already."
            )

    @classmethod
    def build(cls, sentences: Iterable[Sequence[str]], min_count: int = 1) -> "Vocabulary":
        """The vocabulary of all tokens seen at least `min_count` times, the most frequent first, ties by alphabet."""
        counts = Counter(token for sentence in sentences for token in sentence if token not in SPECIALS)
        kept = [token for token, count in counts.items() if count >= min_count]
        return cls(sorted(kept, key=lambda token: (-counts[token], token)))

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """One id per token; UNK for a token that is not in the table. No marks are added."""
        return [self._ids.get(token, UNK) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens up to the first EOS, without PAD and BOS.

        Raises:
            IndexError: an id is outside the table.
        """
        tokens = []
        for id in ids:
            id = int(id)
            if id == EOS:
                break
            if not 0 <= id < len(self.tokens):
                raise IndexError(f"ids: got {id}, expected 0 to {len(self.tokens) - 1}.")
            if id not in (PAD, BOS):
                tokens.append(self.tokens[id])
        return tokens
