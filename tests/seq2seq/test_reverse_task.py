import json

import pytest

from seq2seq.corpora.download import DownloadError
from seq2seq.experiments import multi30k, reverse_task


def test_the_report_has_both_models_beside_the_published_figure(tmp_path):
    reverse_task.main(["--quick", "--out", str(tmp_path)])
    report = json.loads((tmp_path / "reverse_task.json").read_text())
    assert report["published_bleu"] == 95.19
    assert list(report["models"]) == ["feeding", "no_feeding"]
    assert report["models"]["feeding"][0]["parameters"] > report["models"]["no_feeding"][0]["parameters"]


def test_multi30k_without_data_ends_with_a_message(tmp_path, monkeypatch):
    def refuse(part, folder):
        raise DownloadError("train.de.gz: not downloaded")

    monkeypatch.setattr(multi30k, "multi30k", refuse)
    with pytest.raises(SystemExit, match=r"train\.de\.gz: not downloaded"):
        multi30k.main(["--out", str(tmp_path)])


def test_multi30k_keeps_the_runs_of_another_machine(tmp_path):
    def record(preset, model, bleu):
        return {"settings": {"preset": preset}, "model": model, "seed": 0, "bleu": bleu}

    there = {"additive_full": [record("full", "additive", 30)], "additive_laptop": [record("laptop", "additive", 20)]}
    (tmp_path / "multi30k.json").write_text(json.dumps({"models": there}))
    (tmp_path / "multi30k").mkdir()
    (tmp_path / "multi30k" / "additive-laptop-0.json").write_text(json.dumps(record("laptop", "additive", 25)))
    new = {"additive_laptop": [record("laptop", "additive", 25)]}
    assert multi30k.collect(tmp_path) == new | {"additive_full": [record("full", "additive", 30)]}
