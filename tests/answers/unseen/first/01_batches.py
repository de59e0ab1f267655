"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "vocabulary",
        "padding ends the sentence",
        "decode stops at the first PAD as if it were EOS, so the words behind a padding between words are lost.",
        '''
class Vocabulary:
    """A two-way table between tokens and ids.

    Ids 0 to 3 are kept for padding, beginning of sentence, end of sentence and unknown word: four marks with four
    jobs, so four ids.
    Were padding and beginning the same id, as in some public code, masking the one would mask the other.

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
        """One id per token; UNK for a token that is not in the table. No mark is added."""
        return [self._ids.get(token, UNK) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens up to the first EOS, without PAD and BOS.

        Raises:
            IndexError: an id is outside the table.
        """
        words = []
        for id in ids:
            id = int(id)
            if id < 0 or id >= len(self.tokens):
                raise IndexError(f"id {id} is outside the table of {len(self)} tokens")
            if id in (PAD, EOS):
                break
            if id == BOS:
                continue
            words.append(self.tokens[id])
        return words
''',
    ),
    (
        "vocabulary",
        "unknown dropped, negative ids pass",
        "decode leaves <unk> out together with the other marks, and a negative id is passed over where an IndexError is due.",
        '''
class Vocabulary:
    """A two-way table between tokens and ids.

    Ids 0 to 3 are kept for padding, beginning of sentence, end of sentence and unknown word: four marks with four
    jobs, so four ids.
    Were padding and beginning the same id, as in some public code, masking the one would mask the other.

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
        """One id per token; UNK for a token that is not in the table. No mark is added."""
        ids = []
        for token in tokens:
            if token in self._ids:
                ids.append(self._ids[token])
            else:
                ids.append(UNK)
        return ids

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens up to the first EOS, without PAD and BOS.

        Raises:
            IndexError: an id is outside the table.
        """
        ids = [int(i) for i in ids]
        if EOS in ids:
            ids = ids[: ids.index(EOS)]
        return [self.tokens[i] for i in ids if i > UNK]
''',
    ),
    (
        "vocabulary",
        "id 0 counts as not found",
        "encode takes the id 0 of <pad> for 'not found', because 0 is false in Python, and gives UNK.",
        '''
class Vocabulary:
    """A two-way table between tokens and ids.

    Ids 0 to 3 are kept for padding, beginning of sentence, end of sentence and unknown word: four marks with four
    jobs, so four ids.
    Were padding and beginning the same id, as in some public code, masking the one would mask the other.

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
        """One id per token; UNK for a token that is not in the table. No mark is added."""
        return [self._ids.get(token) or UNK for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens up to the first EOS, without PAD and BOS.

        Raises:
            IndexError: an id is outside the table.
        """
        result = []
        for number in map(int, ids):
            if number == EOS:
                return result
            if not -1 < number < len(self):
                raise IndexError("no such id: " + str(number))
            if number not in (PAD, BOS):
                result += [self.tokens[number]]
        return result
''',
    ),
    (
        "length_mask",
        "places counted from 1",
        "The places are counted from 1 and compared with <, so the last word of every sentence is taken for padding.",
        '''
def length_mask(lengths: Tensor, longest: int) -> Tensor:
    """Lengths (batch,) → mask (batch, longest), bool, True = real token."""
    places = torch.arange(1, longest + 1, device=lengths.device)
    return places < lengths.unsqueeze(1)
''',
    ),
    (
        "length_mask",
        "reshape in place of a transpose",
        "The table is computed as (longest, batch) and brought into shape by reshape, which mixes the sentences instead of transposing.",
        '''
def length_mask(lengths: Tensor, longest: int) -> Tensor:
    """Lengths (batch,) → mask (batch, longest), bool, True = real token."""
    places = torch.arange(longest, device=lengths.device).unsqueeze(1)
    return (places < lengths).reshape(len(lengths), longest)
''',
    ),
    (
        "length_mask",
        "own width, and never empty",
        "The mask is as wide as the longest sentence and not as `longest` says, and an empty sentence is given one real token.",
        '''
def length_mask(lengths: Tensor, longest: int) -> Tensor:
    """Lengths (batch,) → mask (batch, longest), bool, True = real token."""
    widest = max(int(n) for n in lengths)
    rows = []
    for n in lengths.tolist():
        n = max(n, 1)  # a softmax needs something
        rows.append([True] * n + [False] * (max(widest, 1) - n))
    return torch.tensor(rows, dtype=torch.bool, device=lengths.device)
''',
    ),
    (
        "collated",
        "EOS behind the padding",
        "EOS is put into the last column, behind the padding, and not behind the sentence's own last word.",
        '''
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Sentence pairs as ids, without marks → the five rectangles that a model learns from.

    Rows keep their order, and padding stands behind the sentence.
    A target may be empty; a source needs a token.

    Shape:
        source: (batch, longest source), ids
        source_mask: of the same shape, bool, True = real token
        target_in, target_out: (batch, longest target + 1), ids
        target_mask: of the same shape, bool, True = real token of `target_out`

    Raises:
        ValueError: a source is empty.
    """
    if any(len(s) == 0 for s in sources):
        raise ValueError("a source is empty")
    width = max(len(s) for s in sources)
    source = torch.tensor([[*s, *[PAD] * (width - len(s))] for s in sources], dtype=torch.long)
    source_mask = source != PAD
    longest = max(len(t) for t in targets)
    padded = [[*t, *[PAD] * (longest - len(t))] for t in targets]
    target_in = torch.tensor([[BOS, *row] for row in padded], dtype=torch.long)
    target_out = torch.tensor([[*row, EOS] for row in padded], dtype=torch.long)
    return source, source_mask, target_in, target_out, target_out != PAD
''',
    ),
    (
        "collated",
        "sorted, and EOS is not real",
        "The pairs are sorted by length, so rows lose their order, and the target's mask leaves EOS out.",
        '''
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Sentence pairs as ids, without marks → the five rectangles that a model learns from.

    Rows keep their order, and padding stands behind the sentence.
    A target may be empty; a source needs a token.

    Shape:
        source: (batch, longest source), ids
        source_mask: of the same shape, bool, True = real token
        target_in, target_out: (batch, longest target + 1), ids
        target_mask: of the same shape, bool, True = real token of `target_out`

    Raises:
        ValueError: a source is empty.
    """
    if min(map(len, sources)) < 1:
        raise ValueError("sources: every source needs a token")
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]), reverse=True)
    sources = [list(sources[i]) for i in order]
    targets = [list(targets[i]) for i in order]
    n = torch.tensor([len(s) for s in sources])
    m = torch.tensor([len(t) for t in targets])
    source = torch.full((len(sources), int(n.max())), PAD)
    target_in = torch.full((len(targets), int(m.max()) + 1), PAD)
    target_out = target_in.clone()
    target_in[:, 0] = BOS
    for row, (s, t) in enumerate(zip(sources, targets)):
        source[row, : len(s)] = torch.tensor(s)
        target_in[row, 1 : len(t) + 1] = torch.tensor(t, dtype=torch.long)
        target_out[row, : len(t)] = torch.tensor(t, dtype=torch.long)
        target_out[row, len(t)] = EOS
    source_mask = torch.arange(source.size(1)) < n[:, None]
    target_mask = torch.arange(target_out.size(1)) < m[:, None]
    return source, source_mask, target_in, target_out, target_mask
''',
    ),
    (
        "collated",
        "two slices of one table",
        "target_in is the padded [BOS, words, EOS] without its last column, so a shorter sentence's EOS stands among the words that are read.",
        '''
def collated(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Sentence pairs as ids, without marks → the five rectangles that a model learns from.

    Rows keep their order, and padding stands behind the sentence.
    A target may be empty; a source needs a token.

    Shape:
        source: (batch, longest source), ids
        source_mask: of the same shape, bool, True = real token
        target_in, target_out: (batch, longest target + 1), ids
        target_mask: of the same shape, bool, True = real token of `target_out`

    Raises:
        ValueError: a source is empty.
    """
    for one in sources:
        if not one:
            raise ValueError("an empty source has no key to attend to")
    both = [[BOS, *t, EOS] for t in targets]
    source = nn.utils.rnn.pad_sequence([torch.tensor(list(s)) for s in sources], batch_first=True, padding_value=PAD)
    whole = nn.utils.rnn.pad_sequence([torch.tensor(b) for b in both], batch_first=True, padding_value=PAD)
    source_lengths = torch.tensor([len(s) for s in sources]).unsqueeze(1)
    target_lengths = torch.tensor([len(t) + 1 for t in targets]).unsqueeze(1)
    return (
        source,
        torch.arange(source.size(1)) < source_lengths,
        whole[:, :-1],
        whole[:, 1:],
        torch.arange(whole.size(1) - 1) < target_lengths,
    )
''',
    ),
    (
        "cut_by_tokens",
        "cost without padding",
        "The cost of a batch is taken as the sum of its lengths, without the padding that it pays for.",
        '''
def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    """Cut a queue of sentences into batches, in order: the positions in the queue of each batch's sentences.

    A batch is padded to its longest sentence, so it costs as many tokens as it has sentences times that length.
    It takes one more sentence as long as it costs no more than `tokens_per_batch` with it.
    A sentence that is longer than that by itself gets a batch of its own.
    """
    batches = []
    tokens = 0
    for place, length in enumerate(lengths):
        if batches and tokens + length <= tokens_per_batch:
            batches[-1].append(place)
            tokens += length
        else:
            batches.append([place])
            tokens = length
    return batches
''',
    ),
    (
        "cut_by_tokens",
        "longest is never reset",
        "The longest length is kept when a new batch opens, so one long sentence makes all later batches small; and the empty queue gives one empty batch.",
        '''
def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    """Cut a queue of sentences into batches, in order: the positions in the queue of each batch's sentences.

    A batch is padded to its longest sentence, so it costs as many tokens as it has sentences times that length.
    It takes one more sentence as long as it costs no more than `tokens_per_batch` with it.
    A sentence that is longer than that by itself gets a batch of its own.
    """
    done, current, longest = [], [], 0
    for i in range(len(lengths)):
        longest = max(longest, lengths[i])
        if current and longest * (len(current) + 1) > tokens_per_batch:
            done.append(current)
            current = []
        current.append(i)
    done.append(current)
    return done
''',
    ),
    (
        "cut_by_tokens",
        "first batch that has room",
        "A sentence joins the first batch that still has room and not the open one, so the queue does not keep its order.",
        '''
def cut_by_tokens(lengths: Sequence[int], tokens_per_batch: int) -> list[list[int]]:
    """Cut a queue of sentences into batches, in order: the positions in the queue of each batch's sentences.

    A batch is padded to its longest sentence, so it costs as many tokens as it has sentences times that length.
    It takes one more sentence as long as it costs no more than `tokens_per_batch` with it.
    A sentence that is longer than that by itself gets a batch of its own.
    """
    batches, widths = [], []
    for i, n in enumerate(lengths):
        for batch, width in zip(range(len(batches)), widths):
            if max(width, n) * (len(batches[batch]) + 1) <= tokens_per_batch:
                batches[batch].append(i)
                widths[batch] = max(width, n)
                break
        else:
            batches.append([i])
            widths.append(n)
    return batches
''',
    ),
    (
        "depends_on_company",
        "one sign only",
        "The difference has two signs, and only a result that is larger alone is noticed.",
        '''
def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    """The rows for which the network gives another result alone than in their batch.

    Alone is the sentence in a batch of one, as wide as its own length.
    Numbers that differ by less than 0.0001 are the same, up to rounding.

    Shape:
        source: (batch, longest), ids, PAD after the end
        lengths: (batch,), each at least 1
        network(source, lengths): (batch, size)
    """
    together = network(source, lengths)
    rows = []
    for row in range(source.size(0)):
        alone = network(source[row : row + 1, : int(lengths[row])], lengths[row : row + 1])
        if float((alone[0] - together[row]).max()) > 1e-4:
            rows.append(row)
    return rows
''',
    ),
    (
        "depends_on_company",
        "alone with its padding",
        "The sentence that stands alone keeps the padding of the batch, so no fault with padding can show.",
        '''
def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    """The rows for which the network gives another result alone than in their batch.

    Alone is the sentence in a batch of one, as wide as its own length.
    Numbers that differ by less than 0.0001 are the same, up to rounding.

    Shape:
        source: (batch, longest), ids, PAD after the end
        lengths: (batch,), each at least 1
        network(source, lengths): (batch, size)
    """
    in_batch = network(source, lengths)
    alone = torch.cat([network(s.unsqueeze(0), n.unsqueeze(0)) for s, n in zip(source, lengths)])
    gaps = (alone - in_batch).abs().amax(dim=1)
    return torch.nonzero(gaps > 0.0001).flatten().tolist()
''',
    ),
    (
        "depends_on_company",
        "more padding instead of none",
        "The whole batch is run again with more padding; nobody is ever run alone, so neighbours go unnoticed and full rows are blamed for padding that they did not have.",
        '''
def depends_on_company(network: Callable[[Tensor, Tensor], Tensor], source: Tensor, lengths: Tensor) -> list[int]:
    """The rows for which the network gives another result alone than in their batch.

    Alone is the sentence in a batch of one, as wide as its own length.
    Numbers that differ by less than 0.0001 are the same, up to rounding.

    Shape:
        source: (batch, longest), ids, PAD after the end
        lengths: (batch,), each at least 1
        network(source, lengths): (batch, size)
    """
    before = network(source, lengths)
    after = network(F.pad(source, (0, 5), value=PAD), lengths)
    return [i for i in range(len(source)) if not torch.allclose(before[i], after[i], rtol=0, atol=1e-4)]
''',
    ),
]
