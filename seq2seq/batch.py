"""Batches: sentences of unequal length in one rectangle of ids, with a mask that tells real tokens from padding."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Self, TypeVar

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.corpora.pair import Pair
from seq2seq.device import choose_device, send, with_bounds
from seq2seq.guards import check_at_least, check_generator, check_some
from seq2seq.vocab import BOS, EOS, PAD, Vocabulary

AnyBatch = TypeVar("AnyBatch", bound="Batch")
_SORTING_NOISE = 0.1  # width of the random jitter on lengths when sorting, as a share of the length


@dataclass(frozen=True)
class Batch:
    """Padded sentence pairs.

    The target appears twice, shifted by one: `target_in` starts with BOS and is what the decoder reads,
    `target_out` ends with EOS and is what it must predict.

    Shape:
        source: (batch, source_len), ids, PAD after the end
        source_lengths: (batch,)
        source_mask: (batch, source_len), bool, True = real token
        target_in, target_out: (batch, target_len), ids, PAD after the end
        target_mask: (batch, target_len), bool, True = real token, EOS included
    """

    source: Tensor
    source_lengths: Tensor
    source_mask: Tensor
    target_in: Tensor
    target_out: Tensor
    target_mask: Tensor

    def to(self, device: torch.device | str) -> Self:
        """The batch on another device; to a GPU it is on its way when this returns, and nobody waits for it.

        Raises:
            ValueError: the device is not on this machine, or its name is not one that PyTorch knows.
        """
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        place = choose_device(device)
        return replace(self, **{name: send(part, place) for name, part in parts.items() if isinstance(part, Tensor)})

    def padded(self, sentences: int, source_len: int, target_len: int) -> "Batch":
        """The same with more padding; what is no sentence is one token of padding, of which nothing is predicted.

        Raises:
            ValueError: a size is below that of the batch.
        """
        check_at_least("sentences", sentences, len(self.source), ", those of the batch")
        check_at_least("source_len", source_len, self.source.size(1), ", that of the batch")
        check_at_least("target_len", target_len, self.target_in.size(1), ", that of the batch")
        more = sentences - len(self.source)

        def wider(ids: Tensor, longest: int) -> Tensor:
            added = longest - ids.size(1), more
            wide = F.pad(ids, (0, added[0], 0, added[1]), value=False if ids.dtype == torch.bool else PAD)
            return with_bounds(wide, ids, *[PAD] * any(added))

        lengths = F.pad(self.source_lengths, (0, more), value=1)
        return Batch(
            source=wider(self.source, source_len),
            source_lengths=with_bounds(lengths, self.source_lengths, *[1] * bool(more)),
            source_mask=wider(self.source_mask, source_len),
            target_in=wider(self.target_in, target_len),
            target_out=wider(self.target_out, target_len),
            target_mask=wider(self.target_mask, target_len),
        )

    @property
    def target_tokens(self) -> int:
        """The number of predictions in the batch."""
        return int(self.target_mask.sum())


def checked_batches(batches: Iterable[AnyBatch]) -> Iterator[AnyBatch]:
    """The batches as they are, unless they are one alone, or are none.

    Raises:
        TypeError: they are a single batch, or one is something else, such as a pair.
    """
    if isinstance(batches, Batch):
        raise TypeError("batches: got a single Batch, expected an iterable of them; a list of one is `[batch]`.")
    for batch in batches:
        if not isinstance(batch, Batch):
            raise TypeError(
                f"batches: got a {type(batch).__name__} among them, expected each a Batch; `token_batches(pairs, "
                "source_vocab, target_vocab)` makes them of pairs."
            )
        yield batch


def pad(sequences: Sequence[Sequence[int]]) -> Tensor:
    """Ids of unequal length → (batch, longest), padded with PAD."""
    longest = max(map(len, sequences))
    rows = [[*ids, *[PAD] * (longest - len(ids))] for ids in sequences]
    return torch.tensor(rows, dtype=torch.long)


def length_mask(lengths: Tensor, longest: int) -> Tensor:
    """Lengths (batch,) → mask (batch, longest), bool, True = real token."""
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)


def shifted(target: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Padded target ids → what the decoder reads, and what it must predict at the same position.

    BOS comes before each sentence, EOS right after its own last token; padding stays PAD.

    Shape:
        target: (batch, longest), ids, PAD after the end
        lengths: (batch,), each from 0 to longest
        target_in, target_out: (batch, longest + 1), ids, PAD after the end
    """
    target_in = F.pad(target, (1, 0), value=BOS)
    target_out = F.pad(target, (0, 1), value=PAD).scatter(1, lengths.unsqueeze(1), EOS)
    return target_in, target_out


def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    """Cut a queue of sentences into batches, in order: the positions in the queue of each batch's sentences.

    A batch is padded to its longest sentence, so it costs as many tokens as it has sentences times that length.
    A sentence is added as long as the batch then costs no more than `tokens_per_batch`.
    A sentence longer than that gets a batch of its own.
    """
    groups: list[list[int]] = []
    longest = 0
    for position, length in enumerate(lengths):
        grown = max(longest, length)
        if not groups or grown * (len(groups[-1]) + 1) > tokens_per_batch:
            groups.append([])
            grown = length
        groups[-1].append(position)
        longest = grown
    return groups


def collate(pairs: Sequence[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary) -> Batch:
    """Sentence pairs → one batch, in the order given.

    Raises:
        ValueError: there is no pair, or one has an empty source.
        TypeError: one is no Pair.
    """
    return _collate_ids(encoded(pairs, source_vocab, target_vocab))


def encoded(
    pairs: Iterable[Pair], source_vocab: Vocabulary, target_vocab: Vocabulary
) -> list[tuple[list[int], list[int]]]:
    """The ids of each pair's two sides.

    Raises:
        ValueError: a pair has an empty source.
        TypeError: one is no Pair.
    """
    ids = []
    for row, pair in enumerate(pairs):
        if not isinstance(pair, Pair):
            raise TypeError(f"pairs: got {pair!r:.60} in row {row}, expected a Pair(source, target, frozenset()).")
        if not pair.source:
            raise ValueError(
                f"pairs: row {row} has an empty source, expected at least one token; attention needs a key."
            )
        ids.append((source_vocab.encode(pair.source), target_vocab.encode(pair.target)))
    return ids


def _collate_ids(pairs: Sequence[tuple[list[int], list[int]]]) -> Batch:
    check_some("pairs", pairs)
    source_lengths = torch.tensor([len(source) for source, _ in pairs])
    return with_targets(pad([source for source, _ in pairs]), source_lengths, [target for _, target in pairs])


def with_targets(source: Tensor, source_lengths: Tensor, targets: Sequence[Sequence[int]]) -> Batch:
    """One batch of a source of any kind, padded to its longest, and target ids of unequal length."""
    target_lengths = torch.tensor([len(target) for target in targets])
    target_in, target_out = shifted(pad(targets), target_lengths)
    return Batch(
        source=source,
        source_lengths=source_lengths,
        source_mask=length_mask(source_lengths, int(source_lengths.max())),
        target_in=target_in,
        target_out=target_out,
        target_mask=length_mask(target_lengths + 1, target_out.size(1)),
    )


def in_order(count: int, generator: torch.Generator | None) -> list[int]:
    """The numbers below `count`, shuffled if there is a generator."""
    return list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()


class TokenBatches:
    """Batches of about `tokens_per_batch` target tokens, of pairs of about equal length.

    Batches have few long sentences or many short ones, so every update sees about the same number of predictions, and
    there is little padding.
    With a generator, each pass regroups the pairs and shuffles the batches; without one, every pass is the same, from
    short to long.

    Raises:
        ValueError: a pair has an empty source, or a batch is to have no token.
        TypeError: a pair is no Pair, or the generator is no torch.Generator.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        source_vocab: Vocabulary,
        target_vocab: Vocabulary,
        tokens_per_batch: int,
        generator: torch.Generator | None = None,
    ) -> None:
        check_at_least("tokens_per_batch", tokens_per_batch, 1)
        check_generator(generator)
        self.pairs = encoded(pairs, source_vocab, target_vocab)
        self.tokens_per_batch = tokens_per_batch
        self.generator = generator

    def __iter__(self) -> Iterator[Batch]:
        groups = self._groups()
        for group in in_order(len(groups), self.generator):
            yield _collate_ids([self.pairs[row] for row in groups[group]])

    def _groups(self) -> list[list[int]]:
        """The rows of each batch: the queue by length, cut where the padded target would exceed the budget."""
        queue = self._queue()
        lengths = [len(self.pairs[row][1]) + 1 for row in queue]
        return [[queue[row] for row in rows] for rows in cut_by_tokens(lengths, self.tokens_per_batch)]

    def _queue(self) -> list[int]:
        """The rows sorted by source length, then target length; only roughly if there is a generator."""
        stray = torch.zeros(len(self.pairs))
        if self.generator is not None:
            drawn = torch.rand(len(self.pairs), generator=self.generator)
            stray = _SORTING_NOISE * (drawn - 0.5)
        noise, ranked = stray.tolist(), []
        for row, (source, target) in enumerate(self.pairs):
            ranked.append((len(source) * (1 + noise[row]), len(target), row))
        return [row for *_, row in sorted(ranked)]


def token_batches(
    pairs: Sequence[Pair],
    source_vocab: Vocabulary,
    target_vocab: Vocabulary,
    tokens_per_batch: int = 800,
    generator: torch.Generator | None = None,
) -> TokenBatches:
    """Batches by length and tokens, iterable any number of times. See :class:`TokenBatches`."""
    return TokenBatches(pairs, source_vocab, target_vocab, tokens_per_batch, generator)
