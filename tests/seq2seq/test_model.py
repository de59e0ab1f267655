"""A model's first weights, the two directions of its encoder, and what only a GRU has."""

import pytest
import torch
from small_models import bahdanau, feeding, randomise
from torch import nn

from seq2seq.beyond.summariser import smooth
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder, join_directions, reverse_within_length
from seq2seq.exercises.bottleneck import reverse_source
from seq2seq.layers.gru import Gru, gru_step
from seq2seq.layers.recurrent import CELLS
from seq2seq.model import Seq2Seq

LENGTHS = torch.tensor([4, 7, 1])
SOURCE = torch.randint(4, 11, (3, 7), generator=torch.Generator().manual_seed(3))


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


class Normed(Encoder):
    """With gains, and what else is a vector or a number but no bias."""

    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.others = nn.ModuleList(
            [nn.LayerNorm((3, 8)), nn.RMSNorm((3, 8)), nn.BatchNorm1d(8), nn.GroupNorm(2, 8), nn.PReLU()]
        )
        self.scale = nn.Parameter(torch.tensor(2.0))


def test_gains_slopes_and_numbers_stay_as_their_modules_made_them():
    encoder = Normed(11, 3, 4)
    before = {name: part.clone() for name, part in encoder.named_parameters() if name.startswith(("others", "scale"))}
    Seq2Seq(encoder, InitialStateDecoder(9, 3, 5, 8))
    assert all(torch.equal(encoder.get_parameter(name), part) for name, part in before.items())
    assert len(before) == 9


def test_a_new_model_draws_its_weights_anew_but_those_of_parts_that_are_not_fresh():
    first = bahdanau()
    before = {name: part.clone() for name, part in first.state_dict().items()}
    Seq2Seq(first.encoder, first.decoder, fresh=False)
    assert all(torch.equal(part, before[name]) for name, part in first.state_dict().items())
    Seq2Seq(first.encoder, first.decoder)
    assert not torch.equal(first.encoder.embedding.weight, before["encoder.embedding.weight"])


def test_embeddings_start_with_a_variance_of_a_tenth():
    model = Seq2Seq(Encoder(900, 30, 4), InitialStateDecoder(9, 3, 5, 8))
    assert model.encoder.embedding.weight.var().item() == pytest.approx(0.1, rel=0.05)


def test_reversal_leaves_padding_where_it_is():
    ids, lengths = torch.tensor([[2, 1, 4, 0], [7, 6, 5, 4]]), torch.tensor([3, 4])
    for turned in (reverse_source(ids, lengths), reverse_within_length(ids.unsqueeze(-1), lengths).squeeze(-1)):
        assert turned.tolist() == [[4, 1, 2, 0], [4, 5, 6, 7]]


def test_joining_the_directions_gives_what_the_encoder_gives():
    encoder = Encoder(11, 3, 5).double()
    embedded = encoder.embedding(SOURCE)
    forward_states, _ = encoder.forward_rnn(embedded)
    backward_states, _ = encoder.backward_rnn(reverse_within_length(embedded, LENGTHS))
    backward_states = reverse_within_length(backward_states, LENGTHS)
    torch.testing.assert_close(join_directions(forward_states, backward_states, LENGTHS), encoder(SOURCE, LENGTHS))


def test_smoothing_is_the_mean_of_the_window_with_zeros_beyond_the_ends():
    states, mask = torch.tensor([[1.0, 10, 100, 1000], [1, 10, 7, 7]]).unsqueeze(-1), torch.ones(2, 4) > 0
    mask[1, 2:] = False
    smoothed = smooth(states, mask, 1).squeeze(-1)
    torch.testing.assert_close(3 * smoothed[0], torch.tensor([11.0, 111.0, 1110.0, 1100.0]))
    torch.testing.assert_close(3 * smoothed[1, :2], torch.tensor([11.0, 11.0]))
    torch.testing.assert_close(smooth(states[:1], mask[:1], 0), states[:1])  # the word itself
    torch.testing.assert_close(11 * smooth(states[:1], mask[:1], 5), torch.full((1, 4, 1), 1111.0))  # all of it


def test_packed_sentences_are_read_as_pytorch_reads_them():
    layer, plain = Gru(3, 4), nn.GRU(3, 4, batch_first=True)
    plain.load_state_dict(layer.state_dict())
    packed = nn.utils.rnn.pack_padded_sequence(torch.randn(2, 5, 3), torch.tensor([5, 2]), batch_first=True)
    assert torch.equal(layer(packed)[1], plain(packed)[1])


def test_one_sentence_without_a_batch_is_read_as_pytorch_reads_it():
    layer, inputs = Gru(3, 4), torch.randn(5, 3)
    states, last = layer(inputs)
    torch.testing.assert_close(states, layer(inputs.unsqueeze(0))[0].squeeze(0))
    assert torch.equal(last, states[-1:])


def test_one_step_by_the_equations_equals_that_of_pytorch():
    cell, inputs, state = randomise(nn.GRUCell(5, 6)), torch.randn(3, 5).double(), torch.randn(3, 6).double()
    weights = (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    torch.testing.assert_close(gru_step(inputs, state, *weights), cell(inputs, state))
