"""The everyday sentences: as many as promised, and cut as Tatoeba's are."""

import pytest

from seq2seq.corpora.everyday import everyday
from seq2seq.corpora.multi30k import words


def test_a_hundred_pairs_without_repetition():
    pairs = everyday()
    assert len({pair.source for pair in pairs}) == len({pair.target for pair in pairs}) == len(pairs) == 100


def test_sentences_have_4_to_16_words():
    marks = set(".,?!")
    for pair in everyday():
        for side in (pair.source, pair.target):
            assert 4 <= sum(word not in marks for word in side) <= 16, pair


@pytest.mark.parametrize("lowercase", [True, False])
def test_words_are_those_of_the_tokeniser_of_tatoeba(lowercase):
    for pair in everyday(lowercase):
        for side in (pair.source, pair.target):
            assert tuple(words(" ".join(side), lowercase)) == side


def test_the_phrase_of_the_paper_is_there():
    (pair,) = (pair for pair in everyday() if "economic" in pair.source)
    assert " ".join(pair.source).count("the european economic area") == 1
    assert " ".join(pair.target).count("la zone économique européenne") == 1
