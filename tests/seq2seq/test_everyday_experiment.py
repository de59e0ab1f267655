"""The experiment on everyday sentences: its data, its directions, and a report that grows run by run."""

import json

import pytest
import torch

from seq2seq.corpora.hansards import AlignedPair
from seq2seq.corpora.pair import Pair
from seq2seq.experiments import everyday
from seq2seq.experiments.everyday_runs import aligned, as_english_to_french, read_links, without_twins, written


def gold(sure, possible=()):
    return AlignedPair(
        ("a", "red", "car"), ("une", "voiture", "rouge"), frozenset(sure), frozenset(sure) | frozenset(possible)
    )


def pair(source, target):
    return Pair(tuple(source.split()), tuple(target.split()), frozenset())


def test_a_pair_with_a_side_of_a_test_pair_is_no_training_pair():
    test = [pair("we sing .", "nous chantons .")]
    kept = pair("you sing .", "tu chantes .")
    twins = [
        pair("We sing !", "on chante !"),
        pair("we are singing", "Nous chantons"),
        pair("we sing", "nous chantons"),
    ]
    assert without_twins([twins[0], kept, *twins[1:]], test) == [kept]


def test_links_are_written_and_read():
    links = frozenset({(0, 0), (10, 2), (2, 10)})
    assert written(links) == "0-0 2-10 10-2"
    assert read_links(written(links)) == links
    assert read_links("") == frozenset()


def test_backward_links_are_turned_to_english_to_french():
    assert as_english_to_french(frozenset({(0, 2)}), "backwards") == {(2, 0)}
    assert as_english_to_french(frozenset({(0, 2)}), "forwards") == {(0, 2)}


WEIGHTS = torch.tensor([[0.8, 0.1, 0.1], [0.0, 0.3, 0.7], [0.2, 0.8, 0.0], [0.0, 0.0, 1.0]])  # the last row is of EOS


def test_weights_forwards_link_each_french_word():
    pairs = [gold({(0, 0), (2, 1), (1, 2)})]
    found = aligned([WEIGHTS], pairs, "forwards", pairs, [0])
    assert found["links"] == ["0-0 1-2 2-1"]
    assert found["aer"] == 0
    assert found["soft_aer"] == pytest.approx(1 - 2 * (0.8 + 0.7 + 0.8) / (3 + 3), abs=1e-4)
    assert found["aer_shift_-1"] == 1  # each word is one row late, and none of them meets its link
    assert found["examples"]["0"][1] == pytest.approx([0.0, 0.3, 0.7])


def test_weights_backwards_link_each_english_word():
    pairs = [gold({(0, 0), (1, 2), (2, 1)})]
    turned = [pair("une voiture rouge", "a red car")]
    rows = torch.tensor([[0.9, 0.1, 0.0], [0.0, 0.6, 0.4], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    found = aligned([rows], turned, "backwards", pairs, [])
    assert found["links"] == ["0-0 1-1 2-1"]  # red looks at voiture
    assert found["aer"] == pytest.approx(1 - 2 * 2 / (3 + 3), abs=1e-4)
    assert found["soft_aer"] == pytest.approx(1 - 2 * (0.9 + 0.4 + 1.0) / (3 + 3), abs=1e-4)


def test_the_best_prefers_a_sure_link_and_takes_a_possible_one_where_there_is_no_sure():
    floors = everyday.floors([gold({(2, 1)}, {(0, 1), (1, 2)})])
    # une has no link, so its one is wrong; voiture and rouge are right
    assert floors["best"] == pytest.approx({"precision": 2 / 3, "recall": 1, "aer": 1 - (1 + 2) / (3 + 1)}, abs=1e-4)


def test_two_directions_are_combined_when_both_are_there():
    pairs = [gold({(0, 0), (1, 2), (2, 1)})]
    forwards, backwards = {"links": ["0-0 2-1 2-2"]}, {"links": ["0-0 1-2 2-1"]}
    assert set(everyday.scores({"forwards": forwards}, pairs)) == {"forwards"}
    both = everyday.scores({"forwards": forwards, "backwards": backwards}, pairs)
    assert both["both"] == pytest.approx({"precision": 1, "recall": 2 / 3, "aer": 1 - 4 / 5}, abs=1e-4)
    assert both["either"] == pytest.approx({"precision": 3 / 4, "recall": 1, "aer": 1 - 6 / 7}, abs=1e-4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("everyday")
    everyday.main(["--quick", "--models", "aligner", "--out", str(folder)])
    everyday.main(["--quick", "--models", "bahdanau", "--ways", "forwards", "--out", str(folder)])
    return folder


def report_of(folder):
    return json.loads((folder / "everyday.json").read_text())


def test_the_report_collects_the_runs_of_all_calls(folder):
    report = report_of(folder)
    assert set(report["models"]["aligner"][0]["scores"]) == {"forwards", "backwards", "both", "either"}
    assert set(report["models"]["bahdanau"][0]["scores"]) == {"forwards"}
    (record,) = report["models"]["bahdanau"][0]["runs"].values()
    assert record["steps"] == everyday.QUICK["steps"]
    assert list(record["examples"]) == ["0"]
    assert 0 <= report["floors"]["best"]["aer"] < report["floors"]["diagonal"]["aer"] <= 1
    assert "bahdanau, forwards" in everyday.table(report)


def test_a_run_that_is_in_the_report_is_skipped(folder, monkeypatch):
    for file in (folder / "everyday").iterdir():  # the records are not under version control, the report is
        file.unlink()
    monkeypatch.delattr(everyday, "run_model")
    before = report_of(folder)
    everyday.main(["--quick", "--models", "bahdanau", "--ways", "forwards", "--out", str(folder)])
    assert report_of(folder) == before


def test_an_interrupted_run_leaves_the_report(folder, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    before = report_of(folder)
    monkeypatch.setattr(everyday, "fingerprint", lambda pairs: "another")
    monkeypatch.setattr(everyday, "run_aligner", interrupted)
    with pytest.raises(KeyboardInterrupt):
        everyday.main(["--quick", "--models", "aligner", "--ways", "forwards", "--out", str(folder)])
    assert report_of(folder) == before


def test_runs_on_other_links_are_not_taken_over(folder, monkeypatch):
    monkeypatch.setattr(everyday, "fingerprint", lambda pairs: "another")
    everyday.main(["--quick", "--models", "aligner", "--ways", "forwards", "--out", str(folder)])
    assert list(report_of(folder)["models"]) == ["aligner"]


def test_without_tatoeba_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("SEQ2SEQ_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("seq2seq.corpora.tatoeba.URL", "http://127.0.0.1:1/fra-eng.zip")  # nobody listens there
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(SystemExit, match="SEQ2SEQ_DATA"):
        everyday.main(["--out", str(tmp_path)])
