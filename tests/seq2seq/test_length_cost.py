import json

from seq2seq.experiments import length_cost
from seq2seq.experiments.recipe import MODELS
from seq2seq.vocab import BOS, EOS, SPECIALS


def test_quick_measures_every_model(tmp_path):
    length_cost.main(["--quick", "--out", str(tmp_path)])
    report = json.loads((tmp_path / "length_cost.json").read_text())
    assert list(report["models"]) == list(MODELS)
    for entry in report["models"].values():
        assert [row["length"] for row in entry["by_length"]] == report["settings"]["lengths"]
        assert [row["batch_size"] for row in entry["by_batch_size"]] == report["settings"]["batch_sizes"]
    assert length_cost.table(report).count("\n") == 1 + len(MODELS)


def test_random_batches_are_full_and_well_formed():
    batch = length_cost.random_batch(3, 5, 20)
    assert batch.source.shape == batch.target_in.shape == (3, 5)
    assert batch.source_mask.all()
    assert batch.target_mask.all()
    assert (batch.target_in[:, 0] == BOS).all()
    assert (batch.target_out[:, -1] == EOS).all()
    assert (batch.target_in[:, 1:] >= len(SPECIALS)).all()
    assert (batch.target_in[:, 1:] == batch.target_out[:, :-1]).all()
