"""Models packed for a page: what they lose, what they may not, and what a page refuses to show."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from seq2seq.attention import attend
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.demos.capstone_page import largest_difference, with_weights_of, write_page
from seq2seq.encoders import Encoder
from seq2seq.exercises.capstone import ContextDecoder, Translator
from seq2seq.live import bundle
from seq2seq.live.base91 import ALPHABET, decode, encode
from seq2seq.live.packing import Packed, pack, read_script, to_codes, unpack
from seq2seq.live.page import page
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer
from seq2seq.vocab import Vocabulary

ENGLISH, FRENCH = Vocabulary(["the", "cat", "'s"]), Vocabulary(["le", "chat", "l'", "été"])


def a_model(wiring="bahdanau"):
    size = len(FRENCH)
    decoders = {
        "bahdanau": lambda: BahdanauDecoder(size, 5, 6, 8, AdditiveScorer(6, 8, 7)),
        "location": lambda: BahdanauDecoder(size, 5, 6, 8, LocationScorer(6, 10)),
        "luong": lambda: LuongDecoder(size, 5, 6, 8, BilinearScorer(6, 8), cell="lstm"),
        "first state": lambda: InitialStateDecoder(size, 5, 6, 8),
    }
    return Seq2Seq(Encoder(len(ENGLISH), 3, 4), decoders[wiring]()).half().float()


def packed_of(model) -> Packed:
    return pack(model, ENGLISH, FRENCH, "A model", (4, 50))


def packed(wiring="bahdanau", bits=16) -> Packed:
    return pack(a_model(wiring), ENGLISH, FRENCH, "A model", (4, 50), bits)


def test_bytes_come_back_from_text_that_may_stand_in_quotes():
    for size in (0, 1, 12, 13, 26, 999):
        data = np.random.default_rng(size).integers(0, 256, size, np.uint8).tobytes()
        text = encode(data)
        assert decode(text)[:size] == data
        assert decode(text)[size:] in (b"", b"\0")
        assert len(text) <= 2 * (8 * size // 13 + 1)
    assert len(set(ALPHABET)) == 91
    assert ALPHABET.isprintable()
    assert not set(ALPHABET) & set("\"\\'\n ") - {"'"}


@pytest.mark.filterwarnings("ignore:.*script_method.*:DeprecationWarning")  # torch.compile's own
@pytest.mark.parametrize("wiring", ["bahdanau", "luong"])
def test_float16_comes_back_as_it_was(wiring: str):
    model = a_model(wiring)
    parameters = unpack(packed_of(model))
    torch.testing.assert_close(parameters, dict(model.state_dict()), rtol=0, atol=0)
    assert packed_of(torch.compile(model)) == packed_of(model)


def test_a_number_is_off_by_half_a_step_of_its_row_at_most():
    matrix = torch.randn(5, 9) * torch.tensor([[0.01], [0.1], [1.0], [10.0], [0.0]])
    for bits in (4, 8, 10, 15):
        codes, scales = to_codes(matrix, bits)
        back = (codes.astype(np.float64) - 2**15).reshape(5, 9) * scales[:, None]
        step = matrix.abs().amax(dim=1).numpy() / (2 ** (bits - 1) - 1)
        assert (np.abs(back - matrix.numpy()).max(axis=1) <= 0.501 * step + 1e-12).all()


def test_fewer_bits_round_matrices_and_no_vectors():
    model = a_model()
    parameters = unpack(pack(model, ENGLISH, FRENCH, "A model", (4, 50), 8))
    for name, tensor in model.state_dict().items():
        assert torch.equal(parameters[name], tensor) == (tensor.dim() == 1), name
        torch.testing.assert_close(parameters[name], tensor, atol=0.01, rtol=0)


@pytest.mark.parametrize("bits", [8, 16])
def test_a_script_is_read_back(bits: int):
    model = packed(bits=bits)
    script = model.script("a model")
    assert script.startswith('(globalThis.liveModels ??= {})["a model"] = {"title":"A model","wiring":"bahdanau"')
    assert script.count("\n") == 1
    assert read_script(script) == model
    words = model.body[: model.header["word_bytes"]].decode()
    assert words == "the\ncat\n's\n\nle\nchat\nl'\nété"


def test_a_model_that_no_page_can_run_is_refused():
    for wiring in ("first state", "location"):
        with pytest.raises(ValueError, match="expected parts that run in a page"):
            packed(wiring)
    for encoder, message in (
        *(
            (Encoder(len(ENGLISH), 3, 4, cell=cell), "expected parts that run in a page")
            for cell in ("rnn", "paper_gru")
        ),
        (Encoder(len(ENGLISH), 3, 8, bidirectional=False), "got a one-way encoder"),
    ):
        decoder = LuongDecoder(len(FRENCH), 5, 6, 8, BilinearScorer(6, 8))
        with pytest.raises(ValueError, match=message):
            packed_of(Seq2Seq(encoder, decoder))
    for english, french, message in (
        (FRENCH, FRENCH, "source_vocab: got 8 words, expected 7"),
        (ENGLISH, ENGLISH, "target_vocab: got 7 words, expected 8"),
        (Vocabulary(["a", "", "b"]), FRENCH, "source_vocab: got the word ''"),
        (ENGLISH, Vocabulary(["a", "b\nc", "d", "e"]), r"target_vocab: got the word 'b\\nc'"),
    ):
        with pytest.raises(ValueError, match=message):
            pack(a_model(), english, french, "A model", (4, 50))
    model = a_model()
    nn.init.constant_(model.decoder.output_layer.bias, math.nan)
    with pytest.raises(ValueError, match=r"model: decoder\.output_layer\.bias holds nan"):
        packed_of(model)
    for bits in (3, 17, 8.5):
        with pytest.raises(ValueError, match=f"bits: got {bits}, expected 4 to 16"):
            packed(bits=bits)


TYPED = Vocabulary(["the", "cat", "</script>"])
SENTENCES = [["the", "cat"], ["cat", "the", "the", "dog"]]
SCORERS = {
    "additive": lambda: AdditiveScorer(8, 8, 7),
    "bilinear": lambda: BilinearScorer(8, 8),
    "dot": DotScorer,
    "scaled dot": ScaledDotScorer,
    "location": lambda: LocationScorer(8, 10),
}


def a_translator(scorer="additive") -> Translator:
    torch.manual_seed(5)
    return Translator(Encoder(len(TYPED), 3, 4), SCORERS[scorer](), attend, ContextDecoder(len(FRENCH), 5, 8, 8))


def write(path: Path, title: str = "", **translators: object) -> Path:
    return write_page(path / "page.html", translators, TYPED, FRENCH, SENTENCES, title=title)


def test_the_library_computes_the_same_with_the_learners_weights():
    for scorer in SCORERS.keys() - {"location"}:
        translator = a_translator(scorer)
        model = with_weights_of("mine", translator)
        assert all(largest_difference(translator, model, TYPED.encode(words)) < 1e-5 for words in SENTENCES), scorer


def test_the_weights_stand_in_the_page_to_16_bits_and_the_learners_stay_as_they_are(tmp_path: Path):
    translator = a_translator()
    before = {name: value.clone() for name, value in translator.scorer.state_dict().items()}
    text = write(tmp_path, mine=translator).read_text(encoding="utf-8")
    torch.testing.assert_close(dict(translator.scorer.state_dict()), before, rtol=0, atol=0)
    [script] = [line for line in text.splitlines() if line.startswith("(globalThis.liveModels")]
    parameters = unpack(read_script(script.replace("\\x3c", "<")))
    energies, recurrent = translator.scorer.energy_layer.weight, translator.decoder.cell.weight_hh
    assert torch.equal(parameters["decoder.cell.weight_hh"], recurrent.half().float())
    assert torch.equal(parameters["decoder.attention.scorer.energy_layer.weight"], energies.half().float())


def test_no_text_of_the_page_can_end_its_scripts(tmp_path: Path):
    text = write(tmp_path, "<i>", **{"</script><b>": a_translator()}).read_text(encoding="utf-8")
    assert text.count("</script>") == text.count("<script>") == 3
    assert "<b>" not in text
    assert "<i>" not in text
    assert not [mark for mark in ("</script", "<!--") if mark in bundle.script()]


def test_no_two_of_the_joined_scripts_give_one_name_to_different_things():
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", bundle.script(), re.MULTILINE)
    assert [name for name in names if names.count(name) > 1] == []
    assert "softmax" in names


def no_attention(scores, values, source_mask):
    weights = source_mask / source_mask.sum(dim=1, keepdim=True)
    return (weights.unsqueeze(-1) * values).sum(dim=1), weights


class LuongsOrder(Translator):
    def step(self, previous, state, memory):
        projected_keys, states, source_mask = memory
        _, looked = self.decoder.step(previous, state, states[:, 0])
        context, weights = self.attend(self.scorer.score(looked, projected_keys), states, source_mask)
        logits, state = self.decoder.step(previous, state, context)
        return logits, weights, state


class NotANumber(Translator):
    def step(self, previous, state, memory):
        logits, weights, state = super().step(previous, state, memory)
        return logits * math.nan, weights, state


@pytest.mark.parametrize(("kind", "attend"), [(Translator, no_attention), (LuongsOrder, attend), (NotANumber, attend)])
def test_a_system_that_the_page_would_not_show_is_refused(tmp_path: Path, kind, attend):
    plain = a_translator()
    translator = kind(plain.encoder, plain.scorer, attend, plain.decoder)
    for part in (translator.encoder, translator.scorer, translator.decoder):
        for weight in part.parameters():
            nn.init.normal_(weight)  # far from uniform weights, where every order is much the same
    with pytest.raises(ValueError, match=r"mine: got logits that differ by .* on 'the cat', expected at most 0.001"):
        write(tmp_path, mine=translator)
    assert not list(tmp_path.iterdir())


def test_a_scorer_and_parameters_that_no_page_has_are_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="mine: got a LocationScorer as scorer"):
        write(tmp_path, mine=a_translator("location"))
    for part in ("encoder", "decoder", "extra"):
        translator = a_translator()
        setattr(translator.decoder if part == "extra" else translator, part, nn.Linear(2, 3))
        message = r"mine: got parameters \[.*\], expected those of the capstone's"
        with pytest.raises(ValueError, match=message + (".*extra" if part == "extra" else "")):
            write(tmp_path, mine=translator)
    with pytest.raises(ValueError, match="models: got none"):
        page([], "t", "i", "s")
