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

    A penalty decides when a search ends and what has won, not what the beam holds on the way:
    of each beam size the longest tree is handed over, with the number of nodes after which each penalty ends it.

    Raises:
        ValueError: a tree is missing, each sentence needs one for each beam size and penalty;
            or a shorter one is not the beginning of the longest.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(self, sentences: Sequence[Sentence], tokens: Sequence[str], penalties: Mapping[str, Penalty]) -> None:
        sizes = sorted({size for sentence in sentences for size, _ in sentence.trees})
        needed = {(size, name) for size in sizes for name in penalties}
        for sentence in sentences:
            if set(sentence.trees) != needed:
                raise ValueError(
                    f"trees: got {sorted(sentence.trees)} for {' '.join(sentence.source)!r}, expected {sorted(needed)}."
                )
        longest = max(nodes[-1][3] for sentence in sentences for nodes in sentence.trees.values())
        super().__init__(label="A beam search, step by step")
        self.data = {
            "sizes": sizes,
            "penalties": {name: divisors(penalty, longest) for name, penalty in penalties.items()},
            "order": list(penalties),  # a dictionary loses its order on the way to the page
            "sentences": [
                {
                    "source": " ".join(sentence.source),
                    "reference": " ".join(sentence.reference),
                    "trees": {str(size): joined(sentence.trees, size, list(penalties), tokens) for size in sizes},
                }
                for sentence in sentences
            ],
        }

    def text(self) -> str:
        sources = (sentence["source"] for sentence in self.data["sentences"])
        return f"Beam search for the translation of: {'; '.join(sources)}"


def divisors(penalty: Penalty, longest: int) -> list[float]:
    """The penalty of every length, from 1 to the longest."""
    return [round(number, 6) for number in penalty(torch.arange(1, longest + 1, dtype=torch.float64)).tolist()]


def joined(
    trees: Mapping[tuple[int, str], Sequence[Node]], size: int, names: Sequence[str], tokens: Sequence[str]
) -> dict[str, Any]:
    """The nodes of the longest tree of a beam size, and how many of them each penalty's search has."""
    counts = {name: len(trees[size, name]) for name in names}
    whole = trees[size, max(names, key=lambda name: counts[name])]
    for name in names:
        if list(whole[: counts[name]]) != list(trees[size, name]):
            raise ValueError(f"trees: that of beam size {size} and penalty {name!r} does not begin the longest one.")
    return {"nodes": rows(whole, tokens), "counts": counts}


def rows(nodes: Sequence[Node], tokens: Sequence[str]) -> list[list[Any]]:
    """Each node as [word, log-probability, parent, step, 1 if it has ended else 0]."""
    return [
        [tokens[token], round(log_probability, 6), parent, step, int(closed)]
        for token, log_probability, parent, step, closed in nodes
    ]
