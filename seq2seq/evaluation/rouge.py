r"""ROUGE: how much of a reference summary's wording is in a summary, and vice versa (Lin, 2004).

F1 of common n-grams and of the longest common subsequence, between tokens as they are: no stemming, no stop words, one
reference.
"""

from collections import Counter
from collections.abc import Sequence

from seq2seq.guards import check_at_least, check_sides

Tokens = Sequence[str]


def rouge_n(hypotheses: Sequence[Tokens], references: Sequence[Tokens], n: int) -> float:
    r"""ROUGE-N, 0 to 1: the mean over summaries of the F1 of their n-grams (Lin, 2004, section 2).

    $$R = \frac{\sum_g \min(h_g, r_g)}{\sum_g r_g}, \qquad P = \frac{\sum_g \min(h_g, r_g)}{\sum_g h_g}, \qquad
      F_1 = \frac{2 P R}{P + R}$$

    $h_g$ and $r_g$ count the n-gram $g$ in the summary and in the reference; a repeated one counts as often as both
    have it.
    If neither has an n-gram, both are shorter than n; they score 1 if they are equal, else 0.

    Raises:
        ValueError: n is below 1, the numbers of summaries differ, or there are none.
        TypeError: a summary is a string.
    """
    check_at_least("n", n, 1)
    return _mean([_n_gram_f1(ours, theirs, n) for ours, theirs in _pairs(hypotheses, references)])


def rouge_l(hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> float:
    r"""ROUGE-L, 0 to 1: the mean over summaries of the F1 of the longest common subsequence (Lin, 2004, section 3).

    $$R = \frac{\mathrm{LCS}(h, r)}{|r|}, \qquad P = \frac{\mathrm{LCS}(h, r)}{|h|}, \qquad F_1 = \frac{2 P R}{P + R}$$

    Two empty summaries score 1.

    Raises:
        ValueError: the numbers of summaries differ, or there are none.
        TypeError: a summary is a string.
    """
    return _mean([_subsequence_f1(ours, theirs) for ours, theirs in _pairs(hypotheses, references)])


def longest_common_subsequence(ours: Tokens, theirs: Tokens) -> int:
    """The length of the longest sequence of tokens that both contain in order, with or without gaps."""
    lengths = [0] * (len(theirs) + 1)  # for the tokens of ours read so far and each prefix of theirs
    for token in ours:
        diagonal = 0
        for column, other in enumerate(theirs, start=1):
            above = lengths[column]
            lengths[column] = diagonal + 1 if token == other else max(above, lengths[column - 1])
            diagonal = above
    return lengths[-1]


def _n_gram_f1(ours: Tokens, theirs: Tokens, n: int) -> float:
    ours_counted, theirs_counted = (
        Counter(tuple(tokens[first : first + n]) for first in range(len(tokens) - n + 1)) for tokens in (ours, theirs)
    )
    total = ours_counted.total() + theirs_counted.total()
    if not total:
        return float(list(ours) == list(theirs))
    return 2 * (ours_counted & theirs_counted).total() / total  # the same as 2PR / (P + R), and defined at 0


def _subsequence_f1(ours: Tokens, theirs: Tokens) -> float:
    total = len(ours) + len(theirs)
    return 2 * longest_common_subsequence(ours, theirs) / total if total else 1.0


def _pairs(hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> list[tuple[Tokens, Tokens]]:
    check_sides(hypotheses, references)
    return list(zip(hypotheses, references, strict=True))


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / len(scores)
