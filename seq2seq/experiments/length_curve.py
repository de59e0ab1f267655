"""Quality against source length: two fixed-vector models and three with attention, at equal time.

    python -m seq2seq.experiments.length_curve            # 5 models, 2 minutes on one core per run
    python -m seq2seq.experiments.length_curve --quick    # a smoke test of a few seconds, results in a temporary folder

Training sentences have at most 50 words; lengths of 51 to 60 words are unseen.
"""

from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.study import Study, Variant

STEPS_PER_MINUTE = {
    "initial_state": 3900,
    "every_step": 3200,
    "bahdanau": 2100,
    "luong_bilinear": 3300,
    "luong_bilinear_feeding": 2000,
}
STUDY = Study(
    name="length_curve",
    title=__doc__.splitlines()[0],
    variants=[Variant(name, MODELS[name], steps) for name, steps in STEPS_PER_MINUTE.items()],
    seeds=5,
    kept=("every_step", "bahdanau", "luong_bilinear", "luong_bilinear_feeding"),
)


if __name__ == "__main__":
    STUDY.main()
