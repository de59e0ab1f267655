"""Choose a length to see what the fixed vector loses: translations of two models side by side, for each length."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import traitlets

from seq2seq.corpora.pair import Pair
from seq2seq.widgets.widget import Widget

Words = Sequence[str]
Runs = Sequence[Mapping[str, Any]]  # of one model, from an experiment's report: BLEU and exact match by range


class Bottleneck(Widget, script="bottleneck"):
    """A sentence of every length with each model's translation, above the BLEU curve of all sentences.

    Raises:
        ValueError: the lengths do not rise by one from pair to pair, or translations and runs name different models.
    """

    data = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        pairs: Sequence[Pair],
        translations: Mapping[str, Sequence[Words]],
        runs: Mapping[str, Runs],
        buckets: Sequence[Sequence[int]],
        longest: int,
    ) -> None:
        lengths = [len(pair.source) for pair in pairs]
        if lengths != list(range(lengths[0], lengths[0] + len(lengths))):
            raise ValueError(f"pairs: got sources of {lengths} words, expected each one word longer than the last.")
        if list(translations) != list(runs):
            raise ValueError(f"runs: got models {list(runs)}, expected {list(translations)}.")
        names = [f"{low}-{high}" for low, high in buckets]
        super().__init__(label="Translations by the length of the source")
        self.data = {
            "shortest": lengths[0],
            "longest": longest,
            "buckets": [list(bucket) for bucket in buckets],
            "models": [{"name": model, "curve": [curve(runs[model], name) for name in names]} for model in runs],
            "examples": [example(*row) for row in zip(pairs, zip(*translations.values(), strict=True), strict=True)],
        }

    def text(self) -> str:
        first = self.data["examples"][0]
        lines = [first["source"]]
        for model, translation in zip(self.data["models"], first["translations"], strict=True):
            lines.append(f"{model['name']}: {translation['words'] or first['reference']}")
        return "\n".join(lines)


def unmatched(words: Words, reference: Words) -> list[int]:
    """The positions of the words outside the longest runs shared with the reference."""
    blocks = SequenceMatcher(None, list(words), list(reference), autojunk=False).get_matching_blocks()
    matched = {position for block in blocks for position in range(block.a, block.a + block.size)}
    return [position for position in range(len(words)) if position not in matched]


def translation(words: Words, reference: Words) -> dict[str, Any]:
    """A translation (None if it is the reference), its wrong words, and how many reference words it leaves out."""
    return {
        "words": None if list(words) == list(reference) else " ".join(words),
        "wrong": unmatched(words, reference),
        "missing": len(unmatched(reference, words)),
    }


def example(pair: Pair, translations: Sequence[Words]) -> dict[str, Any]:
    """One sentence of the widget, with each model's translation."""
    return {
        "source": " ".join(pair.source),
        "reference": " ".join(pair.target),
        "translations": [translation(words, pair.target) for words in translations],
    }


def curve(runs: Runs, bucket: str) -> dict[str, float]:
    """BLEU and exact match, in per cent, of the sentences of one range of lengths, means over the runs."""
    count = len(runs)
    return {
        "bleu": round(sum(run["bleu"][bucket] for run in runs) / count, 1),
        "exact": round(100 * sum(run["exact_match"][bucket] for run in runs) / count, 1),
    }
