"""A window to move along a sentence: the softmax within it, the Gaussian, their product, and its sum."""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets

from seq2seq.widgets.widget import Widget


class Window(Widget, script="window"):
    """Sentences with one score per word; the reader sets the centre and half width of the window.

    Raises:
        ValueError: a sentence has steps of unequal number, or a step has not one score for each word.
    """

    sentences = traitlets.List(traitlets.Dict()).tag(sync=True)
    centre = traitlets.Float().tag(sync=True)  # initially
    half_width = traitlets.Int().tag(sync=True)  # initially, and of the model

    def __init__(
        self,
        sentences: Sequence[Mapping[str, Any]],
        centre: float,
        half_width: int,
        label: str = "A window over a sentence",
    ) -> None:
        for sentence in sentences:
            check(sentence)
        super().__init__(label=label)
        self.sentences = [
            {
                "words": list(sentence["source"]),
                "target": list(sentence.get("target", [])),
                "scores": [[round(float(score), 3) for score in row] for row in sentence["scores"]],
                "centres": list(sentence.get("centres", [])),
                "right": [list(positions) for positions in sentence.get("right", [])],
            }
            for sentence in sentences
        ]
        self.centre, self.half_width = centre, half_width  # counted from 0, as in all code

    @classmethod
    def made_up(cls, words: Sequence[str], scores: Sequence[float], centre: float, half_width: int) -> "Window":
        """One sentence and one row of scores, without a model."""
        return cls([{"source": words, "scores": [scores]}], centre, half_width)

    @classmethod
    def predicted(cls, sentences: Sequence[Mapping[str, Any]], centre: float, half_width: int) -> "Window":
        """Sentences with a model's scores and centres, as in ``windows`` of `seq2seq.experiments.centres`."""
        return cls(sentences, centre, half_width, label="Your window beside a trained model's")

    def text(self) -> str:
        words = " ".join(self.sentences[0]["words"])
        return f"A window of half width {self.half_width} around position {self.centre + 1:g} of: {words}"


def check(sentence: Mapping[str, Any]) -> None:
    words, rows = sentence["source"], sentence["scores"]
    for row in rows:
        if len(row) != len(words):
            raise ValueError(f"scores: got {len(row)}, expected one for each of the {len(words)} words.")
    for name in ("target", "centres", "right"):
        if len(sentence.get(name, rows)) != len(rows):
            raise ValueError(f"{name}: got {len(sentence[name])}, expected one for each of the {len(rows)} steps.")
