import json

import pytest

from seq2seq.corpora.grammar import corpus
from seq2seq.experiments import alignment

PAIRS = corpus(60, 5, (8, 30))


@pytest.fixture(scope="module")
def floors():
    return alignment.floors({"short": PAIRS})


def test_guessing_is_worse_than_the_diagonal_and_the_diagonal_than_the_best(floors):
    assert floors["random"]["aer"] > floors["diagonal"]["aer"] > floors["best"]["aer"] > 0


def test_uniform_weights_are_scored_as_they_are(floors):
    assert 0.9 < floors["uniform"]["soft_aer"] < 1


def test_each_model_gets_the_mean_over_the_test_sets_for_every_seed(tmp_path):
    runs = [{metric: {"4-10": 0.1, "11-20": high} for metric in alignment.METRICS} for high in (0.3, 0.5)]
    report = {"settings": {"test_fingerprint": "same"}, "models": {"luong_dot": runs, "fixed": [{"aer": {}}]}}
    (tmp_path / "wirings.json").write_text(json.dumps(report))
    measured = alignment.measured(tmp_path, "same")
    assert list(measured) == ["wirings:luong_dot"]
    assert measured["wirings:luong_dot"]["soft_aer"] == pytest.approx([0.2, 0.3])


def test_results_on_other_sentences_are_refused(tmp_path):
    report = {"settings": {"test_fingerprint": "old"}, "models": {"any": []}}
    (tmp_path / "length_curve.json").write_text(json.dumps(report))
    with pytest.raises(ValueError, match=r"experiments\.length_curve again"):
        alignment.measured(tmp_path, "new")
