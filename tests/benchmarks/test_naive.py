"""The naive loop, against which the speed is measured, computes what the library computes."""

import pytest
import torch

from benchmarks.models import MODELS
from benchmarks.naive import decoding, training
from benchmarks.naive.model import NaiveModel
from seq2seq.batch import collate
from seq2seq.beam.search import beam_search
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.experiments.recipe import attentive, initial_state
from seq2seq.scorers import DotScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

PAIRS = reverse(size=6, seed=3, lengths=(2, 9), symbols=6)
VOCAB = Vocabulary.build(pair.source for pair in PAIRS)
BUILDS = {
    **MODELS,
    "initial_state": initial_state,
    "luong_dot": attentive(LuongDecoder, DotScorer),
    "luong_dot_feeding": attentive(InputFeedingDecoder, DotScorer),
}


@pytest.mark.parametrize("name", BUILDS)
def test_loss_gradients_and_translations_are_the_same(name):
    torch.manual_seed(20)
    model = BUILDS[name](len(VOCAB), len(VOCAB)).double()
    for parameter in (parameter for key, parameter in model.named_parameters() if "bias" in key):
        torch.nn.init.normal_(parameter, std=0.3)  # zeros would hide a bias that is used twice, or not at all
    naive, batch, parameters = NaiveModel(model), collate(PAIRS, VOCAB, VOCAB), list(model.parameters())
    assert {id(parameter) for parameter in naive.parameters()} == {id(parameter) for parameter in parameters}
    losses = [forced_loss(model, batch, 0.0), training.loss(naive, batch)]
    torch.testing.assert_close(losses[1], losses[0], rtol=1e-10, atol=1e-10)
    gradients = [torch.autograd.grad(loss, parameters) for loss in losses]
    torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-10, atol=1e-10)

    ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=12)
    best = beam_search(model, batch.source, batch.source_lengths, max_length=12, beam_size=5)
    for row, (source, length) in enumerate(zip(batch.source, batch.source_lengths.tolist(), strict=True)):
        words = decoding.greedy(naive, source[:length], 12)
        assert ids[row, : len(words)].tolist() == words
        assert not ids[row, len(words) :].any()
        score, words = decoding.beam(naive, source[:length], 12, 5)
        assert best.ids[row, 0, : best.lengths[row, 0]].tolist() == words
        assert best.scores[row, 0].item() == pytest.approx(score)
