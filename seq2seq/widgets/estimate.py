"""The score-function estimate beside the exact gradient, draw by draw, and what scores learn from it."""

import traitlets
from torch import Tensor

from seq2seq.widgets.widget import Widget

RATES = (0.1, 0.3, 0.6, 1.0)
DRAWS = (1, 4, 16)  # for each step
RUNS, MOST_STEPS, MOST_DRAWS = 12, 150, 1000


class Estimate(Widget, script="estimate"):
    """One word to predict from a few positions: the reader draws, and moves the scores by what was drawn.

    Shape:
        scores: (positions,)
        log_likelihoods: (positions,), of the right word where only that position is looked at

    Raises:
        ValueError: the numbers of scores and log-likelihoods differ.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, scores: Tensor, log_likelihoods: Tensor) -> None:
        if scores.shape != log_likelihoods.shape:
            raise ValueError(f"log_likelihoods: got {len(log_likelihoods)}, expected one for each of {len(scores)}.")
        super().__init__(label="Estimates of a gradient, and what is learnt from them")
        self.data = {
            "scores": [round(score, 4) for score in scores.tolist()],
            "logs": [round(log, 4) for log in log_likelihoods.tolist()],
            "runs": RUNS,
            "steps": MOST_STEPS,
            "draws": MOST_DRAWS,
            "rates": list(RATES),
            "perStep": list(DRAWS),
        }

    def text(self) -> str:
        return (
            f"The gradient of {len(self.data['scores'])} scores, estimated from draws, without a baseline and with one."
        )
