"""Translation of everyday sentences: what is trained on, what is tested, what the report keeps."""

import json
import zipfile

import pytest

from seq2seq.experiments import tatoeba as module

LINES = [f"word {number} .\tmot {number} ." for number in range(12_000)]


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    path = tmp_path_factory.mktemp("tatoeba") / "fra-eng.zip"
    twice = [line.replace("mot", "parole") for line in LINES[::3]]
    twins = [f"say {number} !\tmot {number} ." for number in range(6_000)]  # another source of the same target
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("fra.txt", "\n".join(LINES + twice + twins) + "\n")
    return module.pairs_of(path, 0)


def test_a_test_sentence_is_asked_once_with_its_first_translation(sets):
    sources = [pair.source for pair in sets["test"]]
    assert len(sources) == len(set(sources)) == 5000
    assert not any("parole" in pair.target for pair in sets["test"])
    assert any("parole" in pair.target for pair in sets["train"])


def test_no_training_pair_has_a_side_of_a_test_pair(sets):
    for side in ("source", "target"):
        tested = {getattr(pair, side) for pair in sets["test"]}
        assert tested.isdisjoint(getattr(pair, side) for pair in sets["train"])


def test_a_run_is_tested_by_length_greedily_and_with_a_beam(tmp_path):
    module.main(["--quick", "--out", str(tmp_path), "--models", "luong"])
    report = json.loads((tmp_path / "tatoeba.json").read_text())
    [run] = report["models"]["luong"]
    assert run["training_pairs"] == 200
    assert set(run["bleu_by_length"]) <= {f"{low}-{high}" for low, high in module.BUCKETS}
    assert {"bleu", "beam_bleu", "perplexity"} <= set(run)
    assert module.table(report["models"]).splitlines()[2].startswith("| luong | 1 | ")


def test_runs_with_other_settings_leave_the_report(tmp_path):
    run = {"model": "luong", "seed": 0, "settings": {"epochs": 1}}
    (tmp_path / "tatoeba.json").write_text(json.dumps({"models": {"luong": [run]}}))
    (tmp_path / "tatoeba").mkdir()
    assert module.collect(tmp_path, {"epochs": 1}) == {"luong": [run]}
    assert module.collect(tmp_path, {"epochs": 2}) == {}


@pytest.mark.parametrize("name", ["no.zip", "text.zip"])
def test_a_file_that_is_no_corpus_ends_with_a_message(tmp_path, name):
    (tmp_path / "text.zip").write_text("no zip")
    with pytest.raises(SystemExit, match=name):
        module.main(["--out", str(tmp_path), "--data", str(tmp_path / name)])


def test_buckets_meet():
    assert all(one[1] + 1 == two[0] for one, two in zip(module.BUCKETS, module.BUCKETS[1:], strict=False))
