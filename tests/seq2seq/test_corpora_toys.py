import pytest

from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import copy, reverse


def test_copy_has_the_source_as_its_target_and_links_each_place_to_itself():
    for pair in copy(50, seed=1, lengths=(2, 7), symbols=11):
        assert pair.target == pair.source
        assert pair.links == {(i, i) for i in range(len(pair.source))}


def test_reverse_links_equal_symbols_from_both_ends():
    for pair in reverse(50, seed=1, lengths=(2, 7), symbols=11):
        assert list(pair.target) == list(reversed(pair.source))
        assert len(pair.links) == len(pair.source)
        for source, target in pair.links:
            assert source + target == len(pair.source) - 1


@pytest.mark.parametrize("task", [copy, reverse])
def test_a_seed_repeats_the_corpus_and_another_does_not(task):
    assert task(20, seed=3) == task(20, seed=3)
    assert task(20, seed=3) != task(20, seed=4)


def test_size_lengths_and_symbols_are_those_asked_for():
    pairs = reverse(500, seed=2, lengths=(3, 5), symbols=4)
    assert len(pairs) == 500
    assert {len(pair.source) for pair in pairs} == {3, 4, 5}
    assert {symbol for pair in pairs for symbol in pair.source} == {"0", "1", "2", "3"}


@pytest.mark.parametrize("lengths", [(0, 3), (4, 3)])
def test_impossible_lengths_are_refused(lengths):
    with pytest.raises(ValueError, match="lengths: got"):
        copy(1, seed=0, lengths=lengths)


def test_a_task_without_symbols_is_refused():
    with pytest.raises(ValueError, match="symbols: got 0"):
        copy(1, seed=0, symbols=0)


@pytest.mark.parametrize("link", [(2, 0), (0, 3), (-1, 0)])
def test_a_pair_refuses_a_link_outside_its_sentences(link):
    with pytest.raises(ValueError, match="links: got"):
        Pair(("a", "b"), ("c", "d", "e"), frozenset({link}))
