import pytest
import torch
from small_models import randomise

from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.exercises.plain_decoder import PlainDecoder
from seq2seq.exercises.stepwise import greedy_ids, teacher_forced
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import BOS

VOCAB, EMBEDDING, SIZE, ENCODER_SIZE = 9, 5, 7, 6


@pytest.fixture
def models():
    """A model, and its decoder in the plain form with the same weights."""
    encoder = Encoder(8, 4, ENCODER_SIZE, bidirectional=False)
    model = Seq2Seq(encoder, InitialStateDecoder(VOCAB, EMBEDDING, SIZE, ENCODER_SIZE))
    model, plain = randomise(model).float().eval(), PlainDecoder(VOCAB, EMBEDDING, SIZE)
    state = {name.replace("rnn.", "cell.").removesuffix("_l0"): v for name, v in model.decoder.state_dict().items()}
    plain.load_state_dict({name: value for name, value in state.items() if not name.startswith("bridge.")})
    return model, plain


@pytest.fixture
def source():
    return torch.randint(4, 8, (5, 6)), torch.tensor([6, 4, 1, 2, 6])


def test_teacher_forcing_and_greedy_decoding_equal_those_of_the_model(models, source):
    model, plain = models
    _, state = model.read(*source)
    target_in = torch.cat([torch.full((5, 1), BOS), torch.randint(4, VOCAB, (5, 3))], dim=1)
    torch.testing.assert_close(teacher_forced(plain, target_in, state.squeeze(0)), model(*source, target_in)[0])
    for max_length in (1, 4, 30):
        assert torch.equal(greedy_ids(plain, state.squeeze(0), max_length), greedy(model, *source, max_length)[0])
