r"""Alignment: links between source and target words, read off attention weights, and their error rates.

A link is (source position, target position), both from 0.
Where there is no link at all an error rate is undefined: :func:`aer` and :func:`soft_aer` refuse,
:func:`alignment_error`, whose answer is a tensor, gives NaN.
"""

import random
from collections.abc import Sequence

import torch
from torch import Tensor

from seq2seq.guards import check_at_least, check_counts, check_links, check_table

Link = tuple[int, int]
Links = frozenset[Link]


def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:
    r"""The source position of the largest weight, for each target word of a batch.

    $$a_{t+s} = \operatorname{argmax}_{j \text{ real}} \alpha_{tj}$$

    With a shift $s$, the weights of step $t$ are taken to belong to target word $t + s$.
    A word without a step gets -1.

    Shape:
        weights: (batch, target_len, source_len)
        source_mask: (batch, source_len), bool, True = real token; padding is never chosen, whatever its weight
        positions: (batch, target_len), int64, from 0
    """
    best = weights.masked_fill(~source_mask.unsqueeze(1), -1.0).argmax(dim=-1)
    # the step of each word
    steps = torch.arange(best.size(1), device=best.device) - shift
    known = (steps >= 0) & (steps < best.size(1))
    return best[:, steps.clamp(0, best.size(1) - 1)].masked_fill(~known, -1)


def hard_links(weights: Tensor, source_length: int, target_length: int, shift: int = 0) -> Links:
    r"""One link per target word, to the source word of the largest weight.

    With a shift $s$, the weights of step $t$ are taken to belong to target word $t + s$.
    Shift 0 asks where the model looks while it writes a word.
    Shift -1 asks where it looks just after: Luong et al. (2015, footnote 14) argue that weights computed from a state
    that has read word $t - 1$ align that word.

    Shape:
        weights: (target_len, source_len), of one sentence; padding beyond the two lengths is ignored, and the row
            of EOS is read only if the shift is below 0

    Raises:
        ValueError: there is no source word, there are more words than weights, or a weight is not a number.
    """
    check_at_least("source_length", source_length, 1, ", because each target word gets a source word")
    check_table(weights, source_length, target_length)
    rows = torch.as_tensor(weights)[: target_length + max(0, -shift), :source_length]
    if rows.isnan().any():
        raise ValueError("weights: got nan, expected numbers; no word is looked at most.")
    real = rows.new_ones(1, source_length, dtype=torch.bool)
    sources = hard_alignment(rows.unsqueeze(0), real, shift)[0, :target_length].tolist()
    return frozenset((source, word) for word, source in enumerate(sources) if source >= 0)


def aer(predicted: Sequence[Links], sure: Sequence[Links], possible: Sequence[Links] | None = None) -> float:
    r"""Alignment error rate over a corpus (Och & Ney, 2003, section 3); 0 is perfect, 1 means no correct link.

    $$\mathrm{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$

    $A$ are the predicted links, $S$ the sure ones, which must be found, and $P \supseteq S$ the possible ones, which
    may be found; if none are given, $P = S$. A sure link counts as possible, listed or not.
    With one predicted link per target word, words that have no gold link, or several, keep it above 0.

    Raises:
        ValueError: the numbers of sentences differ, there is no link at all, or a position is below 0.
        TypeError: the links of a sentence are not a set of pairs of whole numbers.
    """
    possible = sure if possible is None else possible
    _check_links_of(predicted=predicted, sure=sure, possible=possible)
    hits = links = 0
    for ours, must, may in zip(predicted, sure, possible, strict=True):
        hits += len(ours & must) + len(ours & (may | must))
        links += len(ours) + len(must)
    return _error(hits, links)


def soft_aer(weights: Sequence[Tensor], sure: Sequence[Links], possible: Sequence[Links] | None = None) -> float:
    r"""Alignment error rate of the weights as they are, without choosing a largest one (SAER; Tu et al., 2016).

    $$\mathrm{SAER} = 1 - \frac{\sum_{S} \alpha_{ij} + \sum_{P} \alpha_{ij}}{\sum_{ij} \alpha_{ij} + |S|}$$

    Each link counts with the weight that the model gives it, so that uncertainty costs.

    Shape:
        weights: for each sentence (target_length, source_length), without padding and without the row of EOS

    Raises:
        ValueError: the numbers of sentences differ, there is no link at all, or a link lies outside the weights.
        TypeError: the links of a sentence are not a set of pairs of whole numbers.
    """
    possible = sure if possible is None else possible
    _check_links_of(sure=sure, possible=possible)
    check_counts(weights, sure)
    hits = links = 0.0
    for rows, must, may in zip(map(torch.as_tensor, weights), sure, possible, strict=True):
        check_table(rows, 0, 0)
        hits += _weight_on(rows, must) + _weight_on(rows, may | must)
        links += rows.sum().item() + len(must)
    return _error(hits, links)


def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:
    r"""Alignment error rate of a batch from tables of links (Och & Ney, 2003, section 3), hard or soft.

    $$\mathrm{AER} = 1 - \frac{\sum A S + \sum A P}{\sum A + \sum S}$$

    The sums run over all cells of all sentences at once.
    A predicted table of zeros and ones gives the hard error rate, one of weights the soft one (Tu et al., 2016).
    A sure link counts as possible, listed or not.

    Shape:
        predicted: (batch, target_len, source_len), bool or weights, $A$; zero at padding
        sure, possible: the same shape, bool, $S$ and $P$
        error: ()
    """
    possible = possible | sure
    hits = (predicted * sure).sum() + (predicted * possible).sum()
    return 1 - hits / (predicted.sum() + sure.sum())


def diagonal(source_length: int, target_length: int) -> list[int]:
    r"""A baseline: for every target word, the source position at the same relative position, rounded.

    $$a_t = \mathrm{round}\left(t \, \frac{S - 1}{T - 1}\right), \qquad t = 0, \ldots, T - 1$$

    A single target word gets position 0.

    Raises:
        ValueError: there is no source word.
    """
    check_at_least("source_length", source_length, 1, ", because each target word gets a source word")
    last = max(1, target_length - 1)
    return [round(step * (source_length - 1) / last) for step in range(target_length)]


def diagonal_links(source_length: int, target_length: int) -> Links:
    """The links of :func:`diagonal`."""
    return frozenset((source, step) for step, source in enumerate(diagonal(source_length, target_length)))


def random_links(source_length: int, target_length: int, generator: random.Random) -> Links:
    """A baseline: every target word linked to a random source word.

    Raises:
        ValueError: there is no source word.
    """
    check_at_least("source_length", source_length, 1, ", because each target word gets a source word")
    return frozenset((generator.randrange(source_length), step) for step in range(target_length))


def best_links(gold: Links, target_length: int) -> Links:
    """An upper bound: the best possible result with exactly one link per target word.

    A word with several gold links gets one of them; a word without any gets a wrong one.
    """
    choice = {target: source for source, target in sorted(gold, reverse=True)}
    return frozenset((choice.get(step, 0), step) for step in range(target_length))


def _check_links_of(**sides: Sequence[Links]) -> None:
    for name, side in sides.items():
        for links in side:
            check_links(name, links)
        check_counts(next(iter(sides.values())), side)


def _weight_on(rows: Tensor, links: Links) -> float:
    why = ", the shape of the weights; are they transposed, or cut too short?"
    check_links("links", links, (rows.size(1), rows.size(0)), why)
    if not links:
        return 0.0
    sources, targets = zip(*links, strict=True)
    return rows[list(targets), list(sources)].sum().item()


def _error(hits: float, links: float) -> float:
    if links == 0:
        raise ValueError("predicted, gold: no link on either side; the error rate is undefined.")
    return 1 - hits / links
