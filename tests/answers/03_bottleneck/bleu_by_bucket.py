"""Answers to BLEU in buckets of length."""

TASK = "bleu_by_bucket"


def summed(inside: str = "low <= n <= high", few: str = "scores.append(None)", last: str = "return scores") -> str:
    return f"""\
def bleu_by_bucket(hypotheses, references, source_lengths, buckets, fewest):
    scores = []
    for low, high in buckets:
        sums, rows = [0] * 10, [row for row, n in enumerate(source_lengths) if {inside}]
        for row in rows:
            pair = hypotheses[row], references[row]
            found = [ngram_matches(*pair, n) for n in range(1, 5)]
            counts = [m for m, _ in found] + [t for _, t in found] + [len(one) for one in pair]
            sums = [a + b for a, b in zip(sums, counts)]
        if len(rows) < fewest:
            {few}
        else:
            scores.append(bleu_of_counts(sums[:4], sums[4:8], *sums[8:]))
    {last}
"""


ONCE = """\
def bleu_by_bucket(hypotheses, references, source_lengths, buckets, fewest):
    held = {start}
    for row, length in enumerate(source_lengths):
        for number, (low, high) in enumerate(buckets):
            if low <= length <= high:
                held[number].append(row)
                {after}

    def score(rows):
        pairs = [(hypotheses[row], references[row]) for row in rows]
        counts = torch.tensor([[ngram_matches(*pair, n) for n in range(1, 5)] for pair in pairs]).sum(0).T.tolist()
        return bleu_of_counts(*counts, *(sum(map(len, side)) for side in zip(*pairs)))

    return [score(rows) if len(rows) >= fewest else None for rows in held]
"""

WRONG = [
    ("one shared list", "values", ONCE.format(start="[[]] * len(buckets)", after="pass")),
    ("break at the first bucket", "first_bucket", ONCE.format(start="[[] for _ in buckets]", after="break")),
    ("a dictionary", "kind", summed(last="return dict(zip(buckets, scores))")),
    ("NaN for too few", "values | kind | not_finite", summed(few="scores.append(float('nan'))")),
    ("a range without its end", "upper_excluded", summed("n in range(low, high)")),
    ("sources sorted first", "changed_in_place", summed(last="source_lengths.sort()\n    return scores")),
]

RIGHT = [
    ("sums of lists", summed()),
    ("through the rows once", ONCE.format(start="[[] for _ in buckets]", after="pass")),
    ("a range with its end", summed("n in range(low, high + 1)", last="return tuple(scores)")),
    ("all by itself", """\
def bleu_by_bucket(hypotheses, references, source_lengths, buckets, fewest):
    def runs(words, n):
        return Counter(zip(*(words[k:] for k in range(n))))

    scores = [None] * len(buckets)
    for number, (low, high) in enumerate(buckets):
        pairs = [(h, r) for h, r, n in zip(hypotheses, references, source_lengths) if low <= n <= high]
        if len(pairs) < fewest:
            continue
        score = 100 * min(1, math.exp(1 - sum(len(r) for _, r in pairs) / max(1, sum(len(h) for h, _ in pairs))))
        for n in (1, 2, 3, 4):
            total = sum(max(0, len(h) - n + 1) for h, _ in pairs)
            hits = sum((runs(h, n) & runs(r, n)).total() for h, r in pairs)
            score *= (hits / max(1, total)) ** 0.25
        scores[number] = score
    return scores
"""),
]  # fmt: skip
