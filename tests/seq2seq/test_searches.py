"""What the searches of chapter 11 show, sentence by sentence, by the committed model."""

import pytest

from seq2seq.corpora.grammar import corpus
from seq2seq.experiments.searches import PENALTIES, SENTENCES, search, winner

SOURCES = list(SENTENCES)
WORSE = ("the dog is going to sing .", SOURCES[4])
EMPTY_CITY = "an agency of the old empty city organised a meeting ."
WIDER = {2, 3, 5, 10}


def is_right(source: str, beam_size: int, penalty: str) -> bool:
    nodes = search(source.split(), beam_size, PENALTIES[penalty])
    return " ".join(winner(nodes, PENALTIES[penalty])) == SENTENCES[source]


def test_references_are_those_of_the_grammar_for_sentences_of_many_lengths():
    drawn = [pair for lengths in ((4, 6), (7, 9), (10, 12), (13, 15), (4, 7)) for pair in corpus(300, 31, lengths)]
    targets = {" ".join(pair.source): " ".join(pair.target) for pair in drawn}
    assert {source: targets[source] for source in SENTENCES if source in targets}.items() <= SENTENCES.items()
    lengths = {len(source.split()) for source in SOURCES}
    assert min(lengths) <= 6 < 14 <= max(lengths)


@pytest.mark.parametrize(
    ("source", "penalty", "right", "wrong"),
    [
        ("i will be hungry .", "none", {2}, {1}),  # a wider beam finds what a narrow one misses
        ("she will drink some water .", "none", {3}, {1}),
        (EMPTY_CITY, "none", {5}, {3}),
        (SOURCES[-1], "none", {2}, {1}),
        *((source, "none", {1}, WIDER) for source in WORSE),  # without a penalty wider beams are worse
        *((source, "mean per word", WIDER, set()) for source in WORSE),
        (EMPTY_CITY, "mean per word", set(), {5}),  # which can do harm
    ],
)
def test_the_width_of_a_beam_and_its_penalty_decide(source, penalty, right, wrong):
    assert {size for size in right | wrong if is_right(source, size, penalty)} == right


def test_only_the_mean_per_word_finds_the_computers():
    source = "the girl never breaks any computers ."
    right = {(size, name) for size in (1, 2, 3, 5, 10) for name in PENALTIES if is_right(source, size, name)}
    assert right == {(5, "mean per word"), (10, "mean per word")}


def test_greedy_search_leaves_no_way_back():
    nodes = search(["i", "will", "be", "hungry", "."], 1, PENALTIES["none"])
    assert winner(nodes, PENALTIES["none"])[:2] == ["je", "serai"]
