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
    ("break at the first bucket", "first_bucket", ONCE.format(start="[[] for _ in buckets]", after="break")),
    ("NaN for too few", "values | kind | not_finite", summed(few="scores.append(float('nan'))")),
    ("None for a score of 0", "zero_as_none", summed(last="return [one or None for one in scores]")),
    ("counts kept by words in any order", "hidden: values", summed().replace("scores = []", "scores, kept = [], {}")
        .replace("[ngram_matches(*pair, n) for n in range(1, 5)]",
                 "kept.setdefault((*pair[0], *sorted(pair[1])), [ngram_matches(*pair, n) for n in range(1, 5)])")),
    ("sources sorted first", "changed_in_place", summed(last="source_lengths.sort()\n    return scores")),
]

RIGHT = [
    ("sums of lists", summed()), ("through the rows once", ONCE.format(start="[[] for _ in buckets]", after="pass")),
    ("a range with its end", summed("n in range(low, high + 1)", last="return tuple(scores)")),
]  # fmt: skip
