r"""Scores of predicted links against sure and possible ones: the alignment error rate, and its two sides."""

from collections.abc import Sequence

from seq2seq.alignment import Links, aer
from seq2seq.corpora.hansards import AlignedPair
from seq2seq.guards import check_counts


def link_scores(predicted: Sequence[Links], pairs: Sequence[AlignedPair]) -> dict[str, float]:
    r"""Error rate, precision and recall over a corpus (Och & Ney, 2003, section 4.2).

    $$\mathrm{precision} = \frac{|A \cap P|}{|A|}, \qquad \mathrm{recall} = \frac{|A \cap S|}{|S|}$$

    A predicted link is right if it is possible; a gold link has to be found only if it is sure.

    Without a predicted link, precision is 0.

    Raises:
        ValueError: the numbers of sentences differ, or no link is sure.
    """
    check_counts(predicted, pairs)
    error = aer(predicted, [pair.links for pair in pairs], [pair.possible for pair in pairs])
    number, sure = sum(map(len, predicted)), sum(len(pair.links) for pair in pairs)
    if not sure:
        raise ValueError("pairs: got no sure link, expected some; without any, recall is undefined.")
    right = sum(len(ours & pair.possible) for ours, pair in zip(predicted, pairs, strict=True))
    recalled = sum(len(ours & pair.links) for ours, pair in zip(predicted, pairs, strict=True))
    return {"aer": error, "precision": right / max(1, number), "recall": recalled / sure}
