"""Quality against source length: two fixed-vector models and three with attention, at equal time.

    python -m seq2seq.experiments length_curve    # 5 models, 2 minutes on one core per run

Training sentences have at most 50 words; lengths of 51 to 60 words are unseen.
"""

from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.study import Variant, study

STEPS_PER_MINUTE = {
    "initial_state": 3900,
    "every_step": 3200,
    "bahdanau": 2100,
    "luong_bilinear": 3300,
    "luong_bilinear_feeding": 2000,
}
LENGTH_CURVE = study(
    "length_curve",
    __doc__.splitlines()[0],
    [Variant(name, MODELS[name], steps) for name, steps in STEPS_PER_MINUTE.items()],
    seeds=5,
    saved=("every_step", "bahdanau", "luong_bilinear", "luong_bilinear_feeding"),
)
