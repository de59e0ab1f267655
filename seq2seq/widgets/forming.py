"""An alignment that forms while a model is trained: a slider over the steps of the training."""

from collections.abc import Sequence
from typing import Any

import traitlets

from seq2seq.widgets.widget import Widget

THOUSANDTH = 1000


class Forming(Widget, script="forming"):
    """Weights and words of one model after more and more steps of training.

    ``sentences`` and ``after`` are those of the report of :mod:`seq2seq.experiments.forming`.

    Raises:
        ValueError: there are no steps, or weights without the rows and columns of their sentence.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, sentences: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> None:
        if not after:
            raise ValueError("after: got no step, expected at least one; there is nothing to show.")
        for answer in after:
            for sentence, rows in zip(sentences, answer["weights"], strict=True):
                shape = len(sentence["target"]) + 1, len(sentence["source"])
                if got := {(len(rows), len(row)) for row in rows} - {shape}:
                    raise ValueError(f"weights after {answer['step']} steps: got {got}, expected {shape}, EOS last.")
        super().__init__(label="An alignment that forms while the model is trained")
        self.data = {
            "sentences": [{side: list(sentence[side]) for side in ("source", "target")} for sentence in sentences],
            "after": [
                {
                    "step": answer["step"],
                    "bleu": answer["bleu"],
                    "says": list(answer["says"]),
                    "weights": [_thousandths(rows) for rows in answer["weights"]],
                }
                for answer in after
            ],
        }

    def text(self) -> str:
        last, source = self.data["after"][-1], " ".join(self.data["sentences"][0]["source"])
        return f"After {last['step']:,} steps of training the model says of “{source}”: “{last['says'][0]}”."


def _thousandths(rows: list[list[float]]) -> list[list[int]]:
    return [[round(THOUSANDTH * weight) for weight in row] for row in rows[:-1]]  # EOS looks at the full stop
