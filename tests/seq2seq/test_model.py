"""A model as a whole: a sentence alone and in a batch, and its first weights."""

import pytest
import torch
from small_models import PAIRS, VOCAB, bahdanau, feeding, fixed, luong

from seq2seq.batch import collate
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.layers.recurrent import CELLS
from seq2seq.model import Seq2Seq


@pytest.fixture(params=[fixed, bahdanau, luong, feeding])
def model(request):
    return request.param().double().eval()


def run(model, pairs):
    batch = collate(pairs, VOCAB, VOCAB)
    return model(batch.source, batch.source_lengths, batch.target_in)


def test_a_sentence_has_the_same_logits_and_weights_alone_and_in_a_batch_of_any_order(model):
    logits, weights = run(model, PAIRS)
    turned, _ = run(model, PAIRS[::-1])
    torch.testing.assert_close(turned.flip(0), logits)
    for row, pair in enumerate(PAIRS):
        alone, its_weights = run(model, [pair])
        torch.testing.assert_close(logits[row, : alone.size(1)], alone[0])
        if weights is not None:
            torch.testing.assert_close(weights[row, : alone.size(1), : its_weights.size(2)], its_weights[0])


@pytest.mark.parametrize("cell", CELLS)
def test_recurrent_matrices_start_orthogonal_gate_by_gate(cell):
    encoder = Encoder(11, 3, 4, cell=cell)
    Seq2Seq(encoder, InitialStateDecoder(9, 3, 5, 8, cell=cell))
    (weight,) = [weight for name, weight in encoder.forward_rnn.named_parameters() if "weight_hh" in name]
    for gate in weight.split(4):
        torch.testing.assert_close(gate @ gate.T, torch.eye(4), atol=1e-5, rtol=0)


def test_biases_start_at_zero_but_for_the_forget_gate_of_an_lstm():
    assert all(weight.eq(0).all() for weight in bahdanau().parameters() if weight.dim() == 1)
    rnn = feeding().encoder.forward_rnn
    assert (rnn.bias_ih_l0 + rnn.bias_hh_l0).tolist() == [0] * 4 + [1] * 4 + [0] * 8


def test_a_seed_fixes_the_first_weights_and_embeddings_have_a_variance_of_a_tenth():
    first, second = (torch.manual_seed(7) and bahdanau().state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    model = Seq2Seq(Encoder(900, 30, 4), InitialStateDecoder(9, 3, 5, 8))
    assert model.encoder.embedding.weight.var().item() == pytest.approx(0.1, rel=0.05)
