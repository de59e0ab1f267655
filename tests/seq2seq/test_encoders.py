import pytest
import torch

from seq2seq.beyond.summariser import smooth
from seq2seq.encoders import Encoder, join_directions, reverse_within_length
from seq2seq.exercises.order import reverse_source

LENGTHS = torch.tensor([4, 7, 1])
SOURCE = torch.randint(4, 11, (3, 7), generator=torch.Generator().manual_seed(3))


@pytest.mark.parametrize(("bidirectional", "size"), [(True, 10), (False, 5)])
def test_state_size_tells_the_size_of_the_states(bidirectional, size):
    encoder = Encoder(11, 3, 5, bidirectional)
    states, final = encoder(SOURCE, LENGTHS)
    assert (encoder.state_size, states.shape, final.shape) == (size, (3, 7, size), (3, size))


def test_reversal_leaves_padding_where_it_is():
    values = torch.arange(8.0).view(2, 4, 1)
    reversed_values = reverse_within_length(values, torch.tensor([3, 4])).squeeze(-1)
    assert reversed_values.tolist() == [[2, 1, 0, 3], [7, 6, 5, 4]]
    ids = SOURCE.where(torch.arange(7) < LENGTHS.unsqueeze(1), 0)
    assert torch.equal(reverse_source(ids, LENGTHS), reverse_within_length(ids.unsqueeze(-1), LENGTHS)[..., 0])


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
