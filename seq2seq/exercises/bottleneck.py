"""BLEU for each range of lengths, and whether two systems differ by more than chance."""

from collections.abc import Sequence

from torch import Tensor

from seq2seq.exercises.ngrams import bleu_of_counts, ngram_matches


def bleu_by_bucket(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    source_lengths: Sequence[int],
    buckets: Sequence[tuple[int, int]],
    fewest: int,
) -> list[float | None]:
    """For each bucket (from, to), both included, the corpus BLEU of the sentences whose source length lies in it.

    BLEU has n-grams of 1 to 4 words.
    A bucket with fewer than `fewest` sentences, 1 or more, gets None: its score would be meaningless.

    Returns:
        scores: one for each bucket, in the order of the buckets
    """
    scores: list[float | None] = []
    for shortest, longest in buckets:
        rows = [row for row, length in enumerate(source_lengths) if shortest <= length <= longest]
        if len(rows) < fewest:
            scores.append(None)
            continue
        pairs = [(hypotheses[row], references[row]) for row in rows]
        counts = [[ngram_matches(said, meant, n) for said, meant in pairs] for n in range(1, 5)]
        matches = [sum(match for match, _ in of_n) for of_n in counts]
        totals = [sum(total for _, total in of_n) for of_n in counts]
        said_words = sum(len(said) for said, _ in pairs)
        meant_words = sum(len(meant) for _, meant in pairs)
        scores.append(bleu_of_counts(matches, totals, said_words, meant_words))
    return scores


def bootstrap(ours: Tensor, theirs: Tensor, draws: Tensor, level: float) -> tuple[float, str]:
    """The share of drawn test sets in which our BLEU is higher, and which system is better (Koehn, 2004, section 4).

    A row of `draws` is a test set: the numbers of its sentences, possibly repeated, the same for both systems.
    It is scored by corpus BLEU with n-grams of 1 to 4 words.
    A draw in which the two scores are equal counts as half a win.

    Shape:
        ours, theirs: (sentences, 10), the counts of each sentence: 4 matches, 4 totals (n = 1 to 4), the length
            of the hypothesis, the length of the reference
        draws: (draws, drawn), whole numbers below `sentences`

    Returns:
        share: of the draws that we win, 0 to 1
        verdict: "ours" where that share is at least `level`, "theirs" where theirs is that large, or "neither"
    """
    wins = 0.0
    for rows in draws:
        scores = []
        for table in (ours, theirs):
            counts = table[rows].sum(0).tolist()
            scores.append(bleu_of_counts(counts[:4], counts[4:8], counts[8], counts[9]))
        wins += (scores[0] > scores[1]) + 0.5 * (scores[0] == scores[1])
    share = wins / len(draws)
    if share >= level:
        return share, "ours"
    return share, "theirs" if 1 - share >= level else "neither"
