"""ROUGE against counts by hand and against a search of all subsequences."""

import random
from collections import Counter
from itertools import combinations

import pytest

from seq2seq.evaluation.rouge import longest_common_subsequence, rouge_l, rouge_n


def test_rouge_1_by_hand():
    # the, cat are common; 3 tokens of ours, 6 of the reference
    score = rouge_n([["the", "cat", "sleeps"]], [["the", "cat", "sat", "on", "the", "mat"]], 1)
    precision, recall = 2 / 3, 2 / 6
    assert score == pytest.approx(2 * precision * recall / (precision + recall))


def test_rouge_2_by_hand():
    score = rouge_n([["a", "b", "c", "d"]], [["b", "c", "d", "e", "a", "b"]], 2)
    precision, recall = 3 / 3, 3 / 5  # ab, bc, cd
    assert score == pytest.approx(2 * precision * recall / (precision + recall))


def test_rouge_l_by_hand():
    reference = ["storm", "hits", "two", "towns"]
    in_order, turned = ["storm", "damages", "two", "towns"], ["two", "towns", "damages", "storm"]
    # of three common words, all are in the order of the reference, or two
    assert rouge_l([in_order], [reference]) == pytest.approx(3 / 4)
    assert rouge_l([turned], [reference]) == pytest.approx(2 / 4)


def test_a_repeated_word_counts_as_often_as_both_have_it():
    assert rouge_n([["a", "a", "a"]], [["a", "a", "b"]], 1) == pytest.approx(2 / 3)


def test_the_score_of_a_corpus_is_the_mean_of_its_summaries():
    ours, theirs = [["a"], ["a", "b"]], [["a"], ["c", "d"]]
    assert rouge_n(ours, theirs, 1) == rouge_l(ours, theirs) == pytest.approx(0.5)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_equal_summaries_score_1_and_strangers_0(n):
    same, other = [["a", "b", "c", "d"]], [["e", "f", "g", "h"]]
    assert rouge_n(same, same, n) == rouge_l(same, same) == 1
    assert rouge_n(same, other, n) == rouge_l(same, other) == 0


def test_an_empty_summary_scores_0_and_two_empty_ones_1():
    assert rouge_n([[]], [["a"]], 1) == rouge_l([[]], [["a"]]) == rouge_l([["a"]], [[]]) == 0
    assert rouge_n([[]], [[]], 1) == rouge_l([[]], [[]]) == 1


def test_summaries_shorter_than_n_score_by_being_equal():
    assert rouge_n([["a"]], [["a"]], 2) == 1
    assert rouge_n([["a"]], [["b"]], 2) == 0


def test_lists_and_tuples_are_alike():
    assert rouge_n([["a"]], [("a",)], 2) == rouge_l([["a"]], [("a",)]) == 1


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


def test_order_counts_for_rouge_l_and_not_for_rouge_1():
    assert rouge_n([["b", "a"]], [["a", "b"]], 1) == 1
    assert rouge_l([["b", "a"]], [["a", "b"]]) == 0.5


@pytest.mark.parametrize("references", [[], [["a"], ["b"]]])
def test_unequal_numbers_are_refused(references):
    with pytest.raises(ValueError, match="summaries: got 1 of ours"):
        rouge_l([["a"]], references)


def test_nothing_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        rouge_n([], [], 1)


def test_a_string_that_was_not_split_is_refused():
    with pytest.raises(ValueError, match="references: got a string"):
        rouge_l([["a", "b"]], ["a b"])


def test_an_n_of_0_is_refused():
    with pytest.raises(ValueError, match="n: got 0"):
        rouge_n([["a"]], [["a"]], 0)
