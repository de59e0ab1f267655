"""The experiment on summaries without recurrence: its data, its measures, and that it runs and resumes."""

import json

import pytest
import torch

from seq2seq.corpora.pair import Pair
from seq2seq.experiments import summaries
from seq2seq.experiments.summaries import FARTHEST, Data, from_lists, right_in_any_order, table, weight_near
from seq2seq.vocab import UNK, Vocabulary

COMMON = Vocabulary(["storm", "hits", "in", ",", "and"])
NAMES, NUMBERS = ["anna", "bert", "cleo"], ["1", "2"]
PAIR = Pair(("morva", ",", "tarin", "storm", "77", "morva"), ("storm", "hits", "morva", "77"), frozenset({(0, 2)}))
SETTINGS = summaries.SETTINGS | {"training_pairs": 400, "test_pairs": 50, "min_count": 5}


@pytest.fixture(scope="module")
def data():
    return Data(SETTINGS, {"names": 20, "numbers": 8})


def test_each_name_becomes_one_of_the_list_on_both_sides():
    pair = from_lists(PAIR, COMMON, NAMES, NUMBERS)
    first, comma, second, storm, number, again = pair.source
    assert (comma, storm) == (",", "storm")
    assert first == again != second
    assert {first, second} < set(NAMES)
    assert number in NUMBERS
    assert pair.target == ("storm", "hits", first, number)
    assert pair.links == PAIR.links


def test_a_name_becomes_the_same_one_every_time():
    assert from_lists(PAIR, COMMON, NAMES, NUMBERS) == from_lists(PAIR, COMMON, NAMES, NUMBERS)


def test_a_list_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="tarin: got a list of 1"):
        from_lists(PAIR, COMMON, NAMES[:1], NUMBERS)


def test_the_vocabulary_holds_every_word_and_the_lists_have_their_length(data):
    words = {word for pair in data.training + data.test for word in pair.source + pair.target}
    assert UNK not in data.vocab.encode(words)
    listed = {word for word in words if data.common.encode([word]) == [UNK]}
    assert sum(not word.isdigit() for word in listed) == 20
    assert sum(word.isdigit() for word in listed) == 8


def test_names_of_the_test_are_spread_over_the_whole_list_and_its_sentences_are_new(data):
    names = {word for pair in data.test for word in pair.source if data.common.encode([word]) == [UNK]}
    assert len(names) >= 26
    assert not {pair.source for pair in data.test} & {pair.source for pair in data.training}


def test_the_right_words_count_in_any_order_but_as_often_as_they_should():
    pairs = [Pair(("a",), ("x", "y", "x"), frozenset())] * 3
    assert right_in_any_order([["y", "x", "x"], ["x", "y"], ["x", "y", "y"]], pairs) == pytest.approx(1 / 3, abs=1e-4)


def test_the_weight_is_taken_where_the_copied_word_stands_and_beside_it(data):
    longest = max(len(pair.source) for pair in data.test)
    weights = torch.zeros(len(data.test), max(len(pair.target) for pair in data.test) + 1, longest)
    for row, pair in enumerate(data.test):
        for source, target in pair.links:
            if source:
                weights[row, target] = 0
                weights[row, target, source - 1] = 1  # always on the word before
    found = weight_near(weights, data)
    assert found["on"] == 0
    assert found["offsets"][FARTHEST - 1] > 0.9
    assert found["near"] == pytest.approx(found["offsets"][FARTHEST - 1])


def test_by_chance_a_place_has_one_share_of_its_sentence(data):
    found = summaries.weight_by_chance(data)
    shares = [
        1 / len(pair.source)
        for pair in data.test
        for _, target in pair.links
        if data.common.encode([pair.target[target]]) == [UNK]
    ]
    assert found["on"] == pytest.approx(sum(shares) / len(shares), abs=1e-4)
    assert found["near"] <= 5 * found["on"] + 1e-3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("summaries")
    summaries.main(["--quick", "--out", str(folder)])
    return folder


def test_the_report_has_every_model_with_both_searches(folder):
    report = json.loads((folder / "summaries.json").read_text())
    assert report["command"] == "python -m seq2seq.experiments.summaries"
    assert {length: list(models) for length, models in report["lists"].items()} == {
        "many": ["bag_of_words", "attention_unsmoothed", "attention"],
        "few": ["bag_of_words", "attention"],
    }
    for name, (run,) in report["lists"]["many"].items():
        assert list(run["searches"]) == ["greedy", "beam"]
        assert (run["weight"] is None) == ("attention" not in name)


def test_smoothing_adds_no_parameters_and_attention_adds_its_two_tables(folder):
    models = json.loads((folder / "summaries.json").read_text())["lists"]["many"]
    bag, plain, smoothed = (
        models[name][0]["parameters"] for name in ("bag_of_words", "attention_unsmoothed", "attention")
    )
    settings = summaries.SETTINGS
    embedding = models["attention"][0]["vocabulary_size"] * settings["embedding_size"]
    bilinear = settings["source_size"] * settings["words"] * settings["embedding_size"]
    assert plain == smoothed == bag + embedding + bilinear


def test_a_run_that_is_there_is_not_done_again(folder, monkeypatch, capsys):
    before = (folder / "summaries.json").read_text()
    monkeypatch.setattr(summaries, "run", lambda *_: pytest.fail("run again"))
    summaries.main(["--quick", "--out", str(folder)])
    assert (folder / "summaries.json").read_text() == before


def test_the_table_is_that_of_the_report_that_is_there(folder, capsys):
    summaries.main(["--show", "--out", str(folder)])
    shown = capsys.readouterr().out
    assert shown.strip() == table(json.loads((folder / "summaries.json").read_text())["lists"])
    assert len(shown.strip().splitlines()) == 2 + 2 * 5
