import json

import pytest
import torch

from seq2seq.corpora.dates import dates
from seq2seq.experiments import dates as experiment

QUICK = experiment.SETTINGS | {"training_pairs": 100, "test_pairs": 9, "steps": {"bahdanau": 2, "luong": 2}}


def test_no_day_of_the_test_was_trained_on():
    training, test = experiment.data(QUICK)
    assert len(test) == 9
    assert not {pair.target for pair in training} & {pair.target for pair in test}


def test_weight_on_gold_is_one_where_all_weight_is_on_links():
    pairs = dates(20, seed=1)
    weights = []
    for pair in pairs:
        rows = torch.zeros(len(pair.target) + 1, len(pair.source))
        for source, target in pair.links:
            rows[target, source] = 1 / sum(other == target for _, other in pair.links)
        weights.append(rows)
    assert experiment.weight_on_gold(weights, pairs) == 1
    assert experiment.weight_on_gold([rows / 4 for rows in weights], pairs) == pytest.approx(0.25)


def test_the_report_has_both_models_and_their_checkpoints(tmp_path):
    experiment.main(["--quick", "--out", str(tmp_path)])
    report = json.loads((tmp_path / "dates.json").read_text())
    assert list(report["models"]) == ["bahdanau", "luong"]
    for name in report["models"]:
        assert (tmp_path / "dates" / f"{name}.pt").stat().st_size < 250_000


def test_a_seed_repeats_the_run(tmp_path):
    once, again = (experiment.run("luong", 3, QUICK, tmp_path) for _ in range(2))
    assert once | {"cpu_seconds": 0} == again | {"cpu_seconds": 0}
