"""Transformers against recurrence with attention: at equal time, and trained until the loss is flat.

    python -m seq2seq.experiments self_attention    # 2 models, 2 minutes on one core each
    python -m seq2seq.experiments plateau           # 6 models, 2 to 30 core-minutes each: about 3 hours

The models of both are of about equal size.
Training sentences have at most 50 words; those of 51 to 60 words have positions that the Transformer has not seen.
A name of ``plateau`` ends with its budget in minutes of one core.
``low`` and ``lower`` have two fifths and one fifth of the studies' learning rate.
"""

from seq2seq.experiments.recipe import luong_bilinear
from seq2seq.experiments.study import Variant, study
from seq2seq.model import Seq2Seq
from seq2seq.transformer.model import TransformerDecoder, TransformerEncoder

SIZE, HEADS, INNER_SIZE, LAYERS = 96, 4, 192, 1


def transformer(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = TransformerEncoder(source_vocab_size, SIZE, HEADS, INNER_SIZE, LAYERS)
    return Seq2Seq(encoder, TransformerDecoder(target_vocab_size, SIZE, SIZE, HEADS, INNER_SIZE, LAYERS))


STEPS_PER_MINUTE = {"luong_bilinear": 3700, "transformer": 3400}
BUILDS = {"luong_bilinear": luong_bilinear, "transformer": transformer}
SELF_ATTENTION = study(
    "self_attention",
    "A Transformer against recurrence with attention, at equal time and of about equal size.",
    [Variant(name, build, STEPS_PER_MINUTE[name]) for name, build in BUILDS.items()],
    seeds=1,
)

LOW, LOWER = 2e-3, 1e-3


def attentive(name: str, minutes: float, learning_rate: float, seeds: int | None = None) -> Variant:
    overrides = {"minutes": minutes, "learning_rate": learning_rate}
    return Variant(name, transformer, STEPS_PER_MINUTE["transformer"], overrides=overrides, seeds=seeds)


PLATEAU = study(
    "plateau",
    "A Transformer trained until its loss is flat, beside the recurrent model of equal size.",
    [
        attentive("transformer_low_2", 2, LOW),
        attentive("transformer_low_8", 8, LOW),
        Variant("luong_bilinear_8", luong_bilinear, STEPS_PER_MINUTE["luong_bilinear"], overrides={"minutes": 8}),
        attentive("transformer_8", 8, 5e-3, seeds=1),
        attentive("transformer_lower_8", 8, LOWER, seeds=1),
        attentive("transformer_low_30", 30, LOW),
    ],
    smoke=("transformer_low_2",),
)
