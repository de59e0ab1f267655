import json

import pytest
import torch

from seq2seq.experiments import length_curve
from seq2seq.experiments.recipe import DECODERS, build, load_trained
from seq2seq.training import load_checkpoint, save_checkpoint

MODELS = ["every_step", "bahdanau"]
SETTINGS = {
    "training_pairs": 200,
    "training_corpus_seed": 1,
    "test_pairs_per_bucket": 4,
    "test_corpus_seed": 1001,
}


def quick(folder):
    length_curve.main(["--quick", "--cpu-seconds", "0.2", "--models", *MODELS, "--out", str(folder)])


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
    assert report["settings"]["cpu_seconds"] == 0.2
    assert report["models"]["bahdanau"][0]["torch"] == torch.__version__


@pytest.mark.parametrize("metric", ["bleu", "exact_match", "perplexity"])
@pytest.mark.parametrize("model", MODELS)
def test_every_bucket_has_a_value(report, model, metric):
    (run,) = report["models"][model]
    assert list(run[metric]) == ["4-10", "11-20", "21-30", "31-40", "41-50", "51-60"]


def test_alignment_is_scored_where_there_is_attention(report):
    assert len(report["models"]["bahdanau"][0]["aer"]) == 6
    assert report["models"]["every_step"][0]["aer"] == {}


def test_a_run_that_is_done_is_not_done_again(folder, report):
    quick(folder)
    assert json.loads((folder / "length_curve.json").read_text()) == report


@pytest.mark.parametrize("model", MODELS)
def test_a_kept_model_can_be_loaded(folder, model):
    loaded, source_vocab, target_vocab = load_trained(model, folder / "length_curve")
    assert not loaded.training
    assert loaded.encoder.embedding.num_embeddings == len(source_vocab)
    assert loaded.decoder.embedding.num_embeddings == len(target_vocab)


def test_no_test_sentence_was_trained_on():
    training, sets, _, _ = length_curve.prepare(SETTINGS)
    assert {pair.source for pair in training}.isdisjoint(pair.source for pairs in sets.values() for pair in pairs)


def test_every_test_sentence_is_of_its_buckets_length():
    _, sets, _, _ = length_curve.prepare(SETTINGS)
    for name, pairs in sets.items():
        shortest, longest = map(int, name.split("-"))
        assert len(pairs) == 4
        assert all(shortest <= len(pair.source) <= longest for pair in pairs)


@pytest.mark.parametrize("name", DECODERS)
def test_every_recipe_can_be_built_saved_and_loaded(name, tmp_path):
    model, other = build(name, 20, 30), build(name, 20, 30)
    save_checkpoint(tmp_path / "model.pt", model)
    load_checkpoint(tmp_path / "model.pt", other)
    arguments = torch.randint(4, 20, (2, 7)), torch.tensor([7, 3]), torch.randint(4, 30, (2, 5))
    assert torch.equal(model(*arguments)[0], other(*arguments)[0])


def test_an_unknown_recipe_is_refused():
    with pytest.raises(ValueError, match="got 'transformer', expected one of"):
        build("transformer", 20, 30)
