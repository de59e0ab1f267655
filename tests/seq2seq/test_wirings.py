import pytest

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.experiments.wirings import BUILDS, SCORERS

WIRINGS = {"bahdanau": BahdanauDecoder, "luong": LuongDecoder, "feeding": InputFeedingDecoder}


@pytest.mark.parametrize("name", [name for name in BUILDS if not name.startswith("one_way")])
def test_a_model_has_the_wiring_and_the_scorer_of_its_name(name):
    wiring, scorer = name.split("_", 1)
    decoder = BUILDS[name](20, 30).decoder
    assert type(decoder) is WIRINGS[wiring]
    assert type(decoder.attention.scorer) is type(SCORERS[scorer]())


@pytest.mark.parametrize("name", BUILDS)
def test_only_those_named_so_read_one_way(name):
    encoder = BUILDS[name](20, 30).encoder
    assert (encoder.backward_rnn is None) == name.startswith("one_way")
    assert encoder.state_size == 128
