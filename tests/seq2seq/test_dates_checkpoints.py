"""The committed models of dates write dates that they have not seen, and the script that made them still runs."""

import json
from pathlib import Path

import pytest
import torch

from seq2seq import checkpoints
from seq2seq.experiments.dates import data
from seq2seq.experiments.dates_checkpoints import MODELS, main
from seq2seq.experiments.evaluation import translate
from seq2seq.experiments.recipe import load_vocabularies


@pytest.mark.parametrize("name", MODELS)
def test_a_committed_model_writes_dates(name: str) -> None:
    torch.set_num_threads(1)
    source_vocab, target_vocab = load_vocabularies(checkpoints.DIRECTORY / "dates.json")
    model = MODELS[name](len(source_vocab), len(target_vocab))
    model.load_state_dict(checkpoints.load(name))
    _, test = data({"training_pairs": 10_000, "test_pairs": 60, "test_seed": 1001})
    written = translate(model.eval(), test, source_vocab, target_vocab)
    assert sum(tuple(one) == tuple(pair.target) for one, pair in zip(written, test, strict=True)) >= 58


def test_a_checkpoint_is_small() -> None:
    for name in MODELS:
        assert (checkpoints.DIRECTORY / f"{name}.npz").stat().st_size <= 300_000


def test_the_script_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "DIRECTORY", checkpoints.DIRECTORY)  # the script turns it elsewhere
    main(["--quick", "--out", str(tmp_path)])
    assert {path.name for path in tmp_path.iterdir()} == {"dates.json", *(f"{name}.npz" for name in MODELS)}
    assert json.loads((tmp_path / "dates.json").read_text())["target"]
