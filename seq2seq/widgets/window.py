"""A window to move along a sentence: the softmax within it, the Gaussian, their product, and its sum."""

from collections.abc import Sequence

import traitlets

from seq2seq.widgets.widget import Widget


class Window(Widget, script="window"):
    """A sentence with one score per word; the reader sets the centre and half width of the window.

    Raises:
        ValueError: the numbers of words and scores differ.
    """

    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    centre = traitlets.Float().tag(sync=True)  # initially
    half_width = traitlets.Int().tag(sync=True)  # initially

    def __init__(self, words: Sequence[str], scores: Sequence[float], centre: float, half_width: int) -> None:
        if len(words) != len(scores):
            raise ValueError(f"scores: got {len(scores)}, expected one for each of the {len(words)} words.")
        super().__init__(label="A window over a sentence")
        self.words, self.scores = list(words), [round(float(score), 3) for score in scores]
        self.centre, self.half_width = centre, half_width

    def text(self) -> str:
        return f"A window of half width {self.half_width} around position {self.centre:g} of: {' '.join(self.words)}"
