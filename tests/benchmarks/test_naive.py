import itertools

import pytest
import torch

from benchmarks.models import MODELS
from benchmarks.naive import decoding, training
from benchmarks.naive.model import NaiveModel
from seq2seq.batch import collate
from seq2seq.beam.search import beam_search
from seq2seq.corpora.toys import reverse
from seq2seq.experiments.recipe import initial_state, luong
from seq2seq.scorers import DotScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

PAIRS = reverse(size=6, seed=3, lengths=(2, 9), symbols=6)
VOCAB = Vocabulary.build(pair.source for pair in PAIRS)
BUILDS = [
    *MODELS.values(),
    initial_state,
    lambda *sizes: luong(*sizes, DotScorer()),
    lambda *sizes: luong(*sizes, DotScorer(), fed=True),
]


@pytest.fixture(params=BUILDS)
def model(request):
    model = request.param(len(VOCAB), len(VOCAB))
    for name, parameter in model.named_parameters():
        if "bias" in name:  # zeros would hide a bias that is used twice, or not at all
            torch.nn.init.normal_(parameter, std=0.3)
    return model


@pytest.fixture
def batch():
    return collate(PAIRS, VOCAB, VOCAB)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-10)])
def test_loss_and_gradients_are_the_same(model, batch, dtype, tolerance):
    model = model.to(dtype)
    ours = forced_loss(model, batch, 0.0)
    naive = training.loss(NaiveModel(model), batch)
    torch.testing.assert_close(naive, ours, rtol=tolerance, atol=tolerance)
    parameters = list(model.parameters())
    for first, second in zip(
        torch.autograd.grad(ours, parameters), torch.autograd.grad(naive, parameters), strict=True
    ):
        torch.testing.assert_close(second, first, rtol=tolerance, atol=tolerance)


def sources(batch):
    return [row[:length] for row, length in zip(batch.source, batch.source_lengths.tolist(), strict=True)]


def test_greedy_says_the_same(model, batch):
    model = model.double()
    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=12)
    for row, source in enumerate(sources(batch)):
        words = decoding.greedy(NaiveModel(model), source, 12)
        assert ids[row, : len(words)].tolist() == words
        assert not ids[row, len(words) :].any()


def test_beam_says_the_same(model, batch):
    model = model.double()
    found = beam_search(model, batch.source, batch.source_lengths, max_length=12, beam_size=5)
    for row, source in enumerate(sources(batch)):
        score, words = decoding.beam(NaiveModel(model), source, 12, 5)
        assert found.ids[row, 0, : found.lengths[row, 0]].tolist() == words
        assert found.scores[row, 0].item() == pytest.approx(score)


def test_no_parameter_is_a_copy(model):
    assert {id(parameter) for parameter in NaiveModel(model).parameters()} == {
        id(parameter) for parameter in model.parameters()
    }


def test_batches_hold_as_many_sentences_as_asked_for():
    for batch in itertools.islice(training.random_batches(PAIRS, VOCAB, VOCAB, 4, seed=0), 3):
        assert len(batch.source) == 4
