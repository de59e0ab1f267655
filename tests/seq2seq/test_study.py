"""The frame of the studies: what a record holds, when a run is done anew, which sentences train and which test."""

import re
import shutil
from dataclasses import replace
from unittest.mock import Mock

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


@pytest.fixture
def quick(quick, data, records, monkeypatch):
    """With sentences and scores that are there: the smoke tests of all studies make theirs."""
    monkeypatch.setattr("seq2seq.experiments.study.prepare", lambda settings: data)
    scores = {metric: records["fixed"][metric] for metric in ("bleu", "exact_match", "perplexity", "aer")}
    monkeypatch.setattr("seq2seq.experiments.study.evaluate", lambda *model_and_sets: scores)
    return quick


def study(measured):
    return Study("unnamed", "A study.", VARIANTS, seeds=2, measure=lambda model, data: {"measured": measured})


def test_every_test_sentence_is_of_its_buckets_length(data):
    for name, pairs in data.sets.items():
        shortest, longest = map(int, name.split("-"))
        assert len(pairs) == 4
        assert all(shortest <= len(pair.source) <= longest for pair in pairs)


def test_no_test_sentence_was_trained_on_and_the_fingerprint_changes_with_one_link(data):
    trained = {pair.source for pair in data.training}
    assert trained.isdisjoint(pair.source for pairs in data.sets.values() for pair in pairs)
    pair = data.sets["4-10"][0]
    assert fingerprint({"a": [pair]}) != fingerprint({"a": [replace(pair, links=frozenset())]})


def test_a_record_has_its_variants_share_of_steps_and_a_value_for_every_bucket(records):
    assert (records["fixed"]["steps"], records["attention"]["steps"]) == (2, 3)
    buckets = [f"{shortest}-{longest}" for shortest, longest in BUCKETS]
    for record in records.values():
        assert all(list(record[metric]) == buckets for metric in ("bleu", "exact_match", "perplexity"))
    assert list(records["attention"]["aer"]) == buckets
    assert records["fixed"]["aer"] == {}


def test_a_seed_repeats_its_record_and_another_does_not(data, records):
    again, other = (run(VARIANTS[1], seed, SMALL, data)[0] for seed in (1, 2))
    assert again | {"cpu_seconds": 0} == records["attention"] | {"cpu_seconds": 0}
    assert other["training_loss"] != records["attention"]["training_loss"]


def test_a_run_of_the_report_or_of_a_record_is_not_done_again(quick, tmp_path):
    quick(study("first"), "--models", "attention")
    runs = quick(study("second"), "--seeds", "2", "--models", "attention")["models"]["attention"]
    assert [(run["seed"], run["measured"]) for run in runs] == [(0, "first"), (1, "second")]
    quick(study("first"), "--models", "fixed")
    shutil.rmtree(tmp_path / "unnamed")  # as in a fresh clone
    models = quick(study("third"), "--seeds", "2", "--models", "fixed")["models"]
    assert [run["measured"] for run in models["attention"]] == ["first", "second"]
    assert [run["measured"] for run in models["fixed"]] == ["first", "third"]


def test_runs_of_other_settings_replace_the_report_when_they_are_done(quick, tmp_path, monkeypatch):
    quick(study("first"))
    before = (tmp_path / "unnamed.json").read_text()
    with monkeypatch.context() as patch:
        patch.setattr("seq2seq.experiments.study.run", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            quick(study("second"), "--minutes", "0.002")
    assert (tmp_path / "unnamed.json").read_text() == before
    runs = quick(study("second"), "--minutes", "0.002")["models"]["fixed"]
    assert [run["measured"] for run in runs] == ["second"]


def test_the_table_gives_the_mean_and_the_range(records):
    first = records["attention"]
    second = first | {"bleu": {name: value + 10 for name, value in first["bleu"].items()}}
    low = first["bleu"]["51-60"]
    assert f"{low + 5:.1f} ({low:.1f}–{low + 10:.1f})" in table({"attention": [first, second]})
    assert re.search(r"\| – \|", table({"fixed": [records["fixed"]]}))  # no AER without attention


def test_an_unknown_variant_is_refused(capsys):
    with pytest.raises(SystemExit):
        study("never").main(["--quick", "--models", "transformer"])
    assert "invalid choice: 'transformer'" in capsys.readouterr().err


def test_results_are_made_on_one_thread_and_a_smoke_test_may_be_of_a_few_variants(quick):
    torch.set_num_threads(2)
    assert list(quick(Study("few", "A study.", VARIANTS, smoke=["attention"]))["models"]) == ["attention"]
    assert torch.get_num_threads() == 1


def test_a_variants_own_settings_stand_in_the_studys_place(quick):
    slow = Variant("slow", MODELS["luong_bilinear"], 3000, own={"minutes": 0.002, "learning_rate": 1e-4}, seeds=1)
    made = Study("own", "A study.", [VARIANTS[0], slow], seeds=2, minutes=0.001)
    models = quick(made, "--seeds", "2")["models"]
    assert (len(models["fixed"]), len(models["slow"])) == (2, 1)
    assert models["slow"][0]["settings"]["learning_rate"] == 1e-4
    assert models["slow"][0]["settings"]["minutes"] == models["fixed"][0]["settings"]["minutes"]  # a smoke test's
    assert slow.settings({"minutes": 0.001})["minutes"] == 0.002
