import pytest

from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments import wirings
from seq2seq.experiments.directions import BUILDS


@pytest.mark.parametrize("name", BUILDS)
def test_the_models_differ_in_direction_and_score_alone(name):
    model = BUILDS[name](20, 30)
    assert (model.encoder.backward_rnn is None) == name.startswith("one_way")
    assert model.encoder.state_size == 128
    assert type(model.decoder) is LuongDecoder
    assert type(model.decoder.attention.scorer) is type(wirings.SCORERS[name.rsplit("_", 1)[1]]())
