"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "ngram_matches",
        "negative total for a short sentence",
        "The number of n-grams is taken as the length minus n plus 1, which falls below 0 for a sentence that is much "
        "shorter than n and has none.",
        """
def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    def table(words):
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    matches = sum((table(hypothesis) & table(reference)).values())
    return matches, len(hypothesis) - n + 1
""",
    ),
    (
        "ngram_matches",
        "matches sought only from left to right",
        "Each n-gram is looked for behind the last match in the reference, so that a match that stands further to the "
        "left is missed, although it may stand anywhere.",
        """
def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    said = [tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1)]
    meant = [tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)]
    matches = 0
    start = 0  # every n-gram of the reference is used at most once
    for gram in said:
        for place in range(start, len(meant)):
            if meant[place] == gram:
                matches += 1
                start = place + 1
                break
    return matches, len(said)
""",
    ),
    (
        "bleu_of_counts",
        "brevity penalty under the root",
        "The brevity penalty is multiplied to the shares before the root is taken, so that a short translation is "
        "punished by the N-th root of the penalty only.",
        """
def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    if 0 in matches or hypothesis_length == 0:
        return 0.0
    score = min(1.0, math.exp(1 - reference_length / hypothesis_length))
    for match, total in zip(matches, totals, strict=True):
        score *= match / total
    return 100 * score ** (1 / len(matches))
""",
    ),
    (
        "bleu_of_counts",
        "zero shares smoothed, linear brevity penalty",
        "A share of 0 is lifted to a small number, although nothing is smoothed, and the penalty is the quotient of "
        "the lengths in place of its exponential.",
        """
def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    tiny = 1e-9
    logs = [math.log(max(m, tiny) / max(t, 1)) for m, t in zip(matches, totals, strict=True)]
    penalty = min(1.0, hypothesis_length / reference_length)
    return 100 * penalty * math.exp(sum(logs) / len(logs))
""",
    ),
    (
        "bleu_by_bucket",
        "first bucket takes the sentence",
        "Each sentence is put into the first bucket that it fits, although it lies in two where buckets overlap.",
        """
def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    members = [[] for _ in buckets]
    for hypothesis, reference, length in zip(hypotheses, references, source_lengths, strict=True):
        for place, (low, high) in enumerate(buckets):
            if low <= length <= high:
                members[place].append((hypothesis, reference))
                break
    scores = []
    for pairs in members:
        if len(pairs) < fewest:
            scores.append(None)
            continue
        matches, totals = [0] * 4, [0] * 4
        for hypothesis, reference in pairs:
            for n in range(4):
                found, there = ngram_matches(hypothesis, reference, n + 1)
                matches[n] += found
                totals[n] += there
        said, meant = sum(len(h) for h, _ in pairs), sum(len(r) for _, r in pairs)
        scores.append(bleu_of_counts(matches, totals, said, meant))
    return scores
""",
    ),
    (
        "bleu_by_bucket",
        "lengths summed over the whole test set",
        "The brevity penalty of every bucket is computed from the words of all sentences, and not of those that lie in "
        "the bucket.",
        """
def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    said = sum(map(len, hypotheses))
    meant = sum(map(len, references))
    scores: list[float | None] = []
    for low, high in buckets:
        rows = [row for row, length in enumerate(source_lengths) if low <= length <= high]
        if len(rows) < fewest:
            scores.append(None)
        else:
            counts = [[ngram_matches(hypotheses[row], references[row], n) for row in rows] for n in (1, 2, 3, 4)]
            matches = [sum(match for match, _ in line) for line in counts]
            totals = [sum(total for _, total in line) for line in counts]
            scores.append(bleu_of_counts(matches, totals, said, meant))
    return scores
""",
    ),
    (
        "bootstrap",
        "share rounded to single precision",
        "The share is the mean of a float32 tensor, so that 0.95 comes out a little below 0.95 and a share that is "
        "exactly the level is called neither.",
        """
def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    def score(table, rows):
        counts = table[rows].sum(0).tolist()
        return bleu_of_counts(counts[:4], counts[4:8], counts[8], counts[9])

    wins = torch.zeros(len(draws))
    for place, rows in enumerate(draws):
        mine, other = score(ours, rows), score(theirs, rows)
        wins[place] = 1.0 if mine > other else 0.5 if mine == other else 0.0
    share = wins.mean().item()
    if share >= level:
        return share, "ours"
    if 1 - share >= level:
        return share, "theirs"
    return share, "neither"
""",
    ),
    (
        "bootstrap",
        "their half wins are forgotten",
        "For the verdict the others' wins are counted without half of the equal draws, although their share is all "
        "that ours leaves of 1.",
        """
def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    won, lost = 0.0, 0
    for rows in draws.tolist():
        a = ours[rows].sum(dim=0).tolist()
        b = theirs[rows].sum(dim=0).tolist()
        a = bleu_of_counts(a[0:4], a[4:8], *a[8:])
        b = bleu_of_counts(b[0:4], b[4:8], *b[8:])
        if a > b:
            won += 1
        elif a == b:
            won += 0.5
        else:
            lost += 1
    share = won / len(draws)
    verdict = "neither"
    if share >= level:
        verdict = "ours"
    elif lost / len(draws) >= level:
        verdict = "theirs"
    return share, verdict
""",
    ),
    (
        "reverse_source",
        "first word repeated in the padding",
        "Mirrored positions below 0 are raised to 0, so that the padding is filled with the sentence's first word, "
        "where each padded place has to look to itself.",
        """
def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    places = torch.arange(source.size(1), device=source.device)
    mirrored = (source_lengths.unsqueeze(1) - 1 - places).clamp(min=0)
    return source.gather(1, mirrored)
""",
    ),
    (
        "reverse_source",
        "length counted from the ids",
        "A sentence's length is the number of ids that are not 0, in place of source_lengths, so that the id of "
        "padding "
        "within a sentence moves its end.",
        """
def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    turned = source.clone()
    for row in range(source.size(0)):
        n = int((source[row] != 0).sum())
        turned[row, :n] = source[row, :n].flip(0)
    return turned
""",
    ),
    (
        "beside_every_word",
        "rectangle of single precision",
        "The result is filled into a rectangle of torch's default dtype, so that float64 words and vectors come back "
        "as "
        "float32.",
        """
def beside_every_word(embedded: Tensor, vector: Tensor) -> Tensor:
    batch, steps, size = embedded.shape
    joined = torch.zeros(batch, steps, size + vector.shape[1])
    joined[:, :, :size] = embedded
    for step in range(steps):
        joined[:, step, size:] = vector
    return joined
""",
    ),
]
