"""Symbol error rate: the fewest edits that turn what was recognised into what was said."""

from collections.abc import Sequence

from seq2seq.guards import check_sides


def edit_distance(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    r"""The fewest insertions, deletions and substitutions that turn one sequence into the other (Levenshtein, 1966).

    $$d_{ij} = \min\left(d_{i-1,j} + 1,\; d_{i,j-1} + 1,\; d_{i-1,j-1} + [x_i \ne y_j]\right)$$
    """
    before = list(range(len(reference) + 1))  # row i - 1 of d
    for i, ours in enumerate(hypothesis, 1):
        row = [i]
        for j, theirs in enumerate(reference, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (ours != theirs)))
        before = row
    return before[-1]


def symbol_error_rate(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """All edits over all symbols of the references; 0 is perfect, and more than 1 is possible.

    Raises:
        ValueError: the numbers of sequences differ, or the references have no symbol.
        TypeError: a sequence is a string.
    """
    check_sides(hypotheses, references)
    symbols = sum(map(len, references))
    if not symbols:
        raise ValueError("references: got no symbol, expected at least one; there is nothing to divide by.")
    return sum(map(edit_distance, hypotheses, references)) / symbols
