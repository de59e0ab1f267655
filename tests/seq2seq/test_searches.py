"""What the searches of chapter 11 show, sentence by sentence, by the committed model."""

import pytest

from seq2seq.corpora.grammar import corpus
from seq2seq.experiments.searches import PENALTIES, SENTENCES, search, winner

SOURCES = list(SENTENCES)


def is_right(source: str, beam_size: int, penalty: str) -> bool:
    nodes = search(source.split(), beam_size, PENALTIES[penalty])
    return " ".join(winner(nodes, PENALTIES[penalty])) == SENTENCES[source]


def test_there_are_sentences_of_many_lengths():
    lengths = {len(source.split()) for source in SOURCES}
    assert len(SOURCES) >= 6
    assert min(lengths) <= 6
    assert max(lengths) >= 14
    assert len(lengths) >= 5


def test_references_are_those_of_the_grammar():
    drawn = [pair for lengths in ((4, 6), (7, 9), (10, 12), (13, 15), (4, 7)) for pair in corpus(300, 31, lengths)]
    targets = {" ".join(pair.source): " ".join(pair.target) for pair in drawn}
    assert {source: targets[source] for source in SENTENCES if source in targets}.items() <= SENTENCES.items()


@pytest.mark.parametrize(
    ("source", "missed", "found"),
    [
        ("i will be hungry .", 1, 2),
        ("she will drink some water .", 1, 3),
        ("an agency of the old empty city organised a meeting .", 3, 5),
        (SOURCES[-1], 1, 2),
    ],
)
def test_a_wider_beam_finds_what_a_narrow_one_misses(source, missed, found):
    assert not is_right(source, missed, "none")
    assert is_right(source, found, "none")


@pytest.mark.parametrize("source", ["the dog is going to sing .", SOURCES[4]])
def test_without_a_penalty_wider_beams_are_worse(source):
    assert is_right(source, 1, "none")
    assert not any(is_right(source, size, "none") for size in (2, 3, 5, 10))
    assert all(is_right(source, size, "mean per word") for size in (2, 3, 5, 10))


def test_only_the_mean_per_word_finds_the_computers():
    source = "the girl never breaks any computers ."
    right = {(size, name) for size in (1, 2, 3, 5, 10) for name in PENALTIES if is_right(source, size, name)}
    assert right == {(5, "mean per word"), (10, "mean per word")}


def test_the_mean_per_word_can_do_harm():
    source = "an agency of the old empty city organised a meeting ."
    assert not is_right(source, 5, "mean per word")


def test_greedy_search_leaves_no_way_back():
    nodes = search(["i", "will", "be", "hungry", "."], 1, PENALTIES["none"])
    assert winner(nodes, PENALTIES["none"])[:2] == ["je", "serai"]
