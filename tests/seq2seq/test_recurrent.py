"""The recurrent layers by name: each against its equations, and the simple one wherever a cell may be chosen."""

import pytest
import torch

from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.layers.recurrent import CELLS, recurrent_layer
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer

BATCH, STEPS, INPUT, HIDDEN = 2, 4, 3, 5
SOURCE_VOCAB, TARGET_VOCAB, EMBEDDING, ENCODER = 11, 9, 3, 8
SIZES = TARGET_VOCAB, EMBEDDING, HIDDEN, ENCODER
DECODERS = {
    "initial state": lambda cell: InitialStateDecoder(*SIZES, cell=cell),
    "every step": lambda cell: EveryStepDecoder(*SIZES, cell=cell),
    "Luong": lambda cell: LuongDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER), cell=cell),
    "feeding": lambda cell: InputFeedingDecoder(*SIZES, BilinearScorer(HIDDEN, ENCODER), cell=cell),
}
SOURCE = torch.randint(4, SOURCE_VOCAB, (BATCH, 6), generator=torch.Generator().manual_seed(3))
TARGET_IN = torch.randint(4, TARGET_VOCAB, (BATCH, STEPS), generator=torch.Generator().manual_seed(4))
LENGTHS = torch.tensor([6, 4])


def randomise(module):
    """Biases start at 0; a test that leaves them there would not see them lost."""
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module.double()


def rnn_step(inputs, hidden, w, u, b, c):
    return torch.tanh(w @ inputs + b + u @ hidden + c)


def gru_step(inputs, hidden, w, u, b, c):
    from_input, from_state = (w @ inputs + b).chunk(3), (u @ hidden + c).chunk(3)
    reset, update = (torch.sigmoid(from_input[i] + from_state[i]) for i in range(2))
    return (1 - update) * torch.tanh(from_input[2] + reset * from_state[2]) + update * hidden


@pytest.mark.parametrize(("name", "step"), [("rnn", rnn_step), ("gru", gru_step)])
@torch.no_grad()
def test_a_layer_without_memory_cell_equals_its_equation(name, step):
    layer = randomise(recurrent_layer(name, INPUT, HIDDEN))
    inputs = torch.randn(BATCH, STEPS, INPUT, dtype=torch.float64)
    states, last = layer(inputs)
    for row in range(BATCH):
        hidden = torch.zeros(HIDDEN, dtype=torch.float64)
        for i in range(STEPS):
            hidden = step(inputs[row, i], hidden, *layer.parameters())
            torch.testing.assert_close(states[row, i], hidden)
        torch.testing.assert_close(last[0, row], hidden)


@torch.no_grad()
def test_the_lstm_layer_equals_its_equation():
    layer = randomise(recurrent_layer("lstm", INPUT, HIDDEN))
    inputs = torch.randn(1, STEPS, INPUT, dtype=torch.float64)
    states, _ = layer(inputs)
    w, u, b, c = layer.parameters()
    hidden, memory = torch.zeros(2, HIDDEN, dtype=torch.float64)
    for i in range(STEPS):
        enter, forget, new, leave = (w @ inputs[0, i] + b + u @ hidden + c).chunk(4)
        memory = torch.sigmoid(forget) * memory + torch.sigmoid(enter) * torch.tanh(new)
        hidden = torch.sigmoid(leave) * torch.tanh(memory)
        torch.testing.assert_close(states[0, i], hidden)


@pytest.mark.parametrize("name", CELLS)
def test_gradients_of_a_layer_are_right(name):
    layer = randomise(recurrent_layer(name, INPUT, HIDDEN))
    inputs = torch.randn(BATCH, STEPS, INPUT, dtype=torch.float64, requires_grad=True)
    arguments = (inputs, *layer.parameters())
    assert torch.autograd.gradcheck(lambda inputs, *_: layer(inputs)[0], arguments, fast_mode=True)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("decoder", DECODERS)
def test_every_cell_goes_with_every_decoder_that_takes_one(decoder, cell):
    model = randomise(Seq2Seq(Encoder(SOURCE_VOCAB, EMBEDDING, ENCODER // 2, cell=cell), DECODERS[decoder](cell)))
    logits, _ = model(SOURCE, LENGTHS, TARGET_IN)
    memory, state = model.read(SOURCE, LENGTHS)
    for i, previous in enumerate(TARGET_IN.unbind(1)):
        step_logits, _, state = model.decoder.step(previous, state, memory)
        torch.testing.assert_close(step_logits, logits[:, i])


@pytest.mark.parametrize("cell", CELLS)
def test_recurrent_matrices_start_orthogonal_gate_by_gate(cell):
    encoder = Encoder(SOURCE_VOCAB, EMBEDDING, ENCODER // 2, cell=cell)
    Seq2Seq(encoder, DECODERS["initial state"](cell))
    (weight,) = [weight for name, weight in encoder.forward_rnn.named_parameters() if "weight_hh" in name]
    for gate in weight.split(ENCODER // 2):
        torch.testing.assert_close(gate @ gate.T, torch.eye(ENCODER // 2), atol=1e-5, rtol=0)


def test_an_unknown_cell_is_refused():
    with pytest.raises(ValueError, match=r"got 'GRU', expected one of \['gru', 'lstm', 'paper_gru', 'rnn'\]"):
        recurrent_layer("GRU", INPUT, HIDDEN)


@pytest.mark.cuda
@pytest.mark.parametrize("name", CELLS)
def test_cpu_and_gpu_agree(name):
    layer = randomise(recurrent_layer(name, INPUT, HIDDEN))
    inputs = torch.randn(BATCH, STEPS, INPUT, dtype=torch.float64)
    states, _ = layer(inputs)
    torch.testing.assert_close(layer.cuda()(inputs.cuda())[0].cpu(), states)
