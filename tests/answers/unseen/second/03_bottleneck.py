"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "ngram_matches",
        "words glued together",
        "The words of an n-gram are joined without a space, so different n-grams look alike.",
        '''
def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    said = Counter("".join(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1))
    meant = Counter("".join(reference[i : i + n]) for i in range(len(reference) - n + 1))
    return sum((said & meant).values()), sum(said.values())
''',
    ),
    (
        "ngram_matches",
        "the last one is missing",
        "The last n-gram of each sentence is never looked at, for the range ends one place too early.",
        '''
def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    left = [tuple(reference[i : i + n]) for i in range(len(reference) - n)]
    matches = total = 0
    for i in range(len(hypothesis) - n):
        gram = tuple(hypothesis[i : i + n])
        total += 1
        if gram in left:
            left.remove(gram)
            matches += 1
    return matches, total
''',
    ),
    (
        "bleu_of_counts",
        "always four",
        "The root is always the fourth, though there may be n-grams up to any N.",
        '''
def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    if 0 in matches:
        return 0.0
    logs = [math.log(match / total) for match, total in zip(matches, totals)]
    penalty = min(1.0, math.exp(1 - reference_length / hypothesis_length))
    return 100 * penalty * math.exp(0.25 * sum(logs))
''',
    ),
    (
        "bleu_of_counts",
        "the penalty the wrong way round",
        "The two lengths of the brevity penalty are exchanged, so it punishes long translations, and where nothing matches a little is put in the place of 0.",
        '''
def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    product = 1.0
    for match, total in zip(matches, totals):
        product *= max(match, 1e-9) / max(total, 1)
    if hypothesis_length > reference_length:
        penalty = math.exp(1 - hypothesis_length / reference_length) if reference_length else 0.0
    else:
        penalty = 1.0
    return 100 * penalty * product ** (1 / len(matches))
''',
    ),
    (
        "bleu_by_bucket",
        "sums that go on",
        "The counts are not begun anew with each bucket: every score holds the sentences of the buckets before it too.",
        '''
def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    scores = []
    matches, totals = [0] * 4, [0] * 4
    said = meant = 0
    for low, high in buckets:
        rows = [row for row, length in enumerate(source_lengths) if low <= length <= high]
        if len(rows) < fewest:
            scores.append(None)
            continue
        for row in rows:
            for n in range(1, 5):
                match, total = ngram_matches(hypotheses[row], references[row], n)
                matches[n - 1] += match
                totals[n - 1] += total
            said += len(hypotheses[row])
            meant += len(references[row])
        scores.append(bleu_of_counts(matches, totals, said, meant))
    return scores
''',
    ),
    (
        "bleu_by_bucket",
        "split by the reference",
        "The sentences are sorted by the length of the reference, not of the source, and a bucket with exactly the fewest gets None.",
        '''
def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    scores = []
    for low, high in buckets:
        pairs = [(h, r) for h, r in zip(hypotheses, references) if low <= len(r) <= high]
        if len(pairs) <= fewest:
            scores.append(None)
            continue
        counts = [[ngram_matches(h, r, n) for h, r in pairs] for n in (1, 2, 3, 4)]
        matches = [sum(match for match, _ in row) for row in counts]
        totals = [sum(total for _, total in row) for row in counts]
        scores.append(
            bleu_of_counts(matches, totals, sum(len(h) for h, _ in pairs), sum(len(r) for _, r in pairs))
        )
    return scores
''',
    ),
    (
        "bootstrap",
        "each sentence once",
        "A sentence that was drawn several times is counted only once.",
        '''
def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    wins = 0.0
    for draw in draws:
        drawn = torch.zeros(len(ours), dtype=torch.bool, device=ours.device)
        drawn[draw] = True
        scores = []
        for table in (ours, theirs):
            sums = table[drawn].sum(0).tolist()
            scores.append(bleu_of_counts(sums[:4], sums[4:8], sums[8], sums[9]))
        wins += 1.0 if scores[0] > scores[1] else 0.5 if scores[0] == scores[1] else 0.0
    share = wins / len(draws)
    return share, "ours" if share >= level else "theirs" if 1 - share >= level else "neither"
''',
    ),
    (
        "bootstrap",
        "a tie is no win",
        "A draw with equal scores counts as lost instead of half won, and a share that is exactly the level is not enough.",
        '''
def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    def score(table, rows):
        sums = table[rows].sum(0).tolist()
        return bleu_of_counts(sums[:4], sums[4:8], sums[8], sums[9])

    won = sum(score(ours, rows) > score(theirs, rows) for rows in draws)
    share = won / draws.size(0)
    if share > level:
        return share, "ours"
    if 1 - share > level:
        return share, "theirs"
    return share, "neither"
''',
    ),
    (
        "reverse_source",
        "looks for padding",
        "The length is counted from the ids that are not 0, so an id of padding within a sentence shortens it.",
        '''
def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    lengths = (source != 0).sum(1, keepdim=True)
    places = torch.arange(source.size(1), device=source.device)
    mirrored = lengths - 1 - places
    index = torch.where(mirrored >= 0, mirrored, places.expand_as(mirrored))
    return source.gather(1, index)
''',
    ),
    (
        "reverse_source",
        "writes into the batch",
        "The sentences are turned within the caller's own tensor, which is changed by it.",
        '''
def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    for row, length in zip(source, source_lengths.tolist()):
        row[:length] = row[:length].flip(0)
    return source
''',
    ),
    (
        "beside_every_word",
        "repeat, then view",
        "Repeating and reshaping mixes the sentences: the words get the vectors of other sentences of the batch.",
        '''
def beside_every_word(embedded: Tensor, vector: Tensor) -> Tensor:
    batch, steps, _ = embedded.shape
    beside = vector.repeat(steps, 1).view(batch, steps, -1)
    return torch.cat([embedded, beside], dim=-1)
''',
    ),
    (
        "beside_every_word",
        "a table of floats",
        "The result is always float32 on the CPU, whatever the inputs are.",
        '''
def beside_every_word(embedded: Tensor, vector: Tensor) -> Tensor:
    batch, steps, size = embedded.shape
    joined = torch.zeros(batch, steps, size + vector.size(1), dtype=torch.float32)
    joined[:, :, :size] = embedded
    for i in range(steps):
        joined[:, i, size:] = vector
    return joined
''',
    ),
]
