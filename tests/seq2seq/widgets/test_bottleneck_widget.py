import pytest

from seq2seq.corpora.pair import Pair
from seq2seq.widgets.bottleneck import Bottleneck, curve, unmatched

RUNS = [
    {"bleu": {"2-3": 40.0, "4-5": 10.0}, "exact_match": {"2-3": 0.5, "4-5": 0.0}},
    {"bleu": {"2-3": 50.0, "4-5": 20.0}, "exact_match": {"2-3": 0.25, "4-5": 0.001}},
]
BUCKETS = [[2, 3], [4, 5]]


def pair(words):
    return Pair(tuple(f"s{word}" for word in range(words)), tuple(f"t{word}" for word in range(words)), frozenset())


def built(pairs, said):
    return Bottleneck(pairs, {"one": said}, {"one": RUNS}, BUCKETS, longest=4)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("la chatte noire dort", []),
        ("la chatte blanche dort", [2]),
        ("la dort", []),
        ("la chatte noire et dort", [3]),
        ("", []),
    ],
)
def test_words_without_a_partner_in_the_reference_are_found(words, wrong):
    assert unmatched(words.split(), ["la", "chatte", "noire", "dort"]) == wrong


def test_a_word_said_twice_is_wrong_once():
    assert len(unmatched(["la", "la", "chatte"], ["la", "chatte"])) == 1


def test_curve_is_the_mean_over_seeds():
    assert curve(RUNS, "2-3") == {"bleu": 45.0, "exact": 37.5}


def test_a_translation_that_equals_the_reference_is_not_stored_twice():
    [first, second] = built([pair(2), pair(3)], [("t0", "t1"), ("t0", "t2")]).data["examples"]
    assert first["translations"] == [{"words": None, "wrong": [], "missing": 0}]
    assert second["translations"] == [{"words": "t0 t2", "wrong": [], "missing": 1}]


def test_missing_length_is_named():
    with pytest.raises(ValueError, match=r"sources of \[2, 4\] words"):
        built([pair(2), pair(4)], [(), ()])


def test_models_of_translations_and_runs_must_agree():
    with pytest.raises(ValueError, match=r"runs: got models \['other'\]"):
        Bottleneck([pair(2)], {"one": [()]}, {"other": RUNS}, BUCKETS, longest=4)


def test_text_holds_the_first_sentence_and_what_was_made_of_it():
    assert built([pair(2)], [("t0", "t9")]).text() == "s0 s1\none: t0 t9"
