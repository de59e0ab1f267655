r"""BLEU from its parts: runs of words that a translation shares with its reference, and the score from their counts.

The course measures with :func:`seq2seq.metrics.bleu`; this is the definition written out.
"""

import math
from collections import Counter
from collections.abc import Sequence


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
