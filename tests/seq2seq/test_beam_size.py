import json

import pytest
import torch
from small_models import PAIRS, VOCAB, luong, sharpen

from seq2seq.experiments import beam_size
from seq2seq.experiments.recipe import build, save_vocabularies
from seq2seq.training import save_checkpoint


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    beam_size.main(["--quick", "--out", str(folder)])
    return json.loads((folder / "beam_size.json").read_text())


def test_every_normalisation_and_size_is_measured(report):
    (entry,) = report["models"].values()
    assert list(entry) == list(beam_size.PENALTIES)
    assert [row["beam_size"] for row in entry["none"]] == report["settings"]["beam_sizes"]


def test_the_table_has_a_row_for_each(report):
    assert len(beam_size.table(report).splitlines()) == 2 + 2 * len(beam_size.PENALTIES)


def test_a_beam_as_wide_as_all_finds_the_most_probable():
    sets, settings = {"all": PAIRS}, {"sentences_per_batch": 2}
    model = sharpen(luong())
    rows = [beam_size.measure(model, VOCAB, VOCAB, sets, size, "none", settings) for size in (1, 20)]
    assert rows[1]["log_probability"] >= rows[0]["log_probability"]
    assert rows[1]["search_errors"] <= rows[0]["search_errors"]


def test_kept_models_are_found(tmp_path):
    save_vocabularies(tmp_path / "vocabularies.json", VOCAB, VOCAB)
    save_checkpoint(tmp_path / "luong_bilinear.pt", build("luong_bilinear", len(VOCAB), len(VOCAB)), torch.float16)
    assert list(beam_size.trained(tmp_path)) == ["luong_bilinear"]
