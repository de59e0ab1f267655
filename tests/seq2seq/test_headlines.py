"""The experiment on copying: its scores, and that it runs and resumes."""

import json

import pytest
import torch

from seq2seq.corpora.pair import Pair
from seq2seq.experiments import headlines
from seq2seq.experiments.headlines import copied_right, evaluation_sets, repetition, replace_unknown, table
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary(["storm", "hits", "in", ",", "and"])
QUICK_SETTINGS = headlines.SETTINGS | {"training_pairs": 100, "test_pairs": 20}


def test_the_share_of_words_copied_right_counts_unknown_words_alone():
    references = [["storm", "hits", "morva", "and", "tarin"], ["storm", "in", "kovel"]]
    written = [["storm", "tarin", "tarin"], ["kovel"]]
    assert copied_right(written, references, VOCAB) == pytest.approx(2 / 3)


def test_repetition_is_the_share_of_words_that_were_there_before():
    assert repetition([["storm", "hits", "storm", "storm"], ["hits", "morva"]]) == pytest.approx(2 / 6)


def test_the_marks_of_a_list_and_unknown_words_repeat_nothing():
    assert repetition([["morva", ",", "tarin", ",", "<unk>", "and", "<unk>", "and"]]) == 0


def test_an_unknown_word_is_replaced_by_the_one_looked_at_and_padding_is_not_looked_at():
    pair = Pair(("in", "morva", ",", "storm"), ("storm", "hits", "morva"), frozenset())
    weights = torch.tensor([[0.1, 0.1, 0.1, 0.7, 0], [0.7, 0.1, 0.1, 0.1, 0], [0.1, 0.4, 0.1, 0.1, 0.9]])
    assert replace_unknown(["storm", "hits", "<unk>"], weights, pair) == ["storm", "hits", "morva"]


def test_the_longer_set_has_longer_lists_alone():
    sets = evaluation_sets(QUICK_SETTINGS)
    assert {name: len(pairs) for name, pairs in sets.items()} == {"same": 20, "longer": 20}
    assert all(6 <= pair.target.count(",") + 2 <= 8 for pair in sets["longer"])
    assert all(pair.target.count(",") + 2 <= 4 for pair in sets["same"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("headlines")
    headlines.main(["--quick", "--out", str(folder)])
    return folder


def test_the_report_has_every_model_on_both_sets(folder):
    report = json.loads((folder / "headlines.json").read_text())
    assert report["command"] == "python -m seq2seq.experiments.headlines"
    assert list(report["models"]) == ["attention", "pointer", "pointer_coverage"]
    (run,) = report["models"]["attention"]
    assert {name: list(ways) for name, ways in run["sets"].items()} == {
        name: ["attention", "attention_replaced"] for name in ("same", "longer")
    }


def test_coverage_adds_parameters_and_the_pointer_none(folder):
    models = json.loads((folder / "headlines.json").read_text())["models"]
    attention, pointer, coverage = (models[name][0]["parameters"] for name in models)
    assert attention == pointer
    assert coverage == pointer + 2 * headlines.ATTENTION_SIZE


def test_a_run_that_is_there_is_not_done_again(folder, monkeypatch, capsys):
    before = (folder / "headlines.json").read_text()
    monkeypatch.setattr(headlines, "run", lambda *_: pytest.fail("run again"))
    headlines.main(["--quick", "--out", str(folder)])
    assert (folder / "headlines.json").read_text() == before


def test_the_table_is_that_of_the_report_that_is_there(folder, capsys):
    headlines.main(["--show", "--out", str(folder)])
    shown = capsys.readouterr().out
    assert shown.strip() == table(json.loads((folder / "headlines.json").read_text())["models"])
    assert len(shown.strip().splitlines()) == 2 + 2 * 4
