"""Masks and temperature: tick which tokens are real, and see who gets which weight, masked before or after."""

from collections.abc import Sequence

import traitlets

from seq2seq.widgets.widget import Widget


class Masking(Widget, script="masking"):
    """A row of scores with a mask to tick and a temperature to turn; the softmax is computed in single precision.

    Raises:
        ValueError: there are not as many scores and mask entries as tokens.
    """

    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List(traitlets.Float()).tag(sync=True)
    source_mask = traitlets.List(traitlets.Bool()).tag(sync=True)  # at first; True = real token

    def __init__(self, tokens: Sequence[str], scores: Sequence[float], source_mask: Sequence[bool]) -> None:
        if not len(tokens) == len(scores) == len(source_mask):
            raise ValueError(
                f"tokens, scores, source_mask: got {len(tokens)}, {len(scores)} and {len(source_mask)} entries, "
                "expected as many of each."
            )
        super().__init__(label="A softmax with a mask and a temperature")
        self.tokens, self.source_mask = list(tokens), list(source_mask)
        self.scores = [round(float(score), 3) for score in scores]

    def text(self) -> str:
        real = (token for token, counts in zip(self.tokens, self.source_mask, strict=True) if counts)
        return f"A softmax with a mask and a temperature; real tokens: {', '.join(real)}."
