import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from seq2seq.encoders import Encoder, join_directions, reverse_within_length

VOCAB, EMBEDDING, HIDDEN = 11, 3, 5
LENGTHS = torch.tensor([4, 7, 1])
SOURCE = torch.randint(4, VOCAB, (3, 7), generator=torch.Generator().manual_seed(3))


def make(**options):
    torch.manual_seed(1)
    return Encoder(VOCAB, EMBEDDING, HIDDEN, **options).double()


def packed_oracle(encoder, cell):
    """PyTorch's own two-way layer on packed sequences, with the encoder's weights."""
    oracle = cell(EMBEDDING, HIDDEN, batch_first=True, bidirectional=True).double()
    weights = dict(encoder.forward_rnn.named_parameters())
    weights |= {f"{name}_reverse": weight for name, weight in encoder.backward_rnn.named_parameters()}
    oracle.load_state_dict(weights)
    packed = pack_padded_sequence(encoder.embedding(SOURCE), LENGTHS, batch_first=True, enforce_sorted=False)
    return pad_packed_sequence(oracle(packed)[0], batch_first=True)[0]


@pytest.mark.parametrize(("name", "cell"), [("rnn", torch.nn.RNN), ("gru", torch.nn.GRU), ("lstm", torch.nn.LSTM)])
def test_two_way_states_equal_pytorchs_packed_layer(name, cell):
    encoder = make(cell=name)
    states, _ = encoder(SOURCE, LENGTHS)
    torch.testing.assert_close(states, packed_oracle(encoder, cell))


@pytest.mark.parametrize("name", ["rnn", "gru", "lstm"])
def test_one_way_states_equal_the_forward_half(name):
    both, one = make(cell=name), make(cell=name, bidirectional=False)
    one.load_state_dict({key: value for key, value in both.state_dict().items() if "backward" not in key})
    torch.testing.assert_close(one(SOURCE, LENGTHS)[0], both(SOURCE, LENGTHS)[0][..., :HIDDEN])


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_more_padding_changes_nothing(cell, bidirectional):
    encoder = make(cell=cell, bidirectional=bidirectional)
    wider = torch.cat([SOURCE, torch.randint(4, VOCAB, (3, 2))], dim=1)  # rubbish where padding should be
    states, final = encoder(SOURCE, LENGTHS)
    wider_states, wider_final = encoder(wider, LENGTHS)
    torch.testing.assert_close(wider_states[:, :7], states)
    torch.testing.assert_close(wider_final, final)


def test_a_sentence_alone_has_the_states_it_has_in_a_batch():
    encoder = make()
    states, final = encoder(SOURCE, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        alone, alone_final = encoder(SOURCE[row : row + 1, :length], LENGTHS[row : row + 1])
        torch.testing.assert_close(states[row : row + 1, :length], alone)
        torch.testing.assert_close(final[row : row + 1], alone_final)


def test_states_at_padding_are_zero():
    states, _ = make()(SOURCE, LENGTHS)
    assert states[0, 4:].eq(0).all()
    assert states[2, 1:].eq(0).all()


def test_final_is_the_forward_state_at_the_last_word_and_the_backward_state_at_the_first():
    states, final = make()(SOURCE, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        torch.testing.assert_close(final[row, :HIDDEN], states[row, length - 1, :HIDDEN])
        torch.testing.assert_close(final[row, HIDDEN:], states[row, 0, HIDDEN:])


def test_the_backward_state_at_the_first_word_has_read_the_last_word():
    encoder = make()
    changed = SOURCE.clone()
    changed[1, 6] = (SOURCE[1, 6] - 4 + 1) % (VOCAB - 4) + 4
    difference = (encoder(changed, LENGTHS)[0] - encoder(SOURCE, LENGTHS)[0])[1, 0]
    assert difference[:HIDDEN].eq(0).all()
    assert difference[HIDDEN:].ne(0).all()


@pytest.mark.parametrize(("bidirectional", "size"), [(True, 10), (False, 5)])
def test_state_size_tells_the_size_of_the_states(bidirectional, size):
    encoder = make(bidirectional=bidirectional)
    states, final = encoder(SOURCE, LENGTHS)
    assert (encoder.state_size, states.shape, final.shape) == (size, (3, 7, size), (3, size))


def test_dropout_acts_in_training_alone():
    encoder = make(dropout=0.5)
    assert not torch.equal(encoder(SOURCE, LENGTHS)[0], encoder(SOURCE, LENGTHS)[0])
    encoder.eval()
    assert torch.equal(encoder(SOURCE, LENGTHS)[0], encoder(SOURCE, LENGTHS)[0])


def test_gradients_are_right():
    encoder = make()
    weights = tuple(encoder.parameters())
    assert torch.autograd.gradcheck(lambda *_: encoder(SOURCE[:, :4], torch.tensor([2, 4, 1])), weights)


def test_reversal_leaves_padding_where_it_is():
    values = torch.arange(8.0).view(2, 4, 1)
    reversed_values = reverse_within_length(values, torch.tensor([3, 4])).squeeze(-1)
    assert reversed_values.tolist() == [[2, 1, 0, 3], [7, 6, 5, 4]]


def test_reversal_twice_is_no_reversal():
    values = torch.randn(3, 7, 2)
    assert torch.equal(reverse_within_length(reverse_within_length(values, LENGTHS), LENGTHS), values)


def test_an_unknown_cell_is_refused():
    with pytest.raises(ValueError, match="got 'elman', expected one of"):
        make(cell="elman")


@pytest.mark.parametrize("lengths", [[0, 7, 1], [4, 8, 1]])
def test_lengths_outside_the_source_are_refused(lengths):
    with pytest.raises(ValueError, match="expected 1 to source_len=7"):
        make()(SOURCE, torch.tensor(lengths))


def test_one_length_too_few_is_refused():
    with pytest.raises(ValueError, match=r"shape \(2,\), expected \(batch=3,\)"):
        make()(SOURCE, LENGTHS[:2])


def test_joining_the_directions_gives_what_the_encoder_gives():
    encoder = make()
    embedded = encoder.embedding(SOURCE)
    forward_states, _ = encoder.forward_rnn(embedded)
    backward_states, _ = encoder.backward_rnn(reverse_within_length(embedded, LENGTHS))
    backward_states = reverse_within_length(backward_states, LENGTHS)
    torch.testing.assert_close(join_directions(forward_states, backward_states, LENGTHS), encoder(SOURCE, LENGTHS))
