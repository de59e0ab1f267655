"""The doubly stochastic penalty where its assumption is nearly true: about one target word for each source word.

    python -m seq2seq.experiments.stochastic            # 3 models × 3 seeds, 2,500 steps each, about 10 core-minutes
    python -m seq2seq.experiments.stochastic --quick    # a smoke test of a few seconds, results in a temporary folder

Luong's wiring with dot scores, as in ``wirings``, where some seeds align badly at this budget.
The penalty pushes the weights of each source word to sum to 1 (Xu et al., 2015, section 4.2.1); a name ends with the
weight of the penalty.
"""

from seq2seq.beyond.captioning import DoublyStochasticLoss
from seq2seq.experiments.study import Study, Variant
from seq2seq.experiments.wirings import STEPS, luong_with
from seq2seq.training import forced_loss

WEIGHTS = (0.1, 1.0)
STUDY = Study(
    name="stochastic",
    title=__doc__.splitlines()[0],
    variants=[
        Variant("no_penalty", luong_with("dot"), STEPS, forced_loss),
        *(Variant(f"penalty_{weight:g}", luong_with("dot"), STEPS, DoublyStochasticLoss(weight)) for weight in WEIGHTS),
    ],
    seeds=3,
    minutes=1.0,  # of STEPS steps for every variant
    smoke=("penalty_1",),
)


if __name__ == "__main__":
    STUDY.main()
