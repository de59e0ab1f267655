"""Vocabulary: tokens to ids and back."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

from seq2seq.guards import check_at_least, checked_ids, checked_sentence, checked_tokens

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
        frequent = [token for token, count in counts.items() if count >= min_count]
        return cls(sorted(frequent, key=lambda token: (-counts[token], token)))

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """One id per token; UNK for a token that is not in the table. No marks are added."""
        return [self._ids.get(token, UNK) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens up to the first EOS, without PAD and BOS.

        Raises:
            IndexError: an id before the first EOS is outside the table.
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


# `encode` is an exercise's answer and the rest of the class is shown there: what they refuse is added from outside.


def _of_tokens(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of one sentence, refusing what is no sequence of strings."""

    @wraps(method)
    def guarded(vocabulary: Vocabulary, tokens: Iterable[str]) -> Any:
        return method(vocabulary, checked_sentence("tokens", tokens))

    return guarded


def _of_ids(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of the ids of one sentence, refusing those of several and what is no whole number."""

    @wraps(method)
    def guarded(vocabulary: Vocabulary, ids: Iterable[int]) -> Any:
        return method(vocabulary, checked_ids("ids", ids))

    return guarded


def _of_sentences(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of many sentences, refusing a string for all of them and for each, and a count below 1."""

    @wraps(method)
    def guarded(kind: type[Vocabulary], sentences: Iterable[Sequence[str]], min_count: int = 1) -> Any:
        check_at_least("min_count", min_count, 1)
        each = (checked_tokens("sentences", sentence) for sentence in checked_tokens("sentences", sentences))
        return method(kind, each, min_count)

    return guarded


setattr(Vocabulary, "__init__", _of_tokens(Vocabulary.__init__))  # noqa: B010  mypy takes a method for constant
setattr(Vocabulary, "encode", _of_tokens(Vocabulary.encode))  # noqa: B010
setattr(Vocabulary, "decode", _of_ids(Vocabulary.decode))  # noqa: B010
setattr(Vocabulary, "build", classmethod(_of_sentences(vars(Vocabulary)["build"].__func__)))  # noqa: B010
