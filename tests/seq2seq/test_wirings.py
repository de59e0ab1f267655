import pytest

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.experiments.wirings import BUILDS, SCORERS

WIRINGS = {"bahdanau": BahdanauDecoder, "luong": LuongDecoder, "feeding": InputFeedingDecoder}


@pytest.mark.parametrize("name", BUILDS)
def test_a_model_has_the_wiring_the_scorer_and_the_directions_of_its_name(name):
    model, one_way = BUILDS[name](20, 30), name.startswith("one_way")
    assert (model.encoder.backward_rnn is None) == one_way
    assert model.encoder.state_size == 128
    if not one_way:
        wiring, scorer = name.split("_", 1)
        assert type(model.decoder) is WIRINGS[wiring]
        assert type(model.decoder.attention.scorer) is type(SCORERS[scorer]())
