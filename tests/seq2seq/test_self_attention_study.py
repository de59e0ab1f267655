"""The study of self-attention compares models of about equal size, by name."""

from seq2seq.experiments.recipe import luong_bilinear
from seq2seq.experiments.self_attention import STUDY, transformer
from seq2seq.transformer.model import TransformerDecoder, TransformerEncoder

VOCABULARIES = 900, 1350


def weights(model):
    return sum(parameter.numel() for parameter in model.parameters())


def test_the_models_have_about_as_many_weights():
    assert 0.9 < weights(transformer(*VOCABULARIES)) / weights(luong_bilinear(*VOCABULARIES)) < 1.1


def test_the_transformer_has_no_recurrence():
    model = transformer(*VOCABULARIES)
    assert (type(model.encoder), type(model.decoder)) == (TransformerEncoder, TransformerDecoder)
    assert not any("weight_hh" in name for name, _ in model.named_parameters())


def test_the_study_names_both():
    assert [variant.name for variant in STUDY.variants] == ["luong_bilinear", "transformer"]
