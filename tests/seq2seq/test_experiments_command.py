"""The command that runs experiments, and the options that all of them take."""

from functools import partial
from pathlib import Path

import pytest

from seq2seq.experiments import __main__ as experiments
from seq2seq.experiments.command_line import add_seeds, parse, parser, resume
from seq2seq.experiments.recipe import RESULTS

TABLED = set(experiments.EXPERIMENTS) - set(experiments.WITHOUT_TABLE)


@pytest.fixture
def called(monkeypatch):
    calls = []

    def fork(name, arguments):
        calls.append([name, *arguments])
        return int(name == "padding")

    monkeypatch.setattr(experiments, "_fork", fork)
    return calls


def test_all_are_run_or_those_named_and_one_that_fails_does_not_stop_the_others(called, capsys):
    """In a folder of their own, so that a smoke test leaves the results alone."""
    assert experiments.main(["--quick"]) == 1
    assert len(called) == len(experiments.EXPERIMENTS)
    assert "failed: padding" in capsys.readouterr().err
    called.clear()
    assert experiments.main(["--quick", "--only", "reversal", "scorers"]) == 0
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


def test_a_smoke_test_has_one_seed_unless_told_otherwise_and_none_is_refused(tmp_path, capsys):
    four = parser("python -m anything", "Anything.")
    add_seeds(four, 4)
    seeds = [parse(four, line).seeds for line in (["--quick"], ["--quick", "--seeds", "2"], ["--out", str(tmp_path)])]
    assert seeds == [1, 2, 4]
    with pytest.raises(SystemExit) as stopped:
        parse(four, ["--quick", "--seeds", "0"])
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
