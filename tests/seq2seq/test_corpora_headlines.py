"""The headline task: what is copied, what is dropped, and what no model can know by heart."""

import pytest

from seq2seq.corpora.headlines import headlines, held_out
from seq2seq.vocab import UNK, Vocabulary

TRAIN, TEST = headlines(2000, seed=1), headlines(500, seed=1, part="test")
KNOWN = Vocabulary.build([pair.source + pair.target for pair in TRAIN], min_count=20)


def rare(words):
    return [word for word in words if KNOWN.encode([word]) == [UNK]]


def test_a_seed_repeats_the_task_and_another_does_not():
    assert headlines(30, seed=1) == TRAIN[:30]
    assert headlines(30, seed=2) != TRAIN[:30]


def test_the_two_parts_share_no_name_and_no_number():
    in_train, in_test = ({word for pair in pairs for word in rare(pair.source)} for pairs in (TRAIN, TEST))
    assert len(in_test) > 1000
    assert in_train & in_test == set()
    assert all(held_out(word) for word in in_test)
    assert not any(held_out(word) for word in in_train)


def test_all_other_words_are_the_same_in_both_parts():
    common = {word for pair in TEST for word in pair.source + pair.target if not rare([word])}
    assert common == set(KNOWN.tokens[4:])


def test_every_headline_has_rare_words_and_all_are_in_its_sentence():
    for pair in TRAIN + TEST:
        assert rare(pair.target)
        assert set(rare(pair.target)) <= set(pair.source)


def test_some_rare_words_of_the_sentences_are_dropped():
    sides = [(pair.target, pair.source) for pair in TEST]
    kept, there = (sum(len(rare(words)) for words in side) for side in zip(*sides, strict=True))
    assert 0.5 < kept / there < 0.9


def test_a_rare_word_is_linked_to_the_same_word_alone():
    for pair in TEST:
        for j, word in enumerate(pair.target):
            if rare([word]):
                assert [pair.source[i] for i, target in sorted(pair.links) if target == j] == [word]


def test_a_rephrased_word_is_linked_to_every_word_of_its_phrase():
    phrases = {
        tuple(pair.source[i] for i, target in sorted(pair.links) if target == pair.target.index("storm"))
        for pair in TEST
        if "storm" in pair.target
    }
    assert phrases == {("a", "heavy", "storm")}


def test_every_word_but_the_colon_has_a_link():
    unlinked = {
        pair.target[j] for pair in TEST for j in set(range(len(pair.target))) - {target for _, target in pair.links}
    }
    assert unlinked == {":"}


def test_a_headline_says_no_name_twice():
    for pair in TRAIN + TEST:
        assert len(set(rare(pair.target))) == len(rare(pair.target))


def test_sentences_are_longer_than_their_headlines():
    assert all(len(pair.target) < len(pair.source) for pair in TRAIN)
    assert 8 <= min(len(pair.source) for pair in TRAIN) <= max(len(pair.source) for pair in TRAIN) <= 40


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="part: got 'valid', expected one of"):
        headlines(1, seed=0, part="valid")


def test_lists_are_as_long_as_asked():
    pairs = headlines(200, seed=3, places=(6, 8))
    assert {pair.target.count(",") + 2 for pair in pairs if "and" in pair.target} == {6, 7, 8}
    assert {pair.target.count(",") + 2 for pair in TRAIN if "and" in pair.target} == {2, 3, 4}


@pytest.mark.parametrize("places", [(0, 3), (4, 3)])
def test_an_empty_range_of_places_is_refused(places):
    with pytest.raises(ValueError, match="places: got"):
        headlines(1, seed=0, places=places)
