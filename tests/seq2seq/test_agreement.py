"""Agreement of annotators, and the scores of links, on cases computed by hand."""

import pytest

from seq2seq.corpora.everyday import ANNOTATORS, annotation
from seq2seq.corpora.hansards import AlignedPair
from seq2seq.evaluation.agreement import agreement
from seq2seq.evaluation.link_scores import link_scores


def pair(sure, possible=()):
    return AlignedPair(("a", "b"), ("c", "d"), frozenset(sure), frozenset(sure) | frozenset(possible))


ONE = pair({(0, 0), (1, 1)})
TWO = pair({(0, 0)}, {(1, 1), (1, 0)})


def test_the_f1_of_sure_links_and_of_all_whose_counts_are_summed_over_the_corpus():
    both = agreement([ONE], [TWO])
    assert (both.sure_f1, both.all_f1) == pytest.approx((2 * 1 / (2 + 1), 2 * 2 / (2 + 3)))
    assert agreement([ONE, pair({(0, 0)})], [TWO, pair({(0, 0)})]).sure_f1 == pytest.approx(2 * 2 / (3 + 2))


def test_kappa_judges_every_pair_of_positions_by_three_labels():
    # cell (0,0) is sure and sure, (1,1) sure and possible, (1,0) none and possible, (0,1) none and none
    observed = 2 / 4
    expected = (2 * 1 + 0 * 2 + 2 * 1) / 16
    assert agreement([ONE], [TWO]).kappa == pytest.approx((observed - expected) / (1 - expected))


def test_an_annotator_agrees_fully_with_the_same_links_and_order_does_not_matter():
    assert agreement([ONE, TWO], [ONE, TWO]) == (1, 1, 1)
    assert agreement([ONE], [TWO]) == agreement([TWO], [ONE])
    assert min(agreement(*map(annotation, ANNOTATORS))) > 0.9  # of the everyday sentences


def test_precision_asks_for_possible_links_and_recall_for_sure_ones():
    # of three predicted links one is sure and one more possible; of two sure ones, one is found
    predicted = frozenset({(0, 0), (0, 1), (1, 0)})
    gold = pair({(0, 0), (1, 1)}, {(1, 0)})
    expected = {"precision": 2 / 3, "recall": 1 / 2, "aer": 1 - (1 + 2) / (3 + 2)}
    assert link_scores([predicted], [gold]) == pytest.approx(expected)
    assert link_scores([frozenset()], [ONE]) == {"aer": 1, "precision": 0, "recall": 0}
