"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "ngram_matches",
        "no clipping, and small letters",
        "Every n-gram that stands somewhere in the reference matches as often as it is said, and Le counts as le.",
        r'''
def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    r"""Clipped matches of n-grams in one sentence, and how many n-grams it has (Papineni et al., 2002, section 2.1).

    $$\mathrm{matches} = \sum_{g} \min\left(\mathrm{count}_{\mathrm{hypothesis}}(g),
      \mathrm{count}_{\mathrm{reference}}(g)\right)$$

    An n-gram is a run of n neighbouring words; a sentence that is shorter than n has none.

    Returns:
        matches and total: two whole numbers
    """
    hypothesis = [word.lower() for word in hypothesis]
    reference = [word.lower() for word in reference]
    there = {tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)}
    said = [tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1)]
    return sum(gram in there for gram in said), len(said)
''',
    ),
    (
        "ngram_matches",
        "words joined without a space",
        "The words of an n-gram are joined into one string, so different n-grams that spell the same count as one.",
        r'''
def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    r"""Clipped matches of n-grams in one sentence, and how many n-grams it has (Papineni et al., 2002, section 2.1).

    $$\mathrm{matches} = \sum_{g} \min\left(\mathrm{count}_{\mathrm{hypothesis}}(g),
      \mathrm{count}_{\mathrm{reference}}(g)\right)$$

    An n-gram is a run of n neighbouring words; a sentence that is shorter than n has none.

    Returns:
        matches and total: two whole numbers
    """
    def table(words):
        return Counter("".join(words[start : start + n]) for start in range(len(words) - n + 1))

    ours, theirs = table(list(hypothesis)), table(list(reference))
    return (ours & theirs).total(), ours.total()
''',
    ),
    (
        "ngram_matches",
        "fewer than no n-grams",
        "A sentence that is shorter than n gets a negative number of n-grams where it has none.",
        r'''
def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    r"""Clipped matches of n-grams in one sentence, and how many n-grams it has (Papineni et al., 2002, section 2.1).

    $$\mathrm{matches} = \sum_{g} \min\left(\mathrm{count}_{\mathrm{hypothesis}}(g),
      \mathrm{count}_{\mathrm{reference}}(g)\right)$$

    An n-gram is a run of n neighbouring words; a sentence that is shorter than n has none.

    Returns:
        matches and total: two whole numbers
    """
    pool = [list(reference[j : j + n]) for j in range(len(reference) - n + 1)]
    matches = 0
    for i in range(len(hypothesis) - n + 1):
        gram = list(hypothesis[i : i + n])
        if gram in pool:
            pool.remove(gram)
            matches += 1
    return matches, len(hypothesis) - n + 1
''',
    ),
    (
        "bleu_of_counts",
        "always the fourth root",
        "The root is always the fourth, whatever the number of n-gram lengths is.",
        r'''
def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    r"""Corpus BLEU, 0 to 100, from the counts of the whole corpus (Papineni et al., 2002, section 2.3).

    $$\mathrm{BLEU} = 100 \cdot \min\left(1, e^{1 - r/c}\right) \cdot
      \left(\prod_{n=1}^{N} \frac{\mathrm{matches}_n}{\mathrm{total}_n}\right)^{1/N}$$

    `matches` and `totals` have one entry for each n from 1 to N; c and r are the lengths of all hypotheses and of all
    references.
    Where no n-gram of some n matches, BLEU is 0: nothing is smoothed.
    """
    if 0 in matches or hypothesis_length == 0:
        return 0.0
    logs = [math.log(m / t) for m, t in zip(matches, totals)]
    penalty = 1.0 if hypothesis_length > reference_length else math.exp(1 - reference_length / hypothesis_length)
    return 100 * penalty * math.exp(sum(logs) / 4)
''',
    ),
    (
        "bleu_of_counts",
        "penalty for long ones, arithmetic mean",
        "The lengths are exchanged in the brevity penalty, so long translations are punished, and the shares are averaged instead of multiplied.",
        r'''
def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    r"""Corpus BLEU, 0 to 100, from the counts of the whole corpus (Papineni et al., 2002, section 2.3).

    $$\mathrm{BLEU} = 100 \cdot \min\left(1, e^{1 - r/c}\right) \cdot
      \left(\prod_{n=1}^{N} \frac{\mathrm{matches}_n}{\mathrm{total}_n}\right)^{1/N}$$

    `matches` and `totals` have one entry for each n from 1 to N; c and r are the lengths of all hypotheses and of all
    references.
    Where no n-gram of some n matches, BLEU is 0: nothing is smoothed.
    """
    if min(matches) == 0:
        return 0.0
    shares = [m / t for m, t in zip(matches, totals, strict=True)]
    brevity = min(1.0, math.exp(1 - hypothesis_length / max(reference_length, 1)))
    return 100.0 * brevity * sum(shares) / len(shares)
''',
    ),
    (
        "bleu_of_counts",
        "a total of 0 is passed over",
        "An n without any n-gram is left out of the product, so a translation of three words gets a score where BLEU is 0.",
        r'''
def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    r"""Corpus BLEU, 0 to 100, from the counts of the whole corpus (Papineni et al., 2002, section 2.3).

    $$\mathrm{BLEU} = 100 \cdot \min\left(1, e^{1 - r/c}\right) \cdot
      \left(\prod_{n=1}^{N} \frac{\mathrm{matches}_n}{\mathrm{total}_n}\right)^{1/N}$$

    `matches` and `totals` have one entry for each n from 1 to N; c and r are the lengths of all hypotheses and of all
    references.
    Where no n-gram of some n matches, BLEU is 0: nothing is smoothed.
    """
    if hypothesis_length == 0:
        return 0.0
    product = 1.0
    for match, total in zip(matches, totals):
        if total > 0:
            product *= match / total
    root = product ** (1 / len(matches))
    return 100 * min(1, math.exp(1 - reference_length / hypothesis_length)) * root
''',
    ),
    (
        "bleu_by_bucket",
        "mean of the sentences' BLEU",
        "Each sentence gets a BLEU of its own and the bucket their mean, instead of one score from the summed counts.",
        '''
def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    """For each bucket (from, to), both included, the corpus BLEU of the sentences whose source length lies in it.

    BLEU has n-grams of 1 to 4 words.
    A bucket with fewer than `fewest` sentences, 1 or more, gets None: its score would mean nothing.

    Returns:
        scores: one for each bucket, in the order in which the buckets come
    """
    curve = []
    for low, high in buckets:
        scores = []
        for hypothesis, reference, length in zip(hypotheses, references, source_lengths):
            if low <= length <= high:
                counts = [ngram_matches(hypothesis, reference, n) for n in range(1, 5)]
                matches, totals = zip(*counts)
                scores.append(bleu_of_counts(matches, totals, len(hypothesis), len(reference)))
        curve.append(sum(scores) / len(scores) if len(scores) >= fewest else None)
    return curve
''',
    ),
    (
        "bleu_by_bucket",
        "upper end left out, one sentence too few",
        "The upper end of a bucket is not included, and a bucket with exactly `fewest` sentences gets None.",
        '''
def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    """For each bucket (from, to), both included, the corpus BLEU of the sentences whose source length lies in it.

    BLEU has n-grams of 1 to 4 words.
    A bucket with fewer than `fewest` sentences, 1 or more, gets None: its score would mean nothing.

    Returns:
        scores: one for each bucket, in the order in which the buckets come
    """
    scores = []
    for bucket in buckets:
        rows = [row for row, length in enumerate(source_lengths) if length in range(*bucket)]
        if len(rows) <= fewest:
            scores.append(None)
            continue
        matches, totals = [0] * 4, [0] * 4
        for row in rows:
            for n in (1, 2, 3, 4):
                match, total = ngram_matches(hypotheses[row], references[row], n)
                matches[n - 1] += match
                totals[n - 1] += total
        c = sum(len(hypotheses[row]) for row in rows)
        r = sum(len(references[row]) for row in rows)
        scores.append(bleu_of_counts(matches, totals, c, r))
    return scores
''',
    ),
    (
        "bleu_by_bucket",
        "one bucket for each sentence",
        "A sentence goes only into the first bucket that it fits, although buckets may overlap.",
        '''
def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    """For each bucket (from, to), both included, the corpus BLEU of the sentences whose source length lies in it.

    BLEU has n-grams of 1 to 4 words.
    A bucket with fewer than `fewest` sentences, 1 or more, gets None: its score would mean nothing.

    Returns:
        scores: one for each bucket, in the order in which the buckets come
    """
    sums = [[0] * 10 for _ in buckets]
    sizes = [0 for _ in buckets]
    for h, r, length in zip(hypotheses, references, source_lengths, strict=True):
        for place, (low, high) in enumerate(buckets):
            if low <= length <= high:
                found = [ngram_matches(h, r, n) for n in (1, 2, 3, 4)]
                numbers = [m for m, _ in found] + [t for _, t in found] + [len(h), len(r)]
                sums[place] = [a + b for a, b in zip(sums[place], numbers)]
                sizes[place] += 1
                break
    return [
        bleu_of_counts(total[:4], total[4:8], total[8], total[9]) if size >= fewest else None
        for total, size in zip(sums, sizes)
    ]
''',
    ),
    (
        "bootstrap",
        "a draw is a loss",
        "A draw in which both scores are equal counts as lost, not as half a win.",
        '''
def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    """In how many of the drawn test sets our BLEU is the higher, and who is better (Koehn, 2004, section 4).

    A row of `draws` is a test set: the numbers of its sentences, some of them several times, for both systems alike.
    It is scored by corpus BLEU with n-grams of 1 to 4 words.
    A draw in which the two scores are equal counts as half a win.

    Shape:
        ours, theirs: (sentences, 10), the counts of each sentence: 4 matches, 4 totals (n = 1 to 4), the words said,
            the words of the reference
        draws: (draws, drawn), whole numbers below `sentences`

    Returns:
        share: of the draws that we win, 0 to 1
        verdict: "ours" where that share is at least `level`, "theirs" where they win as large a share, or "neither"
    """
    def score(table, rows):
        counts = table[rows].sum(0).tolist()
        return bleu_of_counts(counts[:4], counts[4:8], counts[8], counts[9])

    won = 0
    for rows in draws:
        if score(ours, rows) > score(theirs, rows):
            won += 1
    share = won / len(draws)
    if share >= level:
        return share, "ours"
    if 1 - share >= level:
        return share, "theirs"
    return share, "neither"
''',
    ),
    (
        "bootstrap",
        "sentence by sentence",
        "Every sentence is scored by itself and the scores of a draw are averaged, where the counts have to be summed first.",
        '''
def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    """In how many of the drawn test sets our BLEU is the higher, and who is better (Koehn, 2004, section 4).

    A row of `draws` is a test set: the numbers of its sentences, some of them several times, for both systems alike.
    It is scored by corpus BLEU with n-grams of 1 to 4 words.
    A draw in which the two scores are equal counts as half a win.

    Shape:
        ours, theirs: (sentences, 10), the counts of each sentence: 4 matches, 4 totals (n = 1 to 4), the words said,
            the words of the reference
        draws: (draws, drawn), whole numbers below `sentences`

    Returns:
        share: of the draws that we win, 0 to 1
        verdict: "ours" where that share is at least `level`, "theirs" where they win as large a share, or "neither"
    """
    scores = []
    for table in (ours, theirs):
        single = [bleu_of_counts(row[:4], row[4:8], row[8], row[9]) for row in table.tolist()]
        scores.append(torch.tensor(single, dtype=torch.float64)[draws].mean(1))
    wins = (scores[0] > scores[1]).double() + 0.5 * (scores[0] == scores[1]).double()
    share = float(wins.mean())
    verdict = "ours" if share >= level else "theirs" if 1 - share >= level else "neither"
    return share, verdict
''',
    ),
    (
        "bootstrap",
        "a sentence counts once, and level is not enough",
        "A sentence that was drawn several times is counted once, and a share that is exactly the level does not suffice.",
        '''
def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    """In how many of the drawn test sets our BLEU is the higher, and who is better (Koehn, 2004, section 4).

    A row of `draws` is a test set: the numbers of its sentences, some of them several times, for both systems alike.
    It is scored by corpus BLEU with n-grams of 1 to 4 words.
    A draw in which the two scores are equal counts as half a win.

    Shape:
        ours, theirs: (sentences, 10), the counts of each sentence: 4 matches, 4 totals (n = 1 to 4), the words said,
            the words of the reference
        draws: (draws, drawn), whole numbers below `sentences`

    Returns:
        share: of the draws that we win, 0 to 1
        verdict: "ours" where that share is at least `level`, "theirs" where they win as large a share, or "neither"
    """
    points = []
    for rows in draws.tolist():
        picked = torch.zeros(len(ours), dtype=torch.bool)
        picked[rows] = True
        a = [int(x) for x in ours[picked].sum(0)]
        b = [int(x) for x in theirs[picked].sum(0)]
        mine = bleu_of_counts(a[0:4], a[4:8], a[8], a[9])
        other = bleu_of_counts(b[0:4], b[4:8], b[8], b[9])
        points.append(1.0 if mine > other else 0.5 if mine == other else 0.0)
    share = sum(points) / len(points)
    if share > level:
        verdict = "ours"
    elif 1 - share > level:
        verdict = "theirs"
    else:
        verdict = "neither"
    return share, verdict
''',
    ),
    (
        "reverse_source",
        "looks for the padding's id",
        "The lengths are counted from the ids that are not 0 and not taken from source_lengths, which fails when that id stands within a sentence.",
        '''
def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    """Each sentence from its last word to its first, its padding left at the end: a b c – – → c b a – –.

    (Sutskever et al., 2014, section 3.3, for sentences that are padded already.)

    Shape:
        source: (batch, source_len), ids, PAD after the end
        source_lengths: (batch,)
        reversed: (batch, source_len)
    """
    lengths = (source != 0).sum(1, keepdim=True)
    places = torch.arange(source.size(1), device=source.device).expand_as(source)
    mirror = lengths - 1 - places
    return source.gather(1, torch.where(mirror >= 0, mirror, places))
''',
    ),
    (
        "reverse_source",
        "turns the caller's batch",
        "The sentences are reversed in the tensor of the caller itself.",
        '''
def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    """Each sentence from its last word to its first, its padding left at the end: a b c – – → c b a – –.

    (Sutskever et al., 2014, section 3.3, for sentences that are padded already.)

    Shape:
        source: (batch, source_len), ids, PAD after the end
        source_lengths: (batch,)
        reversed: (batch, source_len)
    """
    for row, length in zip(source, source_lengths.tolist()):
        row[:length] = row[:length].flip(0)
    return source
''',
    ),
    (
        "reverse_source",
        "the first word in place of padding",
        "Mirrored positions below 0 are raised to 0, so the places of padding are filled with the first word.",
        '''
def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    """Each sentence from its last word to its first, its padding left at the end: a b c – – → c b a – –.

    (Sutskever et al., 2014, section 3.3, for sentences that are padded already.)

    Shape:
        source: (batch, source_len), ids, PAD after the end
        source_lengths: (batch,)
        reversed: (batch, source_len)
    """
    positions = torch.arange(source.size(1), device=source.device)
    index = (source_lengths[:, None] - 1 - positions[None, :]).clamp(min=0)
    return torch.gather(source, 1, index)
''',
    ),
    (
        "beside_every_word",
        "repeat and view",
        "The vectors are repeated along the batch and then viewed as steps, which gives sentences the vectors of their neighbours.",
        '''
def beside_every_word(embedded: Tensor, vector: Tensor) -> Tensor:
    r"""$[E y_{i-1}; c]$ for every step i: the words first, then the same vector beside each of them.

    (Cho et al., 2014, section 2.2.)

    Shape:
        embedded: (batch, target_len, embedding_size), and vector: (batch, vector_size)
        joined: (batch, target_len, embedding_size + vector_size)
    """
    batch, steps, _ = embedded.shape
    copies = vector.repeat(steps, 1).view(batch, steps, -1)
    return torch.cat((embedded, copies), dim=2)
''',
    ),
    (
        "beside_every_word",
        "always single precision on the CPU",
        "The result is written into zeros of the default dtype and device, whatever the inputs have.",
        '''
def beside_every_word(embedded: Tensor, vector: Tensor) -> Tensor:
    r"""$[E y_{i-1}; c]$ for every step i: the words first, then the same vector beside each of them.

    (Cho et al., 2014, section 2.2.)

    Shape:
        embedded: (batch, target_len, embedding_size), and vector: (batch, vector_size)
        joined: (batch, target_len, embedding_size + vector_size)
    """
    b, t, e = embedded.shape
    joined = torch.zeros(b, t, e + vector.size(1))
    joined[:, :, :e] = embedded
    for i in range(t):
        joined[:, i, e:] = vector
    return joined
''',
    ),
    (
        "beside_every_word",
        "vector first, and without gradient",
        "The vector stands before the word, and it is taken by .data, so that no gradient comes back to it.",
        '''
def beside_every_word(embedded: Tensor, vector: Tensor) -> Tensor:
    r"""$[E y_{i-1}; c]$ for every step i: the words first, then the same vector beside each of them.

    (Cho et al., 2014, section 2.2.)

    Shape:
        embedded: (batch, target_len, embedding_size), and vector: (batch, vector_size)
        joined: (batch, target_len, embedding_size + vector_size)
    """
    expanded = vector.data.unsqueeze(1).expand(-1, embedded.size(1), -1)
    return torch.cat([expanded, embedded], dim=-1)
''',
    ),
]
