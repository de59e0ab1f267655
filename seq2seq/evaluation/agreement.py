r"""Agreement of two annotators who linked the words of the same pairs of sentences."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from seq2seq.corpora.hansards import AlignedPair
from seq2seq.guards import check_counts


class Agreement(NamedTuple):
    sure_f1: float
    all_f1: float
    kappa: float


def agreement(first: Sequence[AlignedPair], second: Sequence[AlignedPair]) -> Agreement:
    r"""How far two annotators agree: on the sure links, on all links, and on every pair of positions.

    $$F_1 = \frac{2 |A \cap B|}{|A| + |B|}, \qquad \kappa = \frac{p_o - p_e}{1 - p_e}$$

    $A$ and $B$ are the links of the two annotators, over the corpus.
    Cohen's $\kappa$ (1960) judges each pair of a source and a target position, which each annotator calls sure,
    possible or not linked: $p_o$ is the share of these on which the two agree, and $p_e$ the share on which they would
    agree by chance, if each dealt out as many of each label at random.

    Raises:
        ValueError: the annotators differ in their sentences, or one of the measures is undefined: neither has a sure
            link, or both gave every pair of positions the same label.
    """
    check_counts(first, second)
    labels: Counter[tuple[str, str]] = Counter()
    for ours, theirs in zip(first, second, strict=True):
        if (ours.source, ours.target) != (theirs.source, theirs.target):
            raise ValueError(f"second: got the sentence {theirs.source}, expected {ours.source}, as the first has it.")
        labels.update(
            (_label(ours, cell), _label(theirs, cell))
            for cell in ((i, j) for i in range(len(ours.source)) for j in range(len(ours.target)))
        )
    return Agreement(
        _f1([ours.links for ours in first], [theirs.links for theirs in second]),
        _f1([ours.possible for ours in first], [theirs.possible for theirs in second]),
        _kappa(labels),
    )


def _label(pair: AlignedPair, cell: tuple[int, int]) -> str:
    return "sure" if cell in pair.links else "possible" if cell in pair.possible else "none"


def _f1(first: Sequence[frozenset], second: Sequence[frozenset]) -> float:
    links = sum(map(len, first)) + sum(map(len, second))
    if links == 0:
        raise ValueError("first, second: no link on either side; the agreement is undefined.")
    return 2 * sum(len(ours & theirs) for ours, theirs in zip(first, second, strict=True)) / links


def _kappa(labels: Counter[tuple[str, str]]) -> float:
    total = labels.total()
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for (first, second), count in labels.items():
        ours[first] += count
        theirs[second] += count
    observed = sum(count for (first, second), count in labels.items() if first == second) / total
    expected = sum(ours[label] * theirs[label] for label in ours) / total**2
    if expected == 1:
        raise ValueError("first, second: every pair of positions has one label; the agreement is undefined.")
    return (observed - expected) / (1 - expected)
