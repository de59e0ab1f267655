import torch
from small_models import PAIRS, VOCAB, luong, sharpen

from seq2seq.experiments import beam_size
from seq2seq.experiments.recipe import build, save_vocabularies
from seq2seq.training import save_checkpoint


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
