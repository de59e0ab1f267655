import json

from seq2seq.experiments.soft_hard import STUDY


def test_all_models_have_the_same_parameters():
    sizes = {sum(parameter.numel() for parameter in variant.build(20, 30).parameters()) for variant in STUDY.variants}
    assert len(sizes) == 1


def test_the_smoke_test_has_a_record_of_each_model_named(tmp_path):
    STUDY.main(["--quick", "--models", "score_function", "best_positions", "--out", str(tmp_path)])
    models = json.loads((tmp_path / "soft_hard.json").read_text())["models"]
    assert list(models) == ["score_function", "best_positions"]
    assert all(run["aer"] for runs in models.values() for run in runs)
