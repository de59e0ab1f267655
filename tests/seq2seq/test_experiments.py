"""Every experiment can be run with all others, and every committed result says how it was made."""

import importlib
import json
from functools import partial
from pathlib import Path

import pytest

from seq2seq.experiments import __main__ as experiments
from seq2seq.experiments.command_line import add_seeds, parse, parser, resume
from seq2seq.experiments.recipe import RESULTS

FOLDER = Path(experiments.__file__).parent
TABLED = set(experiments.EXPERIMENTS) - set(experiments.WITHOUT_TABLE)


def test_every_script_is_listed():
    scripts = {path.stem for path in FOLDER.glob("*.py") if '__name__ == "__main__"' in path.read_text()}
    assert scripts - {"__main__"} == set(experiments.EXPERIMENTS)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_a_result_carries_the_command_that_made_it(path):
    report = json.loads(path.read_text())
    assert report["command"].startswith(f"python -m seq2seq.experiments.{path.stem}")
    assert path.stem in experiments.EXPERIMENTS


def test_the_results_are_small():
    assert sum(path.stat().st_size for path in RESULTS.rglob("*") if path.is_file()) < 20e6


@pytest.fixture
def called(monkeypatch):
    calls = []

    def fork(name, arguments):
        calls.append([name, *arguments])
        return int(name == "padding")

    monkeypatch.setattr(experiments, "_fork", fork)
    return calls


def test_one_that_fails_does_not_stop_the_others(called, capsys):
    assert experiments.main(["--quick"]) == 1
    assert len(called) == len(experiments.EXPERIMENTS)
    assert "failed: padding" in capsys.readouterr().err


def test_only_those_named_are_run(called):
    assert experiments.main(["--only", "reversal", "scorers"]) == 0
    assert [command[0] for command in called] == ["scorers", "reversal"]


def test_the_smoke_test_leaves_the_results_alone(called):
    experiments.main(["--quick", "--only", "scorers"])
    ((_, out, folder, quick),) = called
    assert (out, quick) == ("--out", "--quick")
    assert Path(folder).resolve() != RESULTS.resolve()


def test_show_asks_only_those_that_have_a_table_and_says_which_have_no_results(called, tmp_path, monkeypatch, capsys):
    for name in TABLED - {"feeding"}:
        (tmp_path / f"{name}.json").touch()
    monkeypatch.setattr(experiments, "RESULTS", tmp_path)
    experiments.main(["--show"])
    assert {command[0] for command in called} == TABLED - {"feeding"}
    assert all(command[-1] == "--show" for command in called)
    assert "== feeding\nno results yet" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(TABLED))
def test_show_says_that_there_are_no_results(name, tmp_path):
    module = importlib.import_module(f"seq2seq.experiments.{name}")
    main = module.STUDY.main if hasattr(module, "STUDY") else module.main
    with pytest.raises(SystemExit, match="run the experiment without --show first"):
        main(["--show", "--out", str(tmp_path)])


@pytest.fixture
def options():
    """The options that an experiment of four seeds takes from these arguments."""

    def options(*arguments):
        made = parser("python -m anything", "Anything.")
        add_seeds(made, 4)
        return parse(made, ["--quick", *arguments])

    return options


def test_the_smoke_test_has_one_seed_unless_told_otherwise(options, tmp_path):
    assert (options().seeds, options("--seeds", "2").seeds) == (1, 2)
    made = parser("python -m anything", "Anything.")
    add_seeds(made, 4)
    assert parse(made, ["--out", str(tmp_path)]).seeds == 4


def test_no_seed_at_all_is_refused(options, capsys):
    with pytest.raises(SystemExit) as stopped:
        options("--seeds", "0")
    assert stopped.value.code == 2
    assert "--seeds: got 0, expected at least 1" in capsys.readouterr().err


def test_a_run_is_made_anew_only_for_other_settings(tmp_path):
    runs = []

    def run(settings):
        runs.append(settings)
        return {"settings": settings, "loss": len(runs)}

    for settings in ({"steps": 3}, {"steps": 3}, {"steps": 4}):
        record = resume(tmp_path / "model-0.json", settings, partial(run, settings))
        assert record["settings"] == settings
    assert (runs, record["loss"]) == ([{"steps": 3}, {"steps": 4}], 2)
