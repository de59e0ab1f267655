"""The grammar corpus as data: sizes, lengths, repeatability, one translation per sentence, disjoint splits."""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from seq2seq.corpora.grammar import corpus, sample_pair, splits

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pairs():
    return corpus(3000, seed=7, lengths=(4, 60))


def test_lengths_are_within_the_range_and_roughly_uniform(pairs):
    counts = Counter(len(pair.source) for pair in pairs)
    assert set(counts) == set(range(4, 61))
    expected = len(pairs) / 57
    assert all(0.5 * expected < count < 1.6 * expected for count in counts.values())


@pytest.mark.parametrize("length", [3, 4, 5, 9, 17, 33, 60, 90])
def test_a_single_length_is_met_exactly(length):
    rng = Random(length)
    assert all(len(sample_pair(rng, (length, length)).source) == length for _ in range(40))


def test_each_side_has_more_than_five_hundred_words(pairs):
    assert len({word for pair in pairs for word in pair.source}) > 500
    assert len({word for pair in pairs for word in pair.target}) > 500


def test_no_word_of_the_vocabulary_is_too_rare_to_be_learned(pairs):
    """At 60,000 pairs four words of five occur sixty times or more."""
    counts = Counter(word for pair in pairs for word in pair.target)
    assert sum(count >= 3 for count in counts.values()) > 0.8 * len(counts)


def test_tokens_are_lower_case_and_without_spaces(pairs):
    for pair in pairs[:1000]:
        for word in (*pair.source, *pair.target):
            assert word == word.lower()
            assert word.split() == [word]


def test_every_sentence_ends_with_its_only_full_stop(pairs):
    for pair in pairs:
        assert pair.source.index(".") == len(pair.source) - 1
        assert pair.target.index(".") == len(pair.target) - 1


def test_one_english_sentence_has_one_translation_and_one_alignment():
    """Short sentences repeat often when drawn anew, so that a second translation would show."""
    rng = Random(5)
    known, repeated = {}, 0
    for _ in range(10_000):
        pair = sample_pair(rng, (3, 6))
        if pair.source in known:
            repeated += 1
            assert known[pair.source] == pair
        known[pair.source] = pair
    assert repeated > 800


def test_the_corpus_has_no_sentence_twice(pairs):
    assert len({pair.source for pair in pairs}) == len(pairs)


def test_a_seed_repeats_the_corpus_whatever_the_hash_seed():
    code = "from seq2seq.corpora.grammar import corpus; print(corpus(60, 9, (4, 40))[-1].target)"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {f"{corpus(60, 9, (4, 40))[-1].target}\n"}


def test_another_seed_gives_another_corpus():
    assert corpus(20, seed=1) != corpus(20, seed=2)


def test_splits_share_no_source_sentence():
    train, validation, test = splits(1500, 300, 300, seed=4, lengths=(4, 7))
    assert (len(train), len(validation), len(test)) == (1500, 300, 300)
    sources = [pair.source for part in (train, validation, test) for pair in part]
    assert len(set(sources)) == len(sources)


def test_the_test_split_may_be_longer_than_the_training_split():
    train, validation, test = splits(50, 20, 50, seed=4, lengths=(4, 20), test_lengths=(30, 40))
    assert max(len(pair.source) for pair in train + validation) <= 20
    assert min(len(pair.source) for pair in test) >= 30


@pytest.mark.parametrize("lengths", [(2, 5), (9, 8)])
def test_impossible_lengths_are_refused(lengths):
    with pytest.raises(ValueError, match="lengths: got"):
        corpus(1, seed=0, lengths=lengths)


def test_more_sentences_than_the_grammar_has_are_refused():
    with pytest.raises(ValueError, match="size: no new sentence of 3 words"):
        corpus(100_000, seed=0, lengths=(3, 3))


def test_a_corpus_of_sixty_thousand_takes_less_than_a_minute_of_one_core():
    """A loose bound, extrapolated, so that a slow machine passes; it takes a fifth of that."""
    started = time.process_time()
    corpus(1000, seed=3, lengths=(4, 50))
    assert 60 * (time.process_time() - started) < 60
