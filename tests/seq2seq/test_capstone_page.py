"""The learner's translators as a page: the weights arrive whole, and what the page would not show is refused."""

import math
from pathlib import Path

import pytest
import torch
from torch import nn

from seq2seq.attention import attend
from seq2seq.demos.capstone_page import largest_difference, with_weights_of, write_page
from seq2seq.encoders import Encoder
from seq2seq.exercises.assembly import ContextDecoder, Translator
from seq2seq.live import bundle
from seq2seq.live.packing import read_script, unpack
from seq2seq.live.page import page
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer
from seq2seq.vocab import Vocabulary

ENGLISH, FRENCH = Vocabulary(["the", "cat", "</script>"]), Vocabulary(["le", "chat", "l'", "été"])
SENTENCES = [["the", "cat"], ["cat", "the", "the", "dog"]]
SCORERS = {
    "additive": lambda: AdditiveScorer(8, 8, 7),
    "bilinear": lambda: BilinearScorer(8, 8),
    "dot": DotScorer,
    "scaled dot": ScaledDotScorer,
}


def a_translator(scorer=SCORERS["additive"], attend=attend) -> Translator:
    torch.manual_seed(5)
    return Translator(Encoder(len(ENGLISH), 3, 4), scorer(), attend, ContextDecoder(len(FRENCH), 5, 8, 8))


def write(path: Path, **translators: object) -> Path:
    return write_page(path / "page.html", translators, ENGLISH, FRENCH, SENTENCES)


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_library_computes_the_same_with_the_learners_weights(scorer: str):
    translator = a_translator(SCORERS[scorer])
    model = with_weights_of("mine", translator)
    for sentence in SENTENCES:
        assert largest_difference(translator, model, ENGLISH.encode(sentence)) < 1e-5


def test_the_weights_stand_in_the_page_to_16_bits(tmp_path: Path):
    translator = a_translator()
    text = write(tmp_path, mine=translator).read_text(encoding="utf-8")
    [script] = [line for line in text.splitlines() if line.startswith("(globalThis.liveModels")]
    parameters = unpack(read_script(script.replace("\\x3c", "<")))
    expected = translator.decoder.cell.weight_hh.half().float()
    assert torch.equal(parameters["decoder.cell.weight_hh"], expected)
    expected = translator.scorer.energy_layer.weight.half().float()
    assert torch.equal(parameters["decoder.attention.scorer.energy_layer.weight"], expected)


def test_no_text_of_the_page_can_end_its_scripts(tmp_path: Path):
    text = write_page(
        tmp_path / "page.html", {"</script><b>": a_translator()}, ENGLISH, FRENCH, SENTENCES, title="<i>"
    ).read_text(encoding="utf-8")
    assert text.count("</script>") == text.count("<script>") == 3
    assert "<b>" not in text
    assert "<i>" not in text
    assert not [mark for mark in ("</script", "<!--") if mark in bundle.script()]


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


def in_luongs_order() -> Translator:
    translator = a_translator()
    return LuongsOrder(translator.encoder, translator.scorer, translator.attend, translator.decoder)


def with_nan() -> Translator:
    translator = a_translator()
    return NotANumber(translator.encoder, translator.scorer, translator.attend, translator.decoder)


@pytest.mark.parametrize("build", [lambda: a_translator(attend=no_attention), in_luongs_order, with_nan])
def test_a_system_that_the_page_would_not_show_is_refused(tmp_path: Path, build):
    translator = build()
    for part in (translator.encoder, translator.scorer, translator.decoder):
        for weight in part.parameters():
            nn.init.normal_(weight)  # far from uniform weights, where every order is much the same
    with pytest.raises(ValueError, match=r"mine: got logits that differ by .* on 'the cat', expected at most 0.001"):
        write(tmp_path, mine=translator)
    assert not list(tmp_path.iterdir())


def test_a_scorer_that_no_page_has_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="mine: got a LocationScorer as scorer"):
        write(tmp_path, mine=a_translator(lambda: LocationScorer(8, 10)))


@pytest.mark.parametrize("part", ["encoder", "decoder"])
def test_parts_with_other_parameters_are_refused(tmp_path: Path, part: str):
    translator = a_translator()
    setattr(translator, part, nn.Linear(2, 3))
    with pytest.raises(ValueError, match=r"mine: got parameters \[.*\], expected those of the capstone's"):
        write(tmp_path, mine=translator)


def test_one_more_parameter_is_refused(tmp_path: Path):
    translator = a_translator()
    translator.decoder.extra = nn.Linear(2, 3)
    with pytest.raises(ValueError, match=r"expected those of the capstone's.*extra"):
        write(tmp_path, mine=translator)


def test_nothing_to_show_is_refused():
    with pytest.raises(ValueError, match="models: got none"):
        page([], "t", "i", "s")


def test_the_learners_parts_stay_as_they_are(tmp_path: Path):
    translator = a_translator()
    before = {name: value.clone() for name, value in translator.scorer.state_dict().items()}
    write(tmp_path, mine=translator)
    for name, value in translator.scorer.state_dict().items():
        assert torch.equal(before[name], value)
