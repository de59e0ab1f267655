"""What only a GRU has; ``test_every_layer`` holds it against its equations."""

import torch
from small_models import randomise
from torch import nn

from seq2seq.layers.gru import Gru, gru_step


def test_packed_sentences_are_read_as_pytorch_reads_them():
    layer, plain = Gru(3, 4), nn.GRU(3, 4, batch_first=True)
    plain.load_state_dict(layer.state_dict())
    packed = nn.utils.rnn.pack_padded_sequence(torch.randn(2, 5, 3), torch.tensor([5, 2]), batch_first=True)
    assert torch.equal(layer(packed)[1], plain(packed)[1])


def test_one_step_by_the_equations_equals_that_of_pytorch():
    cell, inputs, state = randomise(nn.GRUCell(5, 6)), torch.randn(3, 5).double(), torch.randn(3, 6).double()
    weights = (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    torch.testing.assert_close(gru_step(inputs, state, *weights), cell(inputs, state))
