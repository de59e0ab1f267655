import pytest
import torch
from torch import nn

from seq2seq.layers.gru import Gru, gru_step

BATCH, STEPS, INPUTS, SIZE = 3, 4, 5, 6


def layers():
    ours, theirs = Gru(INPUTS, SIZE).double(), nn.GRU(INPUTS, SIZE, batch_first=True).double()
    for parameter in ours.parameters():
        nn.init.normal_(parameter)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def outputs_and_gradients(layer, with_state, steps=STEPS):
    generator = torch.Generator().manual_seed(1)

    def draw(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.double).requires_grad_()

    given = [draw(BATCH, steps, INPUTS)] + ([draw(1, BATCH, SIZE)] if with_state else [])
    states, last = layer(*given)
    loss = (states * draw(*states.shape)).sum() + (last * draw(*last.shape)).sum()
    return [states, last], list(torch.autograd.grad(loss, [*given, *layer.parameters()]))


@pytest.mark.parametrize("with_state", [True, False])
@pytest.mark.parametrize("steps", [1, STEPS])
def test_equals_that_of_pytorch(with_state, steps):
    ours, theirs = layers()
    torch.testing.assert_close(
        outputs_and_gradients(ours, with_state, steps), outputs_and_gradients(theirs, with_state, steps)
    )


def test_packed_sentences_are_read_as_pytorch_reads_them():
    torch.manual_seed(0)
    layer, plain = Gru(3, 4), nn.GRU(3, 4, batch_first=True)
    plain.load_state_dict(layer.state_dict())
    packed = nn.utils.rnn.pack_padded_sequence(torch.randn(2, 5, 3), torch.tensor([5, 2]), batch_first=True)
    assert torch.equal(layer(packed)[1], plain(packed)[1])


def test_one_step_by_the_equations_equals_that_of_pytorch():
    cell = nn.GRUCell(INPUTS, SIZE).double()
    for parameter in cell.parameters():
        nn.init.normal_(parameter)
    inputs, state = torch.randn(BATCH, INPUTS).double(), torch.randn(BATCH, SIZE).double()
    weights = (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    torch.testing.assert_close(gru_step(inputs, state, *weights), cell(inputs, state))
