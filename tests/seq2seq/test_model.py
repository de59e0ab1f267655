"""A model's first weights."""

import pytest
import torch
from small_models import bahdanau, feeding

from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.layers.recurrent import CELLS
from seq2seq.model import Seq2Seq


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
