"""Type a length, and watch the fixed vector forget: translations of two models side by side, length by length."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import traitlets

from seq2seq.corpora.pair import Pair
from seq2seq.widgets.widget import Widget

Words = Sequence[str]
Runs = Sequence[Mapping[str, Any]]  # of one model, as an experiment reports them: BLEU and exact match by range


class Bottleneck(Widget, script="bottleneck"):
    """A sentence of every length, and what each model makes of it, above the curve of all sentences' BLEU.

    Raises:
        ValueError: the pairs' lengths do not rise by one from pair to pair, or the models are not those of the runs.
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
            raise ValueError(f"runs: got those of {list(runs)}, expected those of {list(translations)}.")
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
        for model, found in zip(self.data["models"], first["translations"], strict=True):
            lines.append(f"{model['name']}: {found['words'] or first['reference']}")
        return "\n".join(lines)


def strayed(words: Words, reference: Words) -> list[int]:
    """The places of the words that have no partner in the reference, where the longest common runs are partners."""
    blocks = SequenceMatcher(None, list(words), list(reference), autojunk=False).get_matching_blocks()
    kept = {place for block in blocks for place in range(block.a, block.a + block.size)}
    return [place for place in range(len(words)) if place not in kept]


def translation(words: Words, reference: Words) -> dict[str, Any]:
    """A translation (None if it is the reference), its wrong words, and how many of the reference it leaves out."""
    return {
        "words": None if list(words) == list(reference) else " ".join(words),
        "wrong": strayed(words, reference),
        "missing": len(strayed(reference, words)),
    }


def example(pair: Pair, translations: Sequence[Words]) -> dict[str, Any]:
    """One sentence of the widget, with a translation of each model."""
    return {
        "source": " ".join(pair.source),
        "reference": " ".join(pair.target),
        "translations": [translation(words, pair.target) for words in translations],
    }


def curve(runs: Runs, bucket: str) -> dict[str, float]:
    """BLEU and exact match in per cent of the sentences of one range of lengths, means over the seeds' runs."""
    count = len(runs)
    return {
        "bleu": round(sum(run["bleu"][bucket] for run in runs) / count, 1),
        "exact": round(100 * sum(run["exact_match"][bucket] for run in runs) / count, 1),
    }
