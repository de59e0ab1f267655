"""The extended vocabulary: per-batch ids for source words that the vocabulary lacks (See et al., 2017).

A pointer can copy words outside the vocabulary; to be copied, they need ids.
These follow the vocabulary's own and are assigned per row: the first unknown word of the source is ``vocab_size``, the
next different one is ``vocab_size + 1``.
So the same id means different words in different rows, and nothing outside the batch may use it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from seq2seq.batch import Batch, TokenBatches, collate, in_order, pad
from seq2seq.corpora.pair import Pair
from seq2seq.guards import checked_ids, checked_tokens
from seq2seq.vocab import BOS, EOS, PAD, UNK, Vocabulary


@dataclass(frozen=True)
class ExtendedBatch(Batch):
    """A batch that also has its sources and targets in extended ids.

    The decoder still reads `target_in`, where an unknown word is UNK: there is no embedding for it.

    Shape:
        extended_source: (batch, source_len), ids of the target's vocabulary, or `vocab_size` and above; PAD at the end
        extended_target_out: (batch, target_len), the same; UNK for an unknown word that is not in the row's source
        unknown: for each row the words that `vocab_size`, `vocab_size` + 1, … stand for
        vocab_size: the number of words that the output layer knows
    """

    extended_source: Tensor
    extended_target_out: Tensor
    unknown: tuple[tuple[str, ...], ...]
    vocab_size: int

    @property
    def extended_size(self) -> int:
        """The number of ids in a distribution over this batch's words."""
        return self.vocab_size + max(map(len, self.unknown))


def extend(pairs: Sequence[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary) -> ExtendedBatch:
    """Sentence pairs → one batch with extended ids, in the order given.

    Raises:
        ValueError: there is no pair, or one has an empty source.
    """
    batch = collate(pairs, source_vocab, target_vocab)
    unknown = tuple(unknown_words(pair.source, target_vocab) for pair in pairs)
    rows = list(zip(pairs, unknown, strict=True))
    return ExtendedBatch(
        **{field.name: getattr(batch, field.name) for field in fields(batch)},
        extended_source=pad([encode(pair.source, target_vocab, words) for pair, words in rows]),
        extended_target_out=pad([[*encode(pair.target, target_vocab, words), EOS] for pair, words in rows]),
        unknown=unknown,
        vocab_size=len(target_vocab),
    )


def unknown_words(tokens: Sequence[str], vocab: Vocabulary) -> tuple[str, ...]:
    """The words that the vocabulary lacks, each once, in order of first occurrence."""
    ids = vocab.encode(tokens)
    return tuple(dict.fromkeys(token for token, id in zip(tokens, ids, strict=True) if id == UNK))


def encode(tokens: Sequence[str], vocab: Vocabulary, unknown: Sequence[str]) -> list[int]:
    """One id per token: the vocabulary's own, else the extended one, else UNK.

    Raises:
        TypeError: the tokens or the unknown words are a string.
    """
    checked_tokens("unknown", unknown)
    extended = {word: len(vocab) + number for number, word in enumerate(unknown)}
    return [
        extended.get(token, UNK) if id == UNK else id for token, id in zip(tokens, vocab.encode(tokens), strict=True)
    ]


def decode(ids: Sequence[int], vocab: Vocabulary, unknown: Sequence[str]) -> list[str]:
    """The tokens up to the first EOS, without PAD and BOS; `unknown` holds this row's unknown words.

    Raises:
        IndexError: an id is beyond the vocabulary and these words.
        TypeError: the unknown words are a string, or the ids are those of several sentences.
    """
    table = [*vocab.tokens, *checked_tokens("unknown", unknown)]
    tokens = []
    for id in checked_ids("ids", ids):
        if id == EOS:
            break
        if not 0 <= id < len(table):
            raise IndexError(
                f"ids: got {id}, expected 0 to {len(table) - 1}: {len(vocab)} of the vocabulary and the {len(unknown)} "
                "unknown words of this sentence; do the words belong to another row?"
            )
        if id not in (PAD, BOS):
            tokens.append(table[id])
    return tokens


class ExtendedBatches(TokenBatches):
    """Batches of about `tokens_per_batch` target tokens, with extended ids; grouped as in the base class."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        source_vocab: Vocabulary,
        target_vocab: Vocabulary,
        tokens_per_batch: int = 800,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(pairs, source_vocab, target_vocab, tokens_per_batch, generator)
        self.texts = list(pairs)
        self.vocabularies = source_vocab, target_vocab

    def __iter__(self) -> Iterator[ExtendedBatch]:
        groups = self._groups()
        for group in in_order(len(groups), self.generator):
            yield extend([self.texts[row] for row in groups[group]], *self.vocabularies)
