"""ROUGE against counts by hand and against a search of all subsequences."""

import random
from collections import Counter
from itertools import combinations

import pytest

from seq2seq.evaluation.rouge import longest_common_subsequence, rouge_l, rouge_n

CASES = [  # ours, the reference, ROUGE-1, -2, -L
    ("the cat sleeps", "the cat sat on the mat", 2 * (2 / 3 * 2 / 6) / (2 / 3 + 2 / 6), 2 * 1 / (2 + 5), 4 / 9),
    ("a b c d", "b c d e a b", 2 * 4 / 10, 2 * (1 * 3 / 5) / (1 + 3 / 5), 2 * 3 / 10),  # ab, bc, cd; b c d
    ("two towns damages storm", "storm hits two towns", 3 / 4, 1 / 3, 2 / 4),  # not in the order of the reference
    ("a a a", "a a b", 2 / 3, 1 / 2, 2 / 3),  # a repeated word counts as often as both have it
    ("b a", "a b", 1, 0, 0.5),
    ("a", "a", 1, 1, 1),  # shorter than n: by being equal
    ("a", "b", 0, 0, 0),
    ("", "a", 0, 0, 0),
    ("a", "", 0, 0, 0),
    ("", "", 1, 1, 1),
]


@pytest.mark.parametrize(("ours", "reference", "one", "two", "longest"), CASES)
def test_the_scores_by_hand_for_lists_and_tuples(ours, reference, one, two, longest):
    for kind in (list, tuple):
        sides = [ours.split()], [kind(reference.split())]
        assert [rouge_n(*sides, 1), rouge_n(*sides, 2), rouge_l(*sides)] == pytest.approx([one, two, longest])


def test_the_score_of_a_corpus_is_the_mean_of_its_summaries():
    ours, theirs = [["a"], ["a", "b"]], [["a"], ["c", "d"]]
    assert rouge_n(ours, theirs, 1) == rouge_l(ours, theirs) == pytest.approx(0.5)


def test_the_longest_common_subsequence_is_that_of_a_search():
    generator = random.Random(4)
    for _ in range(40):
        ours, theirs = (generator.choices("abc", k=generator.randint(0, 7)) for _ in range(2))
        shared = [
            size for size in range(len(ours) + 1) if set(combinations(ours, size)) & set(combinations(theirs, size))
        ]
        assert longest_common_subsequence(ours, theirs) == max(shared)


@pytest.mark.parametrize("n", [1, 2])
def test_the_score_is_that_of_precision_and_recall_counted_apart(n):
    generator = random.Random(5)
    for _ in range(30):
        ours, theirs = (generator.choices("abcd", k=generator.randint(3, 9)) for _ in range(2))
        counts = [Counter(zip(*(side[k:] for k in range(n)), strict=False)) for side in (ours, theirs)]
        common = sum(min(counts[0][gram], counts[1][gram]) for gram in counts[0])
        precision, recall = common / counts[0].total(), common / counts[1].total()
        expected = 2 * precision * recall / (precision + recall) if common else 0
        assert rouge_n([ours], [theirs], n) == pytest.approx(expected)
