import json

import pytest
import torch

from seq2seq.experiments.length_curve import STUDY
from seq2seq.experiments.recipe import MODELS, build, load_trained
from seq2seq.training import load_checkpoint, save_checkpoint

TRAINED = ["every_step", "bahdanau"]


def quick(folder):
    STUDY.main(["--quick", "--models", *TRAINED, "--out", str(folder)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    quick(folder)
    return folder


@pytest.fixture(scope="module")
def report(folder):
    return json.loads((folder / "length_curve.json").read_text())


def test_the_report_says_how_it_was_made(report):
    assert report["command"] == "python -m seq2seq.experiments.length_curve"
    assert report["settings"]["minutes"] == 0.001
    assert report["models"]["bahdanau"][0]["torch"] == torch.__version__


def test_alignment_is_scored_where_there_is_attention(report):
    assert len(report["models"]["bahdanau"][0]["aer"]) == 6
    assert report["models"]["every_step"][0]["aer"] == {}


@pytest.mark.parametrize("model", TRAINED)
def test_a_kept_model_can_be_loaded(folder, model):
    loaded, source_vocab, target_vocab = load_trained(model, folder / "length_curve")
    assert not loaded.training
    assert loaded.encoder.embedding.num_embeddings == len(source_vocab)
    assert loaded.decoder.embedding.num_embeddings == len(target_vocab)


@pytest.mark.parametrize("name", MODELS)
def test_every_recipe_can_be_built_saved_and_loaded(name, tmp_path):
    model, other = build(name, 20, 30), build(name, 20, 30)
    save_checkpoint(tmp_path / "model.pt", model)
    load_checkpoint(tmp_path / "model.pt", other)
    arguments = torch.randint(4, 20, (2, 7)), torch.tensor([7, 3]), torch.randint(4, 30, (2, 5))
    assert torch.equal(model(*arguments)[0], other(*arguments)[0])


def test_an_unknown_recipe_is_refused():
    with pytest.raises(ValueError, match="got 'transformer', expected one of"):
        build("transformer", 20, 30)
