"""What local-p needs to find the right words: the same model trained in different ways, three seeds each.

    python -m seq2seq.experiments.local_p            # 7 models × 3 seeds, 2 core-minutes each
    python -m seq2seq.experiments.local_p --quick    # a smoke test of seconds, results in a temporary folder

``plain`` is the paper's local-p with its half width of 10.
The others change the training, not the model: a tenth of the learning rate for W_p and v_p (``slow``), a half width
that falls from 40 to the model's own over half of the budget (``wide``), both, or a pull towards the diagonal that
fades out over the first 30 % of the budget (``monotone``; with half the window, ``monotone_5``).
``global`` scores every word.
"""

from collections.abc import Callable
from functools import partial

from seq2seq.experiments.local_attention import PAPERS_HALF_WIDTH, local_p, measure
from seq2seq.experiments.local_attention import table as centres_table
from seq2seq.experiments.recipe import luong_bilinear
from seq2seq.experiments.study import Study, Variant
from seq2seq.losses.local import LocalLoss
from seq2seq.model import Seq2Seq

STEPS_PER_MINUTE = {"global": 3400, "local_p": 3150}
SLOW = {"rate_factors": {"decoder.predictor": 0.1}}
PULL, FIRST_HALF_WIDTH = 20.0, 40
NARROW = 5


def local(half_width: int = PAPERS_HALF_WIDTH) -> Callable[[int, int], Seq2Seq]:
    return partial(local_p, half_width=half_width)


def variant(name: str, loss: LocalLoss, own: dict | None = None) -> Variant:
    return Variant(name, local(loss.half_width), STEPS_PER_MINUTE["local_p"], loss, own or {})


WIDE = LocalLoss(PAPERS_HALF_WIDTH, first_half_width=FIRST_HALF_WIDTH)
STUDY = Study(
    name="local_p",
    title=__doc__.splitlines()[0],
    variants=[
        Variant("global", luong_bilinear, STEPS_PER_MINUTE["global"]),
        variant("monotone", LocalLoss(PAPERS_HALF_WIDTH, PULL)),
        variant("plain", LocalLoss(PAPERS_HALF_WIDTH)),
        variant("slow_wide", WIDE, SLOW),
        variant("slow", LocalLoss(PAPERS_HALF_WIDTH), SLOW),
        variant("wide", WIDE),
        variant("monotone_5", LocalLoss(NARROW, PULL)),
    ],
    seeds=3,
    smoke=("monotone", "slow_wide"),
    measure=measure,
    measured=centres_table,
)


if __name__ == "__main__":
    STUDY.main()
