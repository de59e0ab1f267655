"""Masks and temperature: tick which tokens are real, and see the weights, masked before or after the softmax."""

from collections.abc import Sequence

import traitlets

from seq2seq.widgets.widget import Widget


class Masking(Widget, script="masking"):
    """A row of scores with a mask and a temperature to set; the softmax is computed in single precision.

    Raises:
        ValueError: the numbers of tokens, scores and mask entries differ.
    """

    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    source_mask = traitlets.List(traitlets.Bool()).tag(sync=True)  # initially; True = real token

    def __init__(self, tokens: Sequence[str], scores: Sequence[float], source_mask: Sequence[bool]) -> None:
        if not len(tokens) == len(scores) == len(source_mask):
            raise ValueError(
                f"tokens, scores, source_mask: got {len(tokens)}, {len(scores)} and {len(source_mask)} entries, "
                "expected equal counts."
            )
        super().__init__(label="A softmax with a mask and a temperature")
        self.tokens, self.source_mask = list(tokens), list(source_mask)
        self.scores = [round(float(score), 3) for score in scores]

    def text(self) -> str:
        real = (token for token, counts in zip(self.tokens, self.source_mask, strict=True) if counts)
        return f"A softmax with a mask and a temperature; real tokens: {', '.join(real)}."
