"""The frame of the studies: their records, sentences and runs; the command of all experiments, and its options."""

import multiprocessing
import re
import shutil
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
import torch

from seq2seq.experiments import __main__ as experiments
from seq2seq.experiments.experiment import Experiment, read, write
from seq2seq.experiments.recipe import MODELS, RESULTS
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.study import BUCKETS, SETTINGS, Variant, fingerprint, prepare, run, study, table

SMALL = SETTINGS | {"training_pairs": 300, "test_pairs_per_bucket": 4, "minutes": 0.001}
VARIANTS = [Variant("fixed", MODELS["every_step"], 2000), Variant("attention", MODELS["luong_bilinear"], 3000)]


@pytest.fixture(scope="module")
def data():
    return prepare(SMALL)


@pytest.fixture(scope="module")
def records(data):
    return {variant.name: run(variant, 1, SMALL, data)[1] for variant in VARIANTS}


@pytest.fixture
def quick(quick, data, records, monkeypatch):
    """With sentences and scores that are there: the smoke tests of all studies make theirs."""
    monkeypatch.setattr("seq2seq.experiments.study.prepare", lambda settings: data)
    scores = {metric: records["fixed"][metric] for metric in ("bleu", "exact_match", "perplexity", "aer")}
    monkeypatch.setattr("seq2seq.experiments.study.evaluate", lambda *model_and_sets: scores)
    return quick


def measuring(measured):
    return study("unnamed", "A study.", VARIANTS, seeds=2, measure=lambda model, data: {"measured": measured})


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
    again, other = (run(VARIANTS[1], seed, SMALL, data)[1] for seed in (1, 2))
    assert again | {"cpu_seconds": 0} == records["attention"] | {"cpu_seconds": 0}
    assert other["training_loss"] != records["attention"]["training_loss"]


def test_a_run_of_the_report_or_of_a_record_is_not_done_again(quick, tmp_path):
    quick(measuring("first"), "--models", "attention")
    runs = quick(measuring("second"), "--seeds", "2", "--models", "attention")["models"]["attention"]
    assert [(run["seed"], run["measured"]) for run in runs] == [(0, "first"), (1, "second")]
    quick(measuring("first"), "--models", "fixed")
    shutil.rmtree(tmp_path / "unnamed")  # as in a fresh clone
    models = quick(measuring("third"), "--seeds", "2", "--models", "fixed")["models"]
    assert [run["measured"] for run in models["attention"]] == ["first", "second"]
    assert [run["measured"] for run in models["fixed"]] == ["first", "third"]


def test_runs_of_other_settings_replace_the_report_when_they_are_done(quick, tmp_path, monkeypatch):
    quick(measuring("first"))
    before = (tmp_path / "unnamed.json").read_text()
    with monkeypatch.context() as patch:
        patch.setattr("seq2seq.experiments.study.run", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            quick(measuring("second"), "--minutes", "0.002")
    assert (tmp_path / "unnamed.json").read_text() == before
    runs = quick(measuring("second"), "--minutes", "0.002")["models"]["fixed"]
    assert [run["measured"] for run in runs] == ["second"]


def test_the_table_gives_the_mean_and_the_range(records):
    first = records["attention"]
    second = first | {"bleu": {name: value + 10 for name, value in first["bleu"].items()}}
    low = first["bleu"]["51-60"]
    assert f"{low + 5:.1f} ({low:.1f}–{low + 10:.1f})" in table({"attention": [first, second]})
    assert re.search(r"\| – \|", table({"fixed": [records["fixed"]]}))  # no AER without attention


def test_results_are_made_on_one_thread_and_a_smoke_test_may_be_of_a_few_variants(quick):
    torch.set_num_threads(2)
    assert list(quick(study("few", "A study.", VARIANTS, smoke=["attention"]))["models"]) == ["attention"]
    assert torch.get_num_threads() == 1


def test_a_variants_own_settings_stand_in_the_studys_place(quick):
    slow = Variant("slow", MODELS["luong_bilinear"], 3000, overrides={"minutes": 0.002, "learning_rate": 1e-4}, seeds=1)
    two = study("own", "A study.", [VARIANTS[0], slow], seeds=2, minutes=0.001)
    models = quick(two, "--seeds", "2")["models"]
    assert (len(models["fixed"]), len(models["slow"])) == (2, 1)
    assert models["slow"][0]["settings"]["learning_rate"] == 1e-4
    assert models["slow"][0]["settings"]["minutes"] == models["fixed"][0]["settings"]["minutes"]  # a smoke test's
    assert slow.settings({"minutes": 0.001})["minutes"] == 0.002


TABLED = {name for name, experiment in experiments.EXPERIMENTS.items() if experiment.table}


@pytest.fixture
def called(monkeypatch):
    calls = []

    def apart(name, arguments):
        calls.append([name, *arguments])
        return int(name == "padding")

    monkeypatch.setattr(experiments, "_apart", apart)
    return calls


def test_an_experiment_runs_in_a_process_of_its_own_where_there_is_no_fork_too(monkeypatch, tmp_path):
    monkeypatch.setattr(experiments, "PROCESSES", multiprocessing.get_context("spawn"))  # as on Windows
    assert experiments._apart("counting", ["--quick", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "counting.json").exists()


def test_all_are_run_or_those_named_and_one_that_fails_does_not_stop_the_others(called, capsys):
    """In a folder of their own, so that a smoke test leaves the results alone."""
    assert experiments.main(["--quick"]) == 1
    assert len(called) == len(experiments.EXPERIMENTS)
    assert "failed: padding" in capsys.readouterr().err
    called.clear()
    assert experiments.main(["reversal", "scorers", "--quick"]) == 0
    expected = [(name, "--out", "--quick") for name in ("scorers", "reversal")]
    assert [(name, out, quick) for name, out, _, quick in called] == expected
    assert RESULTS.resolve() not in {Path(folder).resolve() for _, _, folder, _ in called}


def test_show_asks_only_those_that_have_a_table_and_says_which_have_no_results(called, tmp_path, monkeypatch, capsys):
    for name in TABLED - {"feeding"}:
        (tmp_path / f"{name}.json").touch()
    monkeypatch.setattr(experiments, "RESULTS", tmp_path)
    experiments.main(["--show"])
    assert {command[0] for command in called} == TABLED - {"feeding"}
    assert all(command[-1] == "--show" for command in called)
    assert "== feeding\nno results yet" in capsys.readouterr().out


def test_one_experiment_gets_its_own_options_and_an_unknown_name_is_refused(monkeypatch, capsys):
    given = Mock()
    monkeypatch.setattr(Experiment, "main", given)
    assert experiments.main(["reversal", "--seeds", "2"]) == 0
    given.assert_called_once_with(["--seeds", "2"])
    with pytest.raises(SystemExit) as stopped:
        experiments.main(["reversal", "reversed"])
    assert stopped.value.code == 2
    assert "got reversed, expected names among weighted_sum, " in capsys.readouterr().err


def test_a_smoke_test_has_one_seed_unless_told_otherwise_and_none_is_refused(tmp_path, capsys):
    four = Experiment(name="anything", title="Anything.", seeds=4)
    seeds = [four.parse(line).seeds for line in (["--quick"], ["--quick", "--seeds", "2"], ["--out", str(tmp_path)])]
    assert seeds == [1, 2, 4]
    with pytest.raises(SystemExit) as stopped:
        four.parse(["--quick", "--seeds", "0"])
    assert stopped.value.code == 2
    assert "--seeds: got 0, expected at least 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        *(
            (each, f"--minutes {bad}", "finite number above 0")
            for each in ("captions", "wirings")
            for bad in ("0", "-1")
        ),
        *(("wirings", f"--minutes {bad}", f"--minutes: got {bad}, expected a finite") for bad in ("nan", "inf", "x")),
        *(("multi30k", f"--epochs {bad}", f"--epochs: got {bad}, expected at least 1") for bad in ("0", "-1", "1.5")),
        ("multi30k", "--threads 0", "--threads: got 0, expected at least 1"),
        *(
            (each, "--device gpu0", "got 'gpu0', expected a name such as")
            for each in ("wirings", "multi30k", "tatoeba")
        ),
        *(
            (each, "--quick --data no.zip", "a smoke test makes its own")
            for each in ("tatoeba", "multi30k", "everyday")
        ),
        ("reversal", f"--out {__file__}", "expected a folder, or where one can be made"),
        ("reversal", f"--out {__file__}/x", "expected a folder, or where one can be made"),
    ],
)
def test_an_option_without_a_meaning_is_refused(name, line, words, capsys):
    with pytest.raises(SystemExit) as stopped:
        experiments.EXPERIMENTS[name].parse(line.split())
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"), [("{}", "got {}, expected a report"), ('{"models": {', "damaged, Expecting")]
)
def test_a_damaged_report_is_named_and_an_interruption_leaves_the_old_one(text, words, tmp_path, monkeypatch):
    path = tmp_path / "reversal.json"
    path.write_text(text)
    for line in (["--show"], ["--quick"]):
        with pytest.raises(SystemExit, match=f"reversal.json: {words}"):
            experiments.EXPERIMENTS["reversal"].main(["--out", str(tmp_path), *line])
    write(path, {"a": 1})
    monkeypatch.setattr(Path, "replace", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write(path, {"a": 2})
    assert read(path) == {"a": 1}


def test_a_run_is_made_anew_only_for_other_settings(quick):
    runs, record = [], "seed settings"

    def run(name, seed, settings, data):
        runs.append(settings["steps"])
        return None, {"loss": len(runs)}

    for steps in (3, 3, 4):
        settings = {"steps": steps}
        counted = Runs(name="counted", title="A.", settings=settings, seeds=1, models={"a": 0}, run=run, record=record)
        (last,) = quick(counted)["models"]["a"]
    assert (runs, last) == ([3, 4], {"seed": 0, "settings": {"steps": 4}, "loss": 2})


def test_records_without_settings_stand_in_the_report_alone_and_are_made_anew(quick, tmp_path):
    runs = []

    def run(length, model, seed, settings, data):
        runs.append(model)
        return None, {"loss": f"{length} {model}"}

    models = dict.fromkeys([("many", "a"), ("few", "b")])
    nested = Runs(name="nested", title="A.", seeds=1, models=models, by=("list", "model"), run=run, record="seed")
    quick(nested)
    report = quick(nested)
    assert runs == ["a", "b"] * 2
    record = {"many": {"a": [{"seed": 0, "loss": "many a"}]}, "few": {"b": [{"seed": 0, "loss": "few b"}]}}
    assert report == {"command": "python -m seq2seq.experiments nested", "settings": {}, "models": record}
    assert [path.name for path in tmp_path.iterdir()] == ["nested.json"]
