"""Models packed for a page: what they lose, and what they may not."""

import numpy as np
import pytest
import torch

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.live.base91 import ALPHABET, decode, encode
from seq2seq.live.packing import Packed, pack, read_script, to_codes, unpack
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer, LocationScorer
from seq2seq.vocab import Vocabulary

ENGLISH, FRENCH = Vocabulary(["the", "cat", "'s"]), Vocabulary(["le", "chat", "l'", "été"])


def a_model(wiring="bahdanau"):
    encoder = Encoder(len(ENGLISH), 3, 4)
    if wiring == "bahdanau":
        return Seq2Seq(encoder, BahdanauDecoder(len(FRENCH), 5, 6, 8, AdditiveScorer(6, 8, 7)))
    if wiring == "location":
        return Seq2Seq(encoder, BahdanauDecoder(len(FRENCH), 5, 6, 8, LocationScorer(6, 10)))
    if wiring == "luong":
        return Seq2Seq(encoder, LuongDecoder(len(FRENCH), 5, 6, 8, BilinearScorer(6, 8), cell="lstm"))
    return Seq2Seq(encoder, InitialStateDecoder(len(FRENCH), 5, 6, 8))


def packed(wiring="bahdanau", bits=16) -> Packed:
    return pack(a_model(wiring), ENGLISH, FRENCH, "A model", (4, 50), bits)


@pytest.mark.parametrize("size", [0, 1, 12, 13, 26, 999])
def test_bytes_come_back_from_text(size: int):
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8).tobytes()
    text = encode(data)
    back = decode(text)
    assert back[:size] == data
    assert back[size:] in (b"", b"\0")
    assert len(text) <= 2 * (8 * size // 13 + 1)


def test_the_text_may_stand_in_quotes():
    assert len(set(ALPHABET)) == 91
    assert ALPHABET.isprintable()
    assert not set(ALPHABET) & set("\"\\'\n ") - {"'"}


@pytest.mark.parametrize(("text", "said"), [("abc", "got 3 characters"), ('a"', "got 'a\"'")])
def test_text_that_is_none_is_refused(text: str, said: str):
    with pytest.raises(ValueError, match=said):
        decode(text)


@pytest.mark.parametrize("wiring", ["bahdanau", "luong"])
def test_float16_comes_back_as_it_was(wiring: str):
    torch.manual_seed(3)
    model = a_model(wiring).half().float()
    parameters = unpack(pack(model, ENGLISH, FRENCH, "A model", (4, 50)))
    assert parameters.keys() == model.state_dict().keys()
    for name, tensor in model.state_dict().items():
        assert torch.equal(parameters[name], tensor), name


@pytest.mark.parametrize("bits", [4, 8, 10, 15])
def test_a_number_is_off_by_half_a_step_of_its_row_at_most(bits: int):
    matrix = torch.randn(5, 9) * torch.tensor([[0.01], [0.1], [1.0], [10.0], [0.0]])
    codes, scales = to_codes(matrix, bits)
    back = (codes.astype(np.float64) - 2**15).reshape(5, 9) * scales[:, None]
    step = matrix.abs().amax(dim=1).numpy() / (2 ** (bits - 1) - 1)
    assert (np.abs(back - matrix.numpy()).max(axis=1) <= 0.501 * step + 1e-12).all()


def test_fewer_bits_round_matrices_and_no_vectors():
    torch.manual_seed(4)
    model = a_model().half().float()
    parameters = unpack(pack(model, ENGLISH, FRENCH, "A model", (4, 50), 8))
    for name, tensor in model.state_dict().items():
        assert torch.equal(parameters[name], tensor) == (tensor.dim() == 1), name
        torch.testing.assert_close(parameters[name], tensor, atol=0.01, rtol=0)


@pytest.mark.parametrize("bits", [8, 16])
def test_a_script_is_read_back(bits: int):
    one = packed(bits=bits)
    script = one.script("a model")
    assert script.startswith('(globalThis.liveModels ??= {})["a model"] = {"title":"A model","wiring":"bahdanau"')
    assert script.count("\n") == 1
    assert read_script(script) == one


def test_the_vocabularies_stand_first():
    one = packed()
    words = one.body[: one.header["word_bytes"]].decode()
    assert words == "the\ncat\n's\n\nle\nchat\nl'\nété"


@pytest.mark.parametrize("wiring", ["first state", "location"])
def test_a_model_that_no_page_can_run_is_refused(wiring: str):
    with pytest.raises(ValueError, match="expected a decoder and a scorer that run in a page"):
        packed(wiring)


@pytest.mark.parametrize("bits", [3, 17])
def test_bits_are_few_but_not_too_few(bits: int):
    with pytest.raises(ValueError, match=f"bits: got {bits}, expected 4 to 16"):
        packed(bits=bits)
