"""The frame of the studies: what a record holds, when a run is done anew, which sentences train and which test."""

import json
import re
import shutil
from dataclasses import replace

import pytest
import torch

from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.study import BUCKETS, SETTINGS, Study, Variant, fingerprint, prepare, run, table

SMALL = SETTINGS | {"training_pairs": 300, "test_pairs_per_bucket": 4, "minutes": 0.001}
VARIANTS = [Variant("fixed", MODELS["every_step"], 2000), Variant("attention", MODELS["luong_bilinear"], 3000)]


@pytest.fixture(scope="module")
def data():
    return prepare(SMALL)


@pytest.fixture(scope="module")
def records(data):
    return {variant.name: run(variant, 1, SMALL, data)[0] for variant in VARIANTS}


def study(measured):
    return Study("unnamed", "A study.", VARIANTS, seeds=2, measure=lambda model, data: {"measured": measured})


def test_no_test_sentence_was_trained_on(data):
    trained = {pair.source for pair in data.training}
    assert trained.isdisjoint(pair.source for pairs in data.sets.values() for pair in pairs)


def test_every_test_sentence_is_of_its_buckets_length(data):
    for name, pairs in data.sets.items():
        shortest, longest = map(int, name.split("-"))
        assert len(pairs) == 4
        assert all(shortest <= len(pair.source) <= longest for pair in pairs)


def test_the_fingerprint_changes_with_one_link(data):
    pair = data.sets["4-10"][0]
    assert fingerprint({"a": [pair]}) != fingerprint({"a": [replace(pair, links=frozenset())]})


@pytest.mark.parametrize("metric", ["bleu", "exact_match", "perplexity"])
@pytest.mark.parametrize("name", ["fixed", "attention"])
def test_a_record_has_a_value_for_every_bucket(records, name, metric):
    assert list(records[name][metric]) == [f"{shortest}-{longest}" for shortest, longest in BUCKETS]


def test_the_budget_is_minutes_times_the_variants_own_rate(records):
    assert (records["fixed"]["steps"], records["attention"]["steps"]) == (2, 3)


def test_a_run_of_the_same_seed_gives_the_same_record(data, records):
    again, _ = run(VARIANTS[1], 1, SMALL, data)
    assert again | {"cpu_seconds": 0} == records["attention"] | {"cpu_seconds": 0}


def test_a_run_of_another_seed_gives_another_record(data, records):
    other, _ = run(VARIANTS[1], 2, SMALL, data)
    assert other["training_loss"] != records["attention"]["training_loss"]


def test_a_run_that_is_done_is_not_done_again(tmp_path):
    study("first").main(["--quick", "--out", str(tmp_path)])
    study("second").main(["--quick", "--seeds", "2", "--out", str(tmp_path)])
    runs = json.loads((tmp_path / "unnamed.json").read_text())["models"]["fixed"]
    assert [(run["seed"], run["measured"]) for run in runs] == [(0, "first"), (1, "second")]


def test_a_run_of_the_report_is_not_done_again(tmp_path):
    study("first").main(["--quick", "--seeds", "1", "--out", str(tmp_path)])
    shutil.rmtree(tmp_path / "unnamed")  # as in a fresh clone
    study("second").main(["--quick", "--seeds", "2", "--models", "attention", "--out", str(tmp_path)])
    models = json.loads((tmp_path / "unnamed.json").read_text())["models"]
    assert [run["measured"] for run in models["fixed"]] == ["first"]
    assert [run["measured"] for run in models["attention"]] == ["first", "second"]


def test_a_run_of_other_settings_is_done_anew(tmp_path):
    study("first").main(["--quick", "--out", str(tmp_path)])
    study("second").main(["--quick", "--minutes", "0.002", "--out", str(tmp_path)])
    runs = json.loads((tmp_path / "unnamed.json").read_text())["models"]["fixed"]
    assert [run["measured"] for run in runs] == ["second"]


def test_a_run_of_other_settings_that_is_interrupted_leaves_the_report(tmp_path, monkeypatch):
    study("first").main(["--quick", "--out", str(tmp_path)])
    before = (tmp_path / "unnamed.json").read_text()

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("seq2seq.experiments.study.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        study("second").main(["--quick", "--minutes", "0.002", "--out", str(tmp_path)])
    assert (tmp_path / "unnamed.json").read_text() == before


def test_show_prints_the_table_of_what_is_there_and_trains_nothing(tmp_path, capsys):
    study("first").main(["--quick", "--out", str(tmp_path)])
    printed = capsys.readouterr().out
    before = (tmp_path / "unnamed.json").read_text()
    study("second").main(["--show", "--out", str(tmp_path)])
    assert capsys.readouterr().out == printed
    assert (tmp_path / "unnamed.json").read_text() == before


def test_show_says_that_there_is_nothing(tmp_path):
    with pytest.raises(SystemExit, match="run the experiment without --show first"):
        study("never").main(["--show", "--out", str(tmp_path)])


def test_the_table_gives_the_mean_and_the_range(records):
    first = records["attention"]
    second = first | {"bleu": {name: value + 10 for name, value in first["bleu"].items()}}
    low = first["bleu"]["51-60"]
    assert f"{low + 5:.1f} ({low:.1f}–{low + 10:.1f})" in table({"attention": [first, second]})


def test_the_table_has_no_aer_where_there_is_no_attention(records):
    assert re.search(r"\| – \|", table({"fixed": [records["fixed"]]}))


def test_an_unknown_variant_is_refused(capsys):
    with pytest.raises(SystemExit):
        study("never").main(["--quick", "--models", "transformer"])
    assert "invalid choice: 'transformer'" in capsys.readouterr().err


def test_results_are_made_on_one_thread(tmp_path):
    torch.set_num_threads(2)
    study("any").main(["--quick", "--out", str(tmp_path)])
    assert torch.get_num_threads() == 1


def test_a_variants_own_settings_stand_in_the_studys_place(tmp_path):
    slow = Variant("slow", MODELS["luong_bilinear"], 3000, own={"minutes": 0.002, "learning_rate": 1e-4}, seeds=1)
    made = Study("own", "A study.", [VARIANTS[0], slow], seeds=2, minutes=0.001)
    made.main(["--quick", "--seeds", "2", "--out", str(tmp_path)])
    models = json.loads((tmp_path / "own.json").read_text())["models"]
    assert (len(models["fixed"]), len(models["slow"])) == (2, 1)
    assert models["slow"][0]["settings"]["learning_rate"] == 1e-4
    assert models["slow"][0]["settings"]["minutes"] == models["fixed"][0]["settings"]["minutes"]  # a smoke test's
    assert slow.settings({"minutes": 0.001})["minutes"] == 0.002


def test_a_smoke_test_may_be_of_a_few_variants(tmp_path):
    Study("few", "A study.", VARIANTS, smoke=["attention"]).main(["--quick", "--out", str(tmp_path)])
    assert list(json.loads((tmp_path / "few.json").read_text())["models"]) == ["attention"]
