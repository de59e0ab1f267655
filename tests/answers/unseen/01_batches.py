"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "vocabulary",
        "tensor elements sought in a set",
        "The marks to leave out are looked up in a set, where a small tensor is never equal to a number, so that a row "
        "of a tensor keeps its <pad> and <bos>.",
        '''
class Vocabulary:
    """A two-way table between tokens and ids."""

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
        """One id per token; UNK for a token that is not in the table. No mark is added."""
        return [self._ids.get(token, UNK) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens up to the first EOS, without PAD and BOS."""
        skipped = {PAD, BOS}
        words = []
        for id in ids:
            if id == EOS:
                break
            if id < 0 or id >= len(self.tokens):
                raise IndexError(f"id {id} is in no table")
            if id not in skipped:
                words.append(self.tokens[id])
        return words
''',
    ),
    (
        "vocabulary",
        "unknown words left out when decoding",
        "All ids below 4 other than EOS are passed over, so that <unk> loses its place among the words; only PAD and "
        "BOS may be left out.",
        '''
class Vocabulary:
    """A two-way table between tokens and ids."""

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
        """One id per token; UNK for a token that is not in the table. No mark is added."""
        ids = []
        for token in tokens:
            if token in self._ids:
                ids.append(self._ids[token])
            else:
                ids.append(UNK)
        return ids

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens up to the first EOS, without PAD and BOS."""
        ids = [int(id) for id in ids]
        if EOS in ids:
            ids = ids[: ids.index(EOS)]
        for id in ids:
            if not 0 <= id < len(self):
                raise IndexError(id)
        return [self.tokens[id] for id in ids if id >= len(SPECIALS)]
''',
    ),
    (
        "length_mask",
        "turned by view in place of transpose",
        "The table of places by sentences is forced into the right shape with view, which mixes the rows, where it had "
        "to be transposed.",
        """
def length_mask(lengths: Tensor, longest: int) -> Tensor:
    places = torch.arange(longest, device=lengths.device)
    table = places.unsqueeze(1) < lengths  # every place against every length
    return table.view(lengths.size(0), longest)
""",
    ),
    (
        "length_mask",
        "empty sentence keeps a real place",
        "Lengths are raised to at least 1, so that an empty sentence has a real token at place 0, although no place is "
        "below 0.",
        """
def length_mask(lengths: Tensor, longest: int) -> Tensor:
    # at least one place per row has to stay visible, or the softmax divides by 0
    lengths = lengths.clamp(min=1)
    return torch.arange(longest, device=lengths.device)[None, :] < lengths[:, None]
""",
    ),
    (
        "collated",
        "decoder reads EOS of short targets",
        "Both target rectangles are cut from one row BOS … EOS PAD, so that what the decoder reads holds EOS in every "
        "target that is shorter than the longest, where PAD has to stand.",
        """
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    if any(len(source) == 0 for source in sources):
        raise ValueError("sources: one of them is empty.")

    def padded(rows):
        widest = max(len(row) for row in rows)
        return torch.tensor([list(row) + [PAD] * (widest - len(row)) for row in rows], dtype=torch.long)

    def mask_of(lengths, widest):
        return torch.arange(widest) < torch.tensor(lengths).unsqueeze(1)

    source = padded(sources)
    source_mask = mask_of([len(row) for row in sources], source.size(1))
    both = padded([[BOS, *target, EOS] for target in targets])
    target_in, target_out = both[:, :-1], both[:, 1:]
    target_mask = mask_of([len(row) + 1 for row in targets], target_out.size(1))
    return source, source_mask, target_in, target_out, target_mask
""",
    ),
    (
        "collated",
        "empty target first makes floats",
        "Each target becomes a tensor before its mark is joined on; the tensor of an empty list is of floats, so a "
        "batch that begins with an empty target has no ids of dtype long.",
        """
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    if not all(len(source) for source in sources):
        raise ValueError("a source needs at least one token")
    pad = nn.utils.rnn.pad_sequence
    bos, eos = torch.tensor([BOS]), torch.tensor([EOS])
    words = [torch.tensor(list(target)) for target in targets]
    source = pad([torch.tensor(list(s)) for s in sources], batch_first=True, padding_value=PAD)
    target_in = pad([torch.cat([bos, w]) for w in words], batch_first=True, padding_value=PAD)
    target_out = pad([torch.cat([w, eos]) for w in words], batch_first=True, padding_value=PAD)
    source_lengths = torch.tensor([len(s) for s in sources])
    target_lengths = torch.tensor([len(t) + 1 for t in targets])
    source_mask = torch.arange(source.size(1)) < source_lengths[:, None]
    target_mask = torch.arange(target_out.size(1)) < target_lengths[:, None]
    return source, source_mask, target_in, target_out, target_mask
""",
    ),
    (
        "collated",
        "rows sorted by length, EOS masked",
        "The pairs are sorted by the length of the source, although rows keep their order, and the mask of the target "
        "leaves EOS out, although it is a real token.",
        """
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    # longest source first, as packing wants it
    pairs = sorted(zip(sources, targets, strict=True), key=lambda pair: -len(pair[0]))
    wide_source = max(len(s) for s, _ in pairs)
    wide_target = max(len(t) for _, t in pairs) + 1
    source, source_mask, target_in, target_out, target_mask = [], [], [], [], []
    for s, t in pairs:
        if len(s) == 0:
            raise ValueError("empty source")
        spare = wide_source - len(s)
        source.append([*s] + [PAD] * spare)
        source_mask.append([True] * len(s) + [False] * spare)
        spare = wide_target - len(t) - 1
        target_in.append([BOS, *t] + [PAD] * spare)
        target_out.append([*t, EOS] + [PAD] * spare)
        target_mask.append([True] * len(t) + [False] * (spare + 1))
    return (
        torch.tensor(source),
        torch.tensor(source_mask),
        torch.tensor(target_in),
        torch.tensor(target_out),
        torch.tensor(target_mask),
    )
""",
    ),
    (
        "cut_by_tokens",
        "open batch goes on after a giant",
        "A sentence that is longer than the budget is set aside in a batch of its own while the open batch stays open, "
        "so that a later sentence joins it and the places are no longer in order.",
        """
def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    batches: list[list[int]] = []
    batch: list[int] = []
    longest = 0
    for place, length in enumerate(lengths):
        if length > tokens_per_batch:
            batches.append([place])
            continue
        if max(longest, length) * (len(batch) + 1) > tokens_per_batch:
            batches.append(batch)
            batch, longest = [], 0
        batch.append(place)
        longest = max(longest, length)
    if batch:
        batches.append(batch)
    return batches
""",
    ),
    (
        "cut_by_tokens",
        "cost without the newcomer's own length",
        "What the batch would cost is computed with the longest sentence that it holds already, although the next "
        "sentence may be longer and widen all rows.",
        """
def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    batches = []
    for i, n in enumerate(lengths):
        if batches:
            widest = max(lengths[j] for j in batches[-1])
            if widest * (len(batches[-1]) + 1) <= tokens_per_batch and n <= tokens_per_batch:
                batches[-1].append(i)
                continue
        batches.append([i])
    return batches
""",
    ),
    (
        "depends_on_company",
        "cut at its length, company kept",
        "Each row is compared with the whole batch cut at that row's length, not with a batch of one, so that a "
        "network "
        "that lets the neighbours in goes unnoticed among sentences of equal length.",
        """
def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    together = network(source, lengths)
    rows = []
    for row, length in enumerate(lengths.tolist()):
        without_padding = network(source[:, :length], lengths.clamp(max=length))[row]
        if (without_padding - together[row]).abs().max() > 1e-4:
            rows.append(row)
    return rows
""",
    ),
    (
        "depends_on_company",
        "difference without its sign removed",
        "The largest difference is taken without its absolute value, so that a row whose numbers are all smaller alone "
        "than in the batch is not found.",
        """
def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    together = network(source, lengths)
    alone = torch.cat([network(source[i : i + 1, :n], lengths[i : i + 1]) for i, n in enumerate(lengths.tolist())])
    worst = (alone - together).amax(dim=1)
    return [i for i, difference in enumerate(worst.tolist()) if difference > 0.0001]
""",
    ),
]
