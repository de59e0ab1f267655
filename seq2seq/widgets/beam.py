"""A beam search to step through: its growing tree, pruned hypotheses, and finished ones with their scores."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
import traitlets
from torch import Tensor

from seq2seq.widgets.widget import Widget

Node = tuple[int, float, int | None, int, bool]  # as in seq2seq.beam.tree: token, score, parent, step, closed
Penalty = Callable[[Tensor], Tensor]


class Sentence(NamedTuple):
    """A sentence, and the tree of every search for its translation, by beam size and penalty name."""

    source: Sequence[str]
    reference: Sequence[str]
    trees: Mapping[tuple[int, str], Sequence[Node]]


class Beam(Widget, script="beam"):
    """The trees of one or more sentences; the reader chooses sentence, beam size, penalty and step.

    Raises:
        ValueError: a tree is missing; each sentence needs one for each beam size, from 1 up, and each penalty.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, sentences: Sequence[Sentence], tokens: Sequence[str], penalties: Mapping[str, Penalty]) -> None:
        widest = max(size for sentence in sentences for size, _ in sentence.trees)
        needed = {(size, name) for size in range(1, widest + 1) for name in penalties}
        for sentence in sentences:
            if set(sentence.trees) != needed:
                raise ValueError(
                    f"trees: got {sorted(sentence.trees)} for {' '.join(sentence.source)!r}, expected {sorted(needed)}."
                )
        super().__init__(label="A beam search, step by step")
        self.data = {
            "widest": widest,
            "penalties": list(penalties),
            "sentences": [
                {
                    "source": " ".join(sentence.source),
                    "reference": " ".join(sentence.reference),
                    "trees": {
                        f"{size} {name}": rows(nodes, tokens, penalties[name])
                        for (size, name), nodes in sentence.trees.items()
                    },
                }
                for sentence in sentences
            ],
        }

    def text(self) -> str:
        return "Beam search for the translation of: " + "; ".join(one["source"] for one in self.data["sentences"])


def rows(nodes: Sequence[Node], tokens: Sequence[str], penalty: Penalty) -> list[list[Any]]:
    """Each node as [word, log-probability, parent, step, score]; the score is None for unfinished hypotheses."""
    found = []
    for token, log_probability, parent, step, closed in nodes:
        score = round(log_probability / penalty(torch.tensor([float(step)])).item(), 4) if closed else None
        found.append([tokens[token], round(log_probability, 4), parent, step, score])
    return found
