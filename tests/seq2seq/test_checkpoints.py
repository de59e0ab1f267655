"""Every committed checkpoint is small and comes back; those that the book shows do what it says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import torch

from seq2seq import checkpoints
from seq2seq.batch import collate
from seq2seq.corpora.grammar import corpus
from seq2seq.demos import fixed_vector, forced_decoding
from seq2seq.exercises.encoder_decoder import greedy_ids
from seq2seq.experiments import dates, evaluation, recipe
from seq2seq.experiments.forced_decoding import LENGTHS, SEED, SENTENCES
from seq2seq.vocab import SPECIALS, Vocabulary


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(checkpoints, "DIRECTORY", tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", sorted(checkpoints.DIRECTORY.glob("*.npz")), ids=lambda path: path.stem)
def test_a_committed_checkpoint_is_small_and_finite_and_changes_no_more(path: Path, tmp_path: Path, monkeypatch):
    assert path.stat().st_size <= 300_000
    state = checkpoints.load(path.stem)
    monkeypatch.setattr(checkpoints, "DIRECTORY", tmp_path)
    assert all(torch.isfinite(value).all() for value in state.values())
    checkpoints.save("again", state)
    again = checkpoints.load("again")
    assert list(again) == list(state)
    assert all(torch.equal(value, again[name]) for name, value in state.items())


def test_a_state_comes_back(elsewhere: Path) -> None:
    layer = torch.nn.Linear(3, 2)
    state = {**layer.state_dict(), "steps": torch.tensor([3, 4])}
    assert checkpoints.save("layer", state) == elsewhere / "layer.npz"
    again = checkpoints.load("layer")
    assert list(again) == list(state)
    assert torch.equal(again["steps"], state["steps"])
    assert again["weight"].dtype == torch.float32
    assert torch.allclose(again["weight"], layer.weight, atol=1e-3)
    assert (numpy.load(elsewhere / "layer.npz")["weight"]).dtype == numpy.float16


def test_an_unknown_name_lists_the_known_and_objects_are_refused(elsewhere: Path) -> None:
    checkpoints.save("known", {"a": torch.zeros(1)})
    with pytest.raises(FileNotFoundError, match=r"got 'unknown'.* known"):
        checkpoints.load("unknown")
    numpy.savez(elsewhere / "objects.npz", numpy.array([{}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        checkpoints.load("objects")


IN_ANOTHER_ENCODING = """
import sys
from pathlib import Path
from seq2seq.experiments import frequent_words, recipe
_, *vocabularies = recipe.load_trained("every_step")
recipe.save_vocabularies(Path(sys.argv[1], "vocabularies.json"), *vocabularies)
frequent_words.CAPSTONE.main(["--quick", "--out", sys.argv[1]])
"""


def test_french_words_are_read_and_written_in_utf_8_whatever_the_machine_s_encoding(tmp_path: Path) -> None:
    environment = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}  # as Windows, which has one of its own
    line = [sys.executable, "-X", "utf8=0", "-c", IN_ANOTHER_ENCODING, str(tmp_path)]
    subprocess.run(line, env=environment, check=True, capture_output=True)
    committed = recipe.RESULTS / "length_curve" / "vocabularies.json"
    assert json.loads((tmp_path / "vocabularies.json").read_bytes()) == json.loads(committed.read_bytes())
    assert "é" in "".join(json.loads((tmp_path / "capstone.json").read_bytes())["target"])


@pytest.mark.parametrize("name", dates.CHECKPOINTS)
def test_a_committed_model_writes_dates(name: str) -> None:
    source_vocab, target_vocab = recipe.load_vocabularies(checkpoints.DIRECTORY / "dates.json")
    model = dates.CHECKPOINTS[name](len(source_vocab), len(target_vocab))
    model.load_state_dict(checkpoints.load(name))
    _, test = dates.data({"training_pairs": 10_000, "test_pairs": 60, "test_seed": 1001})
    written = evaluation.translate(model.eval(), test, source_vocab, target_vocab)
    assert sum(tuple(words) == tuple(pair.target) for words, pair in zip(written, test, strict=True)) >= 58


def test_the_committed_decoder_says_short_sentences_right():
    decoder, tokens, sources, targets, states = fixed_vector.trained()
    vocab = Vocabulary(tokens[len(SPECIALS) :])
    with torch.no_grad():
        translations = [vocab.decode(row) for row in greedy_ids(decoder, states, 30)]
    right = [words == target for words, target in zip(translations, targets, strict=True)]
    assert all(right[:12])
    assert 16 <= sum(right) < len(sources)


def test_the_kept_sentences_are_those_of_the_corpus():
    loaded, pairs = forced_decoding.load(), corpus(SENTENCES, SEED, LENGTHS)
    assert [tuple(words) for words in loaded.sources] == [pair.source for pair in pairs]
    assert [tuple(words) for words in loaded.targets] == [pair.target for pair in pairs]
    assert int(loaded.gold.sum()) == sum(len(pair.links) for pair in pairs)


@torch.no_grad()
def test_the_kept_parts_say_what_the_model_says():
    loaded = forced_decoding.load()
    model, source_vocab, target_vocab = recipe.load_trained("luong_bilinear")
    batch = collate(corpus(SENTENCES, SEED, LENGTHS), source_vocab, target_vocab)
    logits, weights = model(batch.source, batch.source_lengths, batch.target_in)
    real = batch.target_mask
    assert torch.equal(loaded.step_mask, real)
    assert torch.equal(loaded.source_mask, batch.source_mask)
    assert torch.allclose(loaded.weights["luong"][real], weights[real], atol=1e-3)
    known = torch.unique(batch.target_out[real])
    expected = logits[..., known].softmax(-1)[real]
    assert torch.allclose(loaded.next_words(loaded.weights["luong"])[real], expected, atol=0.02)
