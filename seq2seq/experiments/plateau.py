"""A Transformer trained until its loss is flat, beside the recurrent model of equal size.

    python -m seq2seq.experiments.plateau            # 6 models, 2 to 30 core-minutes each: about 3 hours
    python -m seq2seq.experiments.plateau --quick    # a smoke test of a few seconds, into a temporary folder

The models are those of ``self_attention``; a name ends with its budget in minutes of one core.
``low`` and ``lower`` have two fifths and one fifth of the studies' learning rate.
"""

from seq2seq.experiments.recipe import luong_bilinear
from seq2seq.experiments.self_attention import STEPS_PER_MINUTE, transformer
from seq2seq.experiments.study import Study, Variant

LOW, LOWER = 2e-3, 1e-3


def attentive(name: str, minutes: float, learning_rate: float, seeds: int | None = None) -> Variant:
    own = {"minutes": minutes, "learning_rate": learning_rate}
    return Variant(name, transformer, STEPS_PER_MINUTE["transformer"], own=own, seeds=seeds)


STUDY = Study(
    name="plateau",
    title=__doc__.splitlines()[0],
    variants=[
        attentive("transformer_low_2", 2, LOW),
        attentive("transformer_low_8", 8, LOW),
        Variant("luong_bilinear_8", luong_bilinear, STEPS_PER_MINUTE["luong_bilinear"], own={"minutes": 8}),
        attentive("transformer_8", 8, 5e-3, seeds=1),
        attentive("transformer_lower_8", 8, LOWER, seeds=1),
        attentive("transformer_low_30", 30, LOW),
    ],
    seeds=3,
    smoke=("transformer_low_2",),
)


if __name__ == "__main__":
    STUDY.main()
