"""Every experiment: a smoke test of it writes what the committed results hold, and what is there is not made again.

The experiments are those that ``python -m seq2seq.experiments`` runs. What only one of them promises stands in
``test_experiments_*.py``.
"""

import importlib
import json
import math
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy
import pytest
import torch

from seq2seq import checkpoints
from seq2seq.experiments import __main__ as experiments
from seq2seq.experiments import captions, everyday, headlines, museum_curves, reading, study, summaries, tatoeba
from seq2seq.experiments.evaluation import evaluate
from seq2seq.experiments.experiment import Experiment
from seq2seq.experiments.recipe import RESULTS, load_trained
from seq2seq.experiments.runs import Runs

EXPERIMENTS = experiments.EXPERIMENTS
TABLED = [name for name, experiment in EXPERIMENTS.items() if experiment.table]
IN_LINES = {"weighted_sum", "scorer_cost", "scorers", "padding", "museum_curves", "forming"}  # their tables
GRIDS = {name: experiment for name, experiment in EXPERIMENTS.items() if isinstance(experiment, Runs)}
STUDIES = {name: grid for name, grid in GRIDS.items() if grid.record == study.RECORD}
RESUMED = [name for name, grid in GRIDS.items() if "settings" in grid.record.split()]
SHORTER = {"captions": ["--models", "no_attention", "soft"], "long_memory": ["--lengths", "50"]}
for name, grid in STUDIES.items():
    variants = grid.smoke or list(grid.models)
    SHORTER[name] = ["--models", *dict.fromkeys([variants[0], variants[-1]])]
SHORTER["length_curve"] = ["--models", "every_step", "bahdanau"]  # both of which are kept
SHORTER["soft_hard"] = ["--models", "score_function", "best_positions"]  # whose losses are their own
OTHER_MODELS = ("alignment", "beam_size", "multi30k", "captions")  # than the committed results
REPEATED = {"gradient_norm", "headlines", "speech", "stories", "dates", "counting", "reading", "feeding", "improper"}
REPEATED |= {"long_memory"}
LATER = {"device", "equal_minutes"}  # what only newer reports say of a run
# Not reports but models for the book's pages.
FILES = {
    "capstone": {"capstone.json", "capstone.npz"},
    "fixed_vector": {"fixed_vector.json", "fixed_vector.npz"},
    "forced_decoding": {"forced_decoding.json", "forced_decoding.npz"},
    "dates_checkpoints": {"dates.json", "bahdanau_dates.npz", "luong_dates.npz"},
    "live_models": {"every_step.js", "bahdanau.js", "luong_bilinear.js"},
}


def main(name, *arguments):
    EXPERIMENTS[name].main(list(arguments))


def quick(name, out):
    main(name, "--quick", "--out", str(out), *SHORTER.get(name, ()))


def entries(value, path=()):
    """The paths to the entries of a report; what differs by model, by length, by number is a star."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = {"*": value[0]}
    if not isinstance(value, dict) or not value:
        return {"/".join(path)}
    names = path[-1:] in [("models",), ("estimators",), ("alphabets",), ("lists",)] or path[-2:-1] == ("lists",)
    return set().union(
        *(entries(part, (*path, "*" if names or re.search(r"\d", key) else key)) for key, part in value.items())
    )


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if "seconds" not in key}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def report_of(name, folder):
    return json.loads((folder / f"{name}.json").read_text())


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# What the smoke test of one experiment alone promises of its report and its folder, by the experiment's name.


def promise_captions(report, folder):
    """A model without attention points nowhere; the kept one is small."""
    without, soft = report["models"]["no_attention"][0], report["models"]["soft"][0]
    assert without["pointing_accuracy"] == {}
    assert list(without["exact_match"]) == list(soft["pointing_accuracy"]) == ["2", "3", "4", "5"]
    assert not captions.load_trained("soft", folder / "captions").training
    assert (folder / "captions" / "soft.pt").stat().st_size < 1e6


def promise_dates(report, folder):
    assert all((folder / "dates" / f"{name}.pt").stat().st_size < 250_000 for name in report["models"])


def promise_headlines(report, folder):
    """Coverage adds parameters, and the pointer none."""
    ways = {name: list(scores) for name, scores in report["models"]["attention"][0]["sets"].items()}
    assert ways == {name: ["attention", "attention_replaced"] for name in ("same", "longer")}
    attention, pointer, coverage = (run["parameters"] for [run] in report["models"].values())
    assert attention == pointer
    assert coverage == pointer + 2 * headlines.ATTENTION_SIZE
    assert len(headlines.table(report).splitlines()) == 2 + 2 * 4


def promise_summaries(report, folder):
    """Smoothing adds no parameters, and attention adds its two tables."""
    lists, settings = report["lists"], summaries.SETTINGS
    assert {length: list(models) for length, models in lists.items()} == {
        "many": ["bag_of_words", "attention_unsmoothed", "attention"],
        "few": ["bag_of_words", "attention"],
    }
    for name, [run] in lists["many"].items():
        assert list(run["searches"]) == ["greedy", "beam"]
        assert (run["weight"] is None) == ("attention" not in name)
    bag, plain, smoothed = (run["parameters"] for [run] in lists["many"].values())
    embedding = lists["many"]["attention"][0]["vocabulary_size"] * settings["embedding_size"]
    bilinear = settings["source_size"] * settings["words"] * settings["embedding_size"]
    assert plain == smoothed == bag + embedding + bilinear
    assert len(summaries.table(report).splitlines()) == 2 + 2 * 5


def promise_stories(report, folder):
    """A network of each number of hops on each task; it has as many weights to tell."""
    cases = [(task, hops) for task in ("person", "thing") for hops in (1, 2, 3)]
    assert [(run["task"], run["hops"]) for run in report["runs"]] == cases
    assert all(len(run["weight_on_support"]) == run["hops"] for run in report["runs"])
    assert (folder / "stories" / "stories.pt").exists()


def promise_tatoeba(report, folder):
    """It is tested by lengths that meet."""
    buckets = tatoeba.BUCKETS
    for [run] in report["models"].values():
        assert run["training_pairs"] == 200
        assert set(run["bleu_by_length"]) <= {f"{low}-{high}" for low, high in buckets}
    assert all(bucket[1] + 1 == longer[0] for bucket, longer in pairwise(buckets))


def promise_reverse_task(report, folder):
    assert report["published_bleu"] == 95.19
    fed, unfed = (report["models"][name][0]["parameters"] for name in ("feeding", "no_feeding"))
    assert fed > unfed


def promise_museum_curves(report, folder):
    """Bugs of the model report an honest loss."""
    for name, [record] in report["runs"].items():
        assert name in ("pad_is_bos", "loss_over_padding") or record["reported_loss"] == record["honest_loss"]
    assert list(report["runs"]) == list(museum_curves.EXHIBITS)


def promise_forming(report, folder):
    assert [answer["step"] for answer in report["after"]] == [0, 1, 2]
    assert report["after"][0]["weights"] != report["after"][-1]["weights"]


def promise_length_curve(report, folder):
    """Alignment is scored where there is attention, and the kept models can be loaded."""
    assert len(report["models"]["bahdanau"][0]["aer"]) == 6
    assert report["models"]["every_step"][0]["aer"] == {}
    for name in report["models"]:
        loaded, source_vocab, target_vocab = load_trained(name, folder / "length_curve")
        assert not loaded.training
        assert loaded.encoder.embedding.num_embeddings == len(source_vocab)
        assert loaded.decoder.embedding.num_embeddings == len(target_vocab)


def promise_soft_hard(report, folder):
    assert all(run["aer"] for [run] in report["models"].values())


def promise_reading(report, folder):
    """The reader with the mean looks nowhere in particular."""
    assert list(report["models"]) == list(reading.READERS)
    [run] = report["models"]["mean"]
    assert run["weight_on_support"] == pytest.approx(run["support_by_chance"], abs=1e-3)
    assert run["moved_by_the_question"] == pytest.approx(0, abs=1e-3)


def promise_gradient_norm(report, folder):
    """A norm for every distance, and what training makes of it where the gain is one."""
    for run in report["runs"]:
        assert len(run["at_first"]) == report["settings"]["steps"]
        assert all(math.isfinite(norm) and norm > 0 for norm in run["at_first"])
    assert {run["gain"] for run in report["runs"] if "after_training" in run} == {1.0}


def of_the_shortest(model, sets, *vocabularies):
    """What is measured of the shortest sentences stands for all: the long ones take most of the time of a study."""
    (shortest, pairs), *_ = sets.items()
    scores = evaluate(model, {shortest: pairs}, *vocabularies)
    return {metric: {name: by_set[shortest] for name in sets if by_set} for metric, by_set in scores.items()}


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in FILES])
def test_a_smoke_test_writes_what_the_committed_results_hold(name, tmp_path, monkeypatch, capsys):
    """The same entries, by a run that is not made again and whose table can be shown; a seed repeats its numbers."""
    if name != "length_curve":
        monkeypatch.setattr(study, "evaluate", of_the_shortest)
    if name == "alignment":
        quick("length_curve", tmp_path)  # whose results it collects
    capsys.readouterr()
    quick(name, tmp_path)
    printed, report, committed = capsys.readouterr().out, report_of(name, tmp_path), report_of(name, RESULTS)

    differing = entries(report) ^ entries(committed)
    assert {path for path in differing if path.split("/")[-1] not in LATER} == set()
    assert report["command"] == f"python -m seq2seq.experiments {name}"
    if "models" in report and name not in OTHER_MODELS:
        asked = SHORTER[name][1:] if name in SHORTER else list(committed["models"])
        assert list(report["models"]) == asked
    if name in STUDIES:
        grid, runs = STUDIES[name], [run for runs in report["models"].values() for run in runs]
        assert [(run["model"], run["seed"], run["torch"]) for run in runs] == [(m, 0, torch.__version__) for m in asked]
        assert {path.stem for path in (tmp_path / name).glob("*.pt")} == set(grid.saved) & set(asked)
        assert set(grid.smoke) | set(grid.saved) <= set(grid.models)

    if promise := globals().get(f"promise_{name}"):
        promise(report, tmp_path)
    if name in REPEATED:
        quick(name, tmp_path / "again")
        assert without_times(report_of(name, tmp_path / "again")) == without_times(report)
    monkeypatch.setattr(torch.Tensor, "backward", lambda *_: pytest.fail("trained again"))
    monkeypatch.setattr(everyday, "run_aligner", lambda *_: pytest.fail("aligned again"))
    before = contents(tmp_path)
    if name in RESUMED:
        capsys.readouterr()
        quick(name, tmp_path)
        assert report_of(name, tmp_path) == report
        assert capsys.readouterr().out == printed
    if name in TABLED:
        capsys.readouterr()
        main(name, "--show", "--out", str(tmp_path))
        shown = capsys.readouterr().out
        assert shown in printed
        assert name in IN_LINES or sum(line.startswith("| ") for line in shown.splitlines()) >= 2
        assert contents(tmp_path) == before


@pytest.mark.parametrize("flags", [["--quick"], []])
@pytest.mark.parametrize("name", FILES)
def test_models_like_the_committed_ones_are_written_into_the_folder_that_is_asked_for(
    name, flags, tmp_path, capsys, monkeypatch
):
    committed = checkpoints.DIRECTORY
    monkeypatch.setattr(checkpoints, "DIRECTORY", committed)  # experiments turn it elsewhere
    small = replace(EXPERIMENTS[name], settings=EXPERIMENTS[name].settings | EXPERIMENTS[name].quick)
    small.main([*flags, "--out", str(tmp_path)])
    assert {path.name for path in tmp_path.iterdir()} == FILES[name]
    assert capsys.readouterr().out
    for path in tmp_path.glob("*.npz"):
        assert list(numpy.load(path)) == list(numpy.load(committed / path.name))
    for path in tmp_path.glob("*.json"):
        assert entries(json.loads(path.read_text())) == entries(json.loads((committed / path.name).read_text()))


def test_the_tables_of_the_committed_results(capsys, monkeypatch):
    """After other results: ``python -m seq2seq.experiments --show > tests/seq2seq/tables.txt``."""

    def in_this_process(name, arguments):
        main(name, *arguments)

    monkeypatch.setattr(experiments, "_apart", in_this_process)
    assert experiments.main(["--show"]) == 0
    shown, expected = (
        dict(part.split("\n", 1) for part in text.split("\n== ")[1:])
        for text in (capsys.readouterr().out, (Path(__file__).parent / "tables.txt").read_text("utf-8"))
    )
    assert {name for name in shown.keys() | expected.keys() if shown.get(name) != expected.get(name)} == set()


def test_the_table_of_an_interrupted_experiment_has_the_models_that_are_there():
    """In the one report whose models stand under no name of their own."""
    table, report = EXPERIMENTS["scorers"].table, report_of("scorers", RESULTS)
    assert table({"luong": {"dot": report["luong"]["dot"]}}) == table(report).splitlines()[0]


def test_every_experiment_is_listed_and_its_results_are_small_and_carry_the_command_that_made_them():
    modules = {path.stem for path in Path(experiments.__file__).parent.glob("*.py")}
    contents_of = {name: vars(importlib.import_module(f"seq2seq.experiments.{name}")).values() for name in modules}
    defining = {name for name, values in contents_of.items() if any(isinstance(each, Experiment) for each in values)}
    assert defining == set(experiments.MODULES)
    wrong = [
        path.stem
        for path in sorted(RESULTS.glob("*.json"))
        if path.stem not in EXPERIMENTS
        or not json.loads(path.read_text())["command"].startswith(EXPERIMENTS[path.stem].command)
    ]
    assert not wrong
    assert sum(path.stat().st_size for path in RESULTS.rglob("*") if path.is_file()) < 20e6


@pytest.mark.parametrize("name", TABLED)
def test_show_says_that_there_are_no_results(name, tmp_path):
    with pytest.raises(SystemExit, match="run the experiment without --show first"):
        main(name, "--show", "--out", str(tmp_path))
