import pytest
import torch

from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.exercises.plain_decoder import PlainDecoder
from seq2seq.exercises.stepwise import greedy_ids, teacher_forced
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import BOS

VOCAB, EMBEDDING, SIZE, ENCODER_SIZE = 9, 5, 7, 6


def models():
    """A model, and its decoder in the plain form with the same weights."""
    torch.manual_seed(1)
    model = Seq2Seq(
        Encoder(8, 4, ENCODER_SIZE, bidirectional=False), InitialStateDecoder(VOCAB, EMBEDDING, SIZE, ENCODER_SIZE)
    ).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    plain = PlainDecoder(VOCAB, EMBEDDING, SIZE)
    plain.load_state_dict(plain_state(model.decoder))
    return model, plain


def plain_state(decoder):
    return {
        name.replace("rnn.", "cell.").removesuffix("_l0"): value
        for name, value in decoder.state_dict().items()
        if not name.startswith("bridge.")
    }


@pytest.fixture
def source():
    return torch.randint(4, 8, (5, 6), generator=torch.Generator().manual_seed(2)), torch.tensor([6, 4, 1, 2, 6])


def test_teacher_forcing_equals_that_of_the_model(source):
    model, plain = models()
    target_in = torch.cat([torch.full((5, 1), BOS), torch.randint(4, VOCAB, (5, 3))], dim=1)
    _, state = model.read(*source)
    expected, _ = model(*source, target_in)
    torch.testing.assert_close(teacher_forced(plain, target_in, state.squeeze(0)), expected)


@pytest.mark.parametrize("max_length", [1, 4, 30])
def test_greedy_decoding_equals_that_of_the_model(source, max_length):
    model, plain = models()
    _, state = model.read(*source)
    expected, _ = greedy(model, *source, max_length)
    assert torch.equal(greedy_ids(plain, state.squeeze(0), max_length), expected)
