"""What the experiments on alignment and on real sentences measure, by hand on small examples."""

import json
import zipfile
from unittest.mock import Mock

import pytest
import torch

from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.hansards import AlignedPair
from seq2seq.corpora.pair import Pair
from seq2seq.experiments import alignment, both_ways, everyday, multi30k, tatoeba
from seq2seq.experiments.everyday_runs import aligned, as_english_to_french, read_links, without_twins, written
from seq2seq.experiments.explanation import SETS, altered, luong_uniform
from seq2seq.experiments.recipe import bahdanau, luong_bilinear
from seq2seq.experiments.reversal import one_way_model, reversed_source
from seq2seq.experiments.study import SETTINGS, prepare

WEIGHTS = torch.tensor([[0.8, 0.1, 0.1], [0.0, 0.3, 0.7], [0.2, 0.8, 0.0], [0.0, 0.0, 1.0]])  # the last row is of EOS
BAHDANAU, ALIGNER = (["--models", model, "--ways", "forwards"] for model in ("bahdanau", "aligner"))


def pair(source, target, links=()):
    return Pair(tuple(source.split()), tuple(target.split()), frozenset(links))


RED_CAR = pair("a red car", "une voiture rouge", {(0, 0), (2, 1), (1, 2)})


def test_floors_are_in_order():
    """Guessing is worse than the diagonal, the diagonal than the best, and uniform weights are scored as they are."""
    floors = alignment.floors({"short": corpus(60, 5, (8, 30))})
    assert floors["random"]["aer"] > floors["diagonal"]["aer"] > floors["best"]["aer"] > 0
    assert 0.9 < floors["uniform"]["soft_aer"] < 1


def test_each_model_gets_the_mean_over_the_test_sets_for_every_seed_and_other_sentences_are_refused(tmp_path):
    runs = [{metric: {"4-10": 0.1, "11-20": high} for metric in alignment.METRICS} for high in (0.3, 0.5)]
    report = {"settings": {"test_fingerprint": "same"}, "models": {"luong_dot": runs, "fixed": [{"aer": {}}]}}
    (tmp_path / "wirings.json").write_text(json.dumps(report))
    measured = alignment.measured(tmp_path, "same")
    assert list(measured) == ["wirings:luong_dot"]
    assert measured["wirings:luong_dot"]["soft_aer"] == pytest.approx([0.2, 0.3])
    with pytest.raises(ValueError, match=r"experiments wirings again"):
        alignment.measured(tmp_path, "new")


def test_ways_of_joining_two_directions():
    forwards = torch.tensor([[0.6, 0.4], [0.2, 0.8]])
    backwards = torch.tensor([[0.1, 0.9], [0.9, 0.1]])  # source word 0 to target word 1, source word 1 to target word 0
    links = both_ways.links(forwards, backwards)
    assert links["forwards"] == {(0, 0), (1, 1)}
    assert links["backwards"] == {(0, 1), (1, 0)}
    assert links["both"] == frozenset()
    assert links["either"] == links["forwards"] | links["backwards"]
    assert links["product"] == links["mean"] == {(1, 0), (0, 1)}


def test_a_reversed_source_is_read_from_its_last_word_and_links_follow_their_words():
    turned = reversed_source(RED_CAR)
    assert turned == pair("car red a", "une voiture rouge", {(2, 0), (0, 1), (1, 2)})
    assert reversed_source(turned) == RED_CAR
    assert one_way_model(7, 8).encoder.backward_rnn is None


def gold(sure, possible=()):
    return AlignedPair(RED_CAR.source, RED_CAR.target, frozenset(sure), frozenset(sure) | frozenset(possible))


def test_a_pair_with_a_side_of_a_test_pair_is_no_training_pair():
    test = [pair("we sing .", "nous chantons .")]
    other = pair("you sing .", "tu chantes .")
    sides = ("We sing !", "on chante !"), ("we are singing", "Nous chantons"), ("we sing", "nous chantons")
    twins = [pair(*words) for words in sides]
    assert without_twins([twins[0], other, *twins[1:]], test) == [other]


def test_links_are_written_and_read_and_turned_to_english_to_french():
    links = frozenset({(0, 0), (10, 2), (2, 10)})
    assert written(links) == "0-0 2-10 10-2"
    assert [read_links(text) for text in (written(links), "")] == [links, frozenset()]
    assert as_english_to_french(frozenset({(0, 2)}), "backwards") == {(2, 0)}
    assert as_english_to_french(frozenset({(0, 2)}), "forwards") == {(0, 2)}


def test_weights_forwards_link_each_french_word():
    pairs = [gold({(0, 0), (2, 1), (1, 2)})]
    record = aligned([WEIGHTS], pairs, "forwards", pairs, [0])
    assert record["links"] == ["0-0 1-2 2-1"]
    assert record["aer"] == 0
    assert record["soft_aer"] == pytest.approx(1 - 2 * (0.8 + 0.7 + 0.8) / (3 + 3), abs=1e-4)
    assert record["aer_shift_-1"] == 1  # each word is one row late, and none of them meets its link
    assert record["examples"]["0"][1] == pytest.approx([0.0, 0.3, 0.7])


def test_weights_backwards_link_each_english_word():
    pairs = [gold({(0, 0), (1, 2), (2, 1)})]
    turned = [pair("une voiture rouge", "a red car")]
    rows = torch.tensor([[0.9, 0.1, 0.0], [0.0, 0.6, 0.4], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    record = aligned([rows], turned, "backwards", pairs, [])
    assert record["links"] == ["0-0 1-1 2-1"]  # red looks at voiture
    assert record["aer"] == pytest.approx(1 - 2 * 2 / (3 + 3), abs=1e-4)
    assert record["soft_aer"] == pytest.approx(1 - 2 * (0.9 + 0.4 + 1.0) / (3 + 3), abs=1e-4)


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


def test_the_everyday_report_collects_the_runs_of_all_calls(quick):
    quick(everyday.EVERYDAY, "--models", "aligner", "--ways", "forwards", "backwards")
    report = quick(everyday.EVERYDAY, *BAHDANAU)
    assert set(report["models"]["aligner"][0]["scores"]) == {"forwards", "backwards", "both", "either"}
    assert set(report["models"]["bahdanau"][0]["scores"]) == {"forwards"}
    (record,) = report["models"]["bahdanau"][0]["runs"].values()
    assert record["steps"] == everyday.QUICK["steps"]
    assert list(record["examples"]) == ["0"]
    assert 0 <= report["floors"]["best"]["aer"] < report["floors"]["diagonal"]["aer"] <= 1
    assert "bahdanau, forwards" in everyday.table(report)


def test_runs_on_other_links_replace_the_report_when_they_are_done(quick, tmp_path, monkeypatch):
    quick(everyday.EVERYDAY, *BAHDANAU)
    for record in (tmp_path / "everyday").iterdir():  # the records are not under version control, the report is
        record.unlink()
    with monkeypatch.context() as patch:
        patch.delattr(everyday, "run_model")
        before = quick(everyday.EVERYDAY, *BAHDANAU)
    monkeypatch.setattr(everyday, "fingerprint", lambda pairs: "another")
    with monkeypatch.context() as patch:
        patch.setattr(everyday, "run_aligner", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            quick(everyday.EVERYDAY, *ALIGNER)
    assert json.loads((tmp_path / "everyday.json").read_text()) == before
    assert list(quick(everyday.EVERYDAY, *ALIGNER)["models"]) == ["aligner"]


def test_an_experiment_without_its_corpus_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("SEQ2SEQ_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr("seq2seq.corpora.tatoeba.URL", "http://127.0.0.1:1/fra-eng.zip")  # nobody listens there
    monkeypatch.setattr("seq2seq.corpora.multi30k.BASE", "http://127.0.0.1:1")
    (tmp_path / "text.zip").write_text("no zip")
    for experiment, name, message in (
        (everyday.EVERYDAY, None, "SEQ2SEQ_DATA"),
        (multi30k.MULTI30K, None, r"train\.de\.gz: not downloaded"),
        *((each, name, name) for each in (tatoeba.TATOEBA, everyday.EVERYDAY) for name in ("no.zip", "text.zip")),
    ):
        with pytest.raises(SystemExit, match=message):
            experiment.main(["--out", str(tmp_path), *(["--data", str(tmp_path / name)] if name else [])])


def test_a_test_sentence_is_asked_once_with_its_first_translation_and_no_side_of_it_was_trained_on(tmp_path):
    lines = [f"word {number} .\tmot {number} ." for number in range(12_000)]
    twice = [line.replace("mot", "parole") for line in lines[::3]]
    twins = [f"say {number} !\tmot {number} ." for number in range(6_000)]  # another source of the same target
    with zipfile.ZipFile(tmp_path / "fra-eng.zip", "w") as archive:
        archive.writestr("fra.txt", "\n".join(lines + twice + twins) + "\n")
    sets = tatoeba.pairs_of(tmp_path / "fra-eng.zip", 0)
    assert len({pair.source for pair in sets["test"]}) == len(sets["test"]) == 5000
    assert not any("parole" in pair.target for pair in sets["test"])
    assert any("parole" in pair.target for pair in sets["train"])
    for side in ("source", "target"):
        tested = {getattr(pair, side) for pair in sets["test"]}
        assert tested.isdisjoint(getattr(pair, side) for pair in sets["train"])


def test_runs_with_other_settings_leave_the_report(tmp_path):
    run = {"model": "luong", "seed": 0, "settings": {"epochs": 1}}
    (tmp_path / "tatoeba.json").write_text(json.dumps({"models": {"luong": [run]}}))
    assert tatoeba.TATOEBA.known(tmp_path, {"epochs": 1})["luong",] == {0: run}
    assert not any(tatoeba.TATOEBA.known(tmp_path, {"epochs": 2}).values())


def test_multi30k_keeps_the_runs_of_another_machine(tmp_path):
    asked = {"preset": "laptop", "epochs": None}

    def record(preset, bleu):
        settings = multi30k.settings_of(("additive", preset), asked)
        return {"settings": settings, "model": "additive", "seed": 0, "bleu": bleu}

    report = {"additive_full": [record("full", 30)], "additive_laptop": [record("laptop", 20)]}
    (tmp_path / "multi30k.json").write_text(json.dumps({"models": report}))
    (tmp_path / "multi30k").mkdir()
    (tmp_path / "multi30k" / "additive-laptop-0.json").write_text(json.dumps(record("laptop", 25)))
    known = {cell: runs for cell, runs in multi30k.MULTI30K.known(tmp_path, asked).items() if runs}
    assert known == {("additive", "laptop"): {0: record("laptop", 25)}, ("additive", "full"): {0: record("full", 30)}}


@pytest.fixture(scope="module")
def data():
    return prepare(SETTINGS | {"training_pairs": 300, "test_pairs_per_bucket": 3})


@pytest.mark.parametrize("recipe", [bahdanau, luong_bilinear, luong_uniform])
def test_permuted_and_uniform_weights_move_the_output_and_the_model_stays(data, recipe):
    model = recipe(len(data.source_vocab), len(data.target_vocab)).eval()
    attention = model.decoder.attention
    measured = altered(model, data)
    moved = measured["total_variation"]
    assert all(moved["as_trained"][name] == 0 for name in SETS)
    assert {moved["uniform"][name] > 0 for name in SETS} == {recipe is not luong_uniform}
    assert recipe is luong_uniform or all(moved["permuted"][name] > 0 for name in SETS)
    assert model.decoder.attention is attention
    assert recipe is not luong_bilinear or altered(model, data) == measured  # the same numbers again
