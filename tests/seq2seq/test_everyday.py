"""The everyday sentences: as many as promised, cut as Tatoeba's are, with links by two annotators."""

import pytest

from seq2seq.corpora.everyday import ANNOTATORS, annotation, everyday, linked
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


def test_the_phrase_of_the_paper_is_there_and_crosses():
    (pair,) = (pair for pair in everyday() if "economic" in pair.source)
    english, french = ("european", "economic", "area"), ("zone", "économique", "européenne")
    assert " ".join(english) in " ".join(pair.source)
    assert " ".join(french) in " ".join(pair.target)
    places = [(pair.source.index(one), pair.target.index(two)) for one, two in zip(english, french[::-1], strict=True)]
    assert pair.links >= set(places)


def test_sure_is_what_both_say_and_possible_what_either_says():
    first, second = (annotation(annotator) for annotator in ANNOTATORS)
    differ = 0
    for pair, one, two in zip(everyday(), first, second, strict=True):
        assert pair.links == one.links & two.links
        assert pair.possible == one.possible | two.possible
        differ += one != two
    assert differ > 0


def test_every_final_mark_is_linked_to_its_counterpart():
    for pair in everyday():
        assert (len(pair.source) - 1, len(pair.target) - 1) in pair.links


def test_marks_become_sure_and_possible_links():
    pair = linked("A red car .\tUne voiture rouge .", "7\t0-0 1-2 2-1 0?1 3-3", 7)
    assert pair.links == {(0, 0), (1, 2), (2, 1), (3, 3)}
    assert pair.possible - pair.links == {(0, 1)}


def test_marks_of_another_pair_are_refused():
    with pytest.raises(ValueError, match="got those of pair 8, expected those of 7"):
        linked("A\tUn", "8\t0-0", 7)


@pytest.mark.parametrize(
    ("mark", "said"), [("0p0", "pair 7: got the link '0p0'"), ("0-0-0", "pair 7: got"), ("0-1", "a target position")]
)
def test_a_mark_that_is_no_link_of_the_pair_is_refused(mark, said):
    with pytest.raises(ValueError, match=said):
        linked("A\tUn", f"7\t{mark}", 7)
