"""Wrong answers written from the text of the exercise alone."""

VOCABULARY = '''
class Vocabulary:
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
        counts = Counter(token for sentence in sentences for token in sentence if token not in SPECIALS)
        kept = [token for token, count in counts.items() if count >= min_count]
        return cls(sorted(kept, key=lambda token: (-counts[token], token)))

    def __len__(self) -> int:
        return len(self.tokens)
'''

WRONG = [
    (
        "vocabulary",
        "python refuses by itself",
        "Negative ids are not refused: Python counts them from the end of the table.",
        VOCABULARY
        + '''
    def encode(self, tokens: Iterable[str]) -> list[int]:
        return [self._ids.get(token, UNK) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        words = []
        for id in ids:
            id = int(id)
            if id == EOS:
                break
            if id in (PAD, BOS):
                continue
            words.append(self.tokens[id])  # a tuple raises IndexError by itself
        return words
''',
    ),
    (
        "vocabulary",
        "all four marks left out",
        "Unknown words are left out with the other marks, and the end of the sentence is passed over instead of ending it.",
        VOCABULARY
        + '''
    def encode(self, tokens: Iterable[str]) -> list[int]:
        result = []
        for token in tokens:
            if token in self._ids:
                result.append(self._ids[token])
            else:
                result.append(UNK)
        return result

    def decode(self, ids: Iterable[int]) -> list[str]:
        words = []
        for id in ids:
            number = int(id)
            if number < 0 or number >= len(self.tokens):
                raise IndexError(f"id {number} is outside the table")
            if self.tokens[number] not in SPECIALS:
                words.append(self.tokens[number])
        return words
''',
    ),
    (
        "length_mask",
        "as wide as the longest sentence",
        "The width is taken from the lengths instead of the argument, so a mask for a wider row comes out too narrow.",
        '''
def length_mask(lengths: Tensor, longest: int) -> Tensor:
    places = torch.arange(int(lengths.max()), device=lengths.device)
    return places.unsqueeze(0) < lengths.unsqueeze(1)
''',
    ),
    (
        "length_mask",
        "places from one",
        "Places are counted from 1 but compared with 'smaller than', so the last word of each sentence counts as padding.",
        '''
def length_mask(lengths: Tensor, longest: int) -> Tensor:
    mask = torch.zeros(len(lengths), longest, dtype=torch.bool, device=lengths.device)
    for row, length in enumerate(lengths.tolist()):
        for place in range(1, longest + 1):
            mask[row, place - 1] = place < length
    return mask
''',
    ),
    (
        "collated",
        "end mark behind the padding",
        "EOS stands at the end of the padded row, not behind the sentence's own last word.",
        '''
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    if any(len(one) == 0 for one in sources):
        raise ValueError("a source is empty")
    wide = max(len(one) for one in sources)
    long = max(len(one) for one in targets)
    source = torch.full((len(sources), wide), PAD)
    target = torch.full((len(targets), long), PAD)
    for row, (left, right) in enumerate(zip(sources, targets)):
        source[row, : len(left)] = torch.tensor(left, dtype=torch.long)
        target[row, : len(right)] = torch.tensor(right, dtype=torch.long)
    begin, end = torch.full((len(targets), 1), BOS), torch.full((len(targets), 1), EOS)
    target_in, target_out = torch.cat([begin, target], 1), torch.cat([target, end], 1)
    return source, source != PAD, target_in, target_out, target_out != PAD
''',
    ),
    (
        "collated",
        "the end mark is not real",
        "The target's mask leaves EOS out, and an empty source among others is not refused.",
        '''
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    wide = max(map(len, sources))
    if wide == 0:
        raise ValueError("no source has a token")
    long = max(map(len, targets)) + 1
    source = torch.tensor([[*one, *[PAD] * (wide - len(one))] for one in sources], dtype=torch.long)
    target_in = torch.tensor([[BOS, *one, *[PAD] * (long - 1 - len(one))] for one in targets])
    target_out = torch.tensor([[*one, EOS, *[PAD] * (long - 1 - len(one))] for one in targets])
    source_mask = torch.arange(wide) < torch.tensor([len(one) for one in sources]).unsqueeze(1)
    target_mask = torch.arange(long) < torch.tensor([len(one) for one in targets]).unsqueeze(1)
    return source, source_mask, target_in, target_out, target_mask
''',
    ),
    (
        "cut_by_tokens",
        "longest is kept between batches",
        "The longest length is not begun anew with the next batch, so one long sentence makes all later batches too small.",
        '''
def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    batches, current, longest = [], [], 0
    for place, length in enumerate(lengths):
        longest = max(longest, length)
        if current and longest * (len(current) + 1) > tokens_per_batch:
            batches.append(current)
            current = []
        current.append(place)
    if current:
        batches.append(current)
    return batches
''',
    ),
    (
        "cut_by_tokens",
        "an empty first batch",
        "A first sentence that is too long leaves an empty batch before it, and an empty queue gives one empty batch.",
        '''
def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    batches = [[]]
    longest = 0
    for place, length in enumerate(lengths):
        if max(longest, length) * (len(batches[-1]) + 1) <= tokens_per_batch:
            batches[-1].append(place)
            longest = max(longest, length)
        else:
            batches.append([place])
            longest = length
    return batches
''',
    ),
    (
        "depends_on_company",
        "no absolute value",
        "A difference counts only if the batch's number is the larger one: the sign was forgotten.",
        '''
def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    together = network(source, lengths)
    rows = []
    for row in range(source.size(0)):
        length = int(lengths[row])
        alone = network(source[row : row + 1, :length], lengths[row : row + 1])
        if (together[row] - alone[0]).max() > 1e-4:
            rows.append(row)
    return rows
''',
    ),
    (
        "depends_on_company",
        "alone, but still padded",
        "The sentence alone keeps its padding, and the mean difference decides instead of the largest.",
        '''
def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    together = network(source, lengths)
    alone = torch.cat([network(source[row : row + 1], lengths[row : row + 1]) for row in range(len(source))])
    gaps = (together - alone).abs().mean(dim=1)
    return [row for row, gap in enumerate(gaps.tolist()) if gap > 0.0001]
''',
    ),
]
