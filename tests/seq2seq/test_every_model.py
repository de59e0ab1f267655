"""What every model does whoever runs it: searched and measured in either mode, in half precision, under autocast."""

import math

import pytest
import torch
from small_models import BATCH, MODELS, PAIRS, SIZE, VOCAB
from test_every_guard import READERS, arguments_for
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from seq2seq.beam.search import beam_search
from seq2seq.beam.tree import beam_tree
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.encoders import Encoder
from seq2seq.layers.recurrent import recurrent_layer
from seq2seq.metrics import perplexity
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss, train
from seq2seq.widgets.playback import ByMask, play


def dropping():
    return Seq2Seq(
        Encoder(SIZE, 3, 4, dropout=0.5), BahdanauDecoder(SIZE, 5, 6, 8, AdditiveScorer(6, 8, 7), dropout=0.5)
    )


@pytest.mark.parametrize("make", MODELS)
def test_a_search_with_weights_that_are_no_numbers_is_refused(make):
    model = make()
    nn.init.constant_(model.decoder.output_layer.weight, math.nan)
    for search in (greedy, beam_search):
        with pytest.raises(FloatingPointError, match="logits: got NaN, expected numbers"):
            search(model, BATCH.source, BATCH.source_lengths, 3)


def played(model):
    return play(ByMask(model), PAIRS[0].source, VOCAB, VOCAB)


@pytest.mark.parametrize("training", [True, False])
def test_whatever_measures_a_model_leaves_it_in_its_mode_and_does_not_drop(training):
    """Those that train it, or give a loss to train by, drop as they are told."""
    measuring = [each for each in READERS if each.__name__ != "search_record"] + [perplexity, beam_tree]
    for measure in [*measuring, played]:
        model = dropping().train(training)
        model.encoder.eval()  # frozen, say
        given = {"model": model} if measure is played else arguments_for(measure) | {"model": model}
        results = [measure(**given) for _ in range(2)]
        assert repr(results[0]) == repr(results[1]), measure.__name__
        modes = [model.training, model.decoder.dropout.training, model.encoder.training]
        assert modes == [training, training, False], measure.__name__


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("make", MODELS)
def test_every_model_trains_and_searches_in_half_precision(make, dtype):
    model = make().to(dtype)
    forced_loss(model, BATCH, 0.0).backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters() if parameter.grad is not None)
    ids, _ = greedy(model, BATCH.source, BATCH.source_lengths, 3)
    assert ids.dtype == torch.long


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_a_recurrent_layer_computes_in_the_type_of_its_weights_under_autocast_too(cell, dtype, packed):
    layer, inputs = recurrent_layer(cell, 3, 4).to(dtype), torch.randn(2, 5, 3).bfloat16()
    if packed:
        inputs = pack_padded_sequence(inputs, torch.tensor([5, 4]), batch_first=True)
    plain, last = layer(inputs.to(dtype))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for state in (None, tuple(map(torch.zeros_like, last)) if cell == "lstm" else torch.zeros_like(last)):
            states, _ = layer(inputs, state)
            torch.testing.assert_close(states.data, plain.data)  # a packed sequence has `data`, too


@pytest.mark.parametrize("make", MODELS)
def test_every_model_trains_under_autocast_nearly_as_without_whoever_asks_for_it(make):
    """Also where it lasts the whole run, in which PyTorch would keep a weight's first cast."""

    def halved(model, batch, progress):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return forced_loss(model, batch, progress)

    def losses(loss=forced_loss, **how):
        torch.manual_seed(1)
        return train(make(), [BATCH], steps=6, warmup_steps=1, loss=loss, device="cpu", progress=False, **how).losses

    plain, by_loss, by_train = losses(), losses(halved), losses(autocast=torch.bfloat16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        by_caller = losses()
    assert by_loss == by_train == by_caller
    torch.testing.assert_close(by_train, plain, atol=0.05, rtol=0.02)
    with pytest.raises(ValueError, match=r"autocast: got torch.float16, expected torch.bfloat16 or None"):
        losses(autocast=torch.float16)
