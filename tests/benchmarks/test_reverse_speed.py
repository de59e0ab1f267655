import json
import sys

import pytest
import yaml

from benchmarks import reverse_speed

TRAINER = """import json, sys
assert sys.argv[1].endswith("joeynmt_run.py")
for steps, bleu in ((250, 40.0), (500, float(sys.argv[3]))):
    print("a line of its log")
    print(json.dumps({"steps": steps, "cpu_seconds": steps / 100, "bleu": bleu, "parameters": 7}))
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A Python in the place of JoeyNMT's own that reports two validations, the second at the goal."""
    (tmp_path / "trainer.py").write_text(TRAINER)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {tmp_path / "trainer.py"} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(reverse_speed, "PYTHON", python)


def test_every_run_is_reported(stand_in, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reverse_speed, "STEPS", (1, 2))
    monkeypatch.setattr(reverse_speed, "SETTINGS", reverse_speed.SETTINGS | {"training_pairs": 50, "test_pairs": 3})
    assert reverse_speed.main(["--seeds", "2", "--json", str(tmp_path / "report.json")]) == 0
    models = json.loads((tmp_path / "report.json").read_text())["models"]
    assert [[run["steps"] for run in runs] for runs in models["ours"]] == [[1, 2]] * 2
    assert [[run["steps"] for run in runs] for runs in models["joeynmt_tutorial"]] == [[250, 500]] * 2
    last = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| joeynmt_tutorial ")][-1]
    assert "| 2 of 2 | 5.00 | 5.00 | 5.00 | 500 |" in last


def test_a_run_ends_at_the_goal(monkeypatch):
    scores = iter((50.0, 99.2, 99.9))
    record = {"cpu_seconds": 1.0, "parameters": 7}
    monkeypatch.setattr(
        reverse_speed, "run", lambda _, seed, settings: record | {"steps": settings["steps"], "bleu": next(scores)}
    )
    assert [one["steps"] for one in reverse_speed.ours(1, {}, (10, 20, 30))] == [10, 20]


def test_the_settings_are_the_tutorials(tmp_path):
    settings = reverse_speed.configuration(tmp_path, 1, reverse_speed.TUTORIAL, updates=9, every=3)
    assert yaml.safe_load(yaml.safe_dump(settings)) == settings
    assert (settings["training"]["batch_size"], settings["training"]["learning_rate"]) == (10, 0.001)
    assert settings["model"]["decoder"]["input_feeding"]
    assert settings["model"]["encoder"]["bidirectional"]


def test_a_failed_run_shows_why(stand_in, tmp_path):
    reverse_speed.PYTHON.write_text("#!/bin/sh\necho no such module >&2\nexit 3\n")
    with pytest.raises(SystemExit, match="status 3:\nno such module"):
        reverse_speed.joeynmt(tmp_path, 1, reverse_speed.TUTORIAL, 1, 1)


def test_without_joeynmt_it_says_what_to_do(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(reverse_speed, "PYTHON", tmp_path / "none")
    assert reverse_speed.main(["--quick"]) == 2
    assert "make joeynmt" in capsys.readouterr().err
