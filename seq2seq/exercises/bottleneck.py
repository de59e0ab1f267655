r"""Chapter 3: BLEU from its parts and by length, whether two systems differ by chance, and sources reversed.

The course measures with :func:`seq2seq.metrics.bleu`; here is its definition written out.
"""

import math
from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor


def ngram_matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int]:
    r"""Clipped matches of n-grams in one sentence, and how many n-grams it has (Papineni et al., 2002, section 2.1).

    $$\mathrm{matches} = \sum_{g} \min\left(\mathrm{count}_{\mathrm{hypothesis}}(g),
      \mathrm{count}_{\mathrm{reference}}(g)\right)$$

    An n-gram is a run of n neighbouring words; a sentence that is shorter than n has none.

    Returns:
        matches and total: two whole numbers
    """
    ours = Counter(tuple(hypothesis[start : start + n]) for start in range(len(hypothesis) - n + 1))
    theirs = Counter(tuple(reference[start : start + n]) for start in range(len(reference) - n + 1))
    matches = sum(min(count, theirs[ngram]) for ngram, count in ours.items())
    return matches, sum(ours.values())


def bleu_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> float:
    r"""Corpus BLEU, 0 to 100, from the counts of the whole corpus (Papineni et al., 2002, section 2.3).

    $$\mathrm{BLEU} = 100 \cdot \min\left(1, e^{1 - r/c}\right) \cdot
      \left(\prod_{n=1}^{N} \frac{\mathrm{matches}_n}{\mathrm{total}_n}\right)^{1/N}$$

    `matches` and `totals` have one entry for each n from 1 to N; c and r are the lengths of all hypotheses and of all
    references.
    Where no n-gram of some n matches, BLEU is 0: there is no smoothing.
    """
    if min(matches) == 0:
        return 0.0
    logs = [math.log(match / total) for match, total in zip(matches, totals, strict=True)]
    brevity = min(1.0, math.exp(1 - reference_length / hypothesis_length))
    return 100 * brevity * math.exp(sum(logs) / len(logs))


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
        counts = [[ngram_matches(hypothesis, reference, n) for hypothesis, reference in pairs] for n in range(1, 5)]
        matches = [sum(match for match, _ in of_n) for of_n in counts]
        totals = [sum(total for _, total in of_n) for of_n in counts]
        hypothesis_words = sum(len(hypothesis) for hypothesis, _ in pairs)
        reference_words = sum(len(reference) for _, reference in pairs)
        scores.append(bleu_of_counts(matches, totals, hypothesis_words, reference_words))
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


def reverse_source(source: Tensor, source_lengths: Tensor) -> Tensor:
    """Each sentence from its last word to its first, its padding kept at the end: a b c – – → c b a – –.

    (Sutskever et al., 2014, section 3.3, for sentences that are already padded.)

    Shape:
        source: (batch, source_len), ids, PAD after the end
        source_lengths: (batch,)
        reversed: (batch, source_len)
    """
    positions = torch.arange(source.size(1), device=source.device)
    mirrored = source_lengths.unsqueeze(1) - 1 - positions  # (batch, source_len), below 0 at padding
    return source.gather(1, torch.where(mirrored >= 0, mirrored, positions))
