"""Plots readable on light and dark backgrounds, in the style you have set or else in ours.

Settings that your style leaves at matplotlib's defaults are replaced: transparent background, mid-grey text (contrast
4.5 to 1 on white, 4.1 to 1 on the near-black of dark themes), colours that colour-blind readers can tell apart.
Each plot has a counterpart that ends in ``_alt_text`` and describes the picture in words.
Matplotlib is imported when a plot is drawn, so that importing this module is cheap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import cycle
from typing import TYPE_CHECKING, Any

from torch import Tensor

from seq2seq.fonts import families
from seq2seq.guards import check_links, check_table, checked_tokens

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

GREY = "#767676"
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]  # Okabe & Ito
MARKERS = "os^DvP"  # lines differ in shape too, for print and colour-blind readers
LABELS = {
    "initial_state": "fixed vector, first state only",
    "every_step": "fixed vector, every step",
    "bahdanau": "Bahdanau",
    "luong_bilinear": "Luong, general",
    "luong_bilinear_feeding": "Luong, general, input feeding",
}
METRICS = {"bleu": "BLEU", "exact_match": "exact match", "aer": "alignment error rate", "perplexity": "perplexity"}


def alignment_plot(
    weights: Tensor, source: Sequence[str], target: Sequence[str], links: frozenset[tuple[int, int]] = frozenset()
) -> Figure:
    """The weights of one sentence as a heat map: a row per target word, a column per source word.

    Gold links, (source position, target position), are outlined where given.

    Shape:
        weights: (target_len, source_len), or larger: padding beyond the words is cut off

    Raises:
        ValueError: there are more words than weights, or a link joins a word that does not exist.
        TypeError: a sentence is a string, or the links are not a set of pairs of whole numbers.
    """
    weights = _cut(weights, source, target)
    check_links("links", links, (len(source), len(target)), ", because a link joins two words of the pair")
    with _style([*source, *target]):
        figure, axes = _canvas(1.6 + 0.3 * len(source), 1.2 + 0.26 * len(target))
        image = axes.imshow(weights.numpy(), vmin=0, vmax=1, aspect="auto")
        axes.grid(False)
        is_short = all(len(word) == 1 for word in source)
        turned = {} if is_short else {"rotation": 60, "ha": "left", "rotation_mode": "anchor"}
        axes.set_xticks(range(len(source)), source, parse_math=False, **turned)
        axes.set_yticks(range(len(target)), target, parse_math=False)
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set(xlabel="source", ylabel="target")
        for link in links:
            _outline(axes, *link)
        figure.colorbar(image, ax=axes, label="weight").outline.set_visible(False)
    return figure


def alignment_alt_text(weights: Tensor, source: Sequence[str], target: Sequence[str]) -> str:
    """The picture in words: for each target word, the source word of the largest weight, and that weight."""
    weights = _cut(weights, source, target)
    best, positions = weights.max(dim=-1)
    rows = [
        f"{word} looks at {source[position]} ({weight:.2f})"
        for word, position, weight in zip(target, positions.tolist(), best.tolist(), strict=True)
    ]
    return (
        f"Heat map of attention weights, {len(target)} target words by {len(source)} source words. "
        f"Largest weight in each row: {'; '.join(rows)}."
    )


def length_curve(results: Mapping[str, Any], metric: str = "bleu", colours: Mapping[str, str] | None = None) -> Figure:
    """A metric against source length, one line per model: the mean over seeds, with a band from worst to best seed.

    `results` is what ``seq2seq.experiments.length_curve`` writes; `metric` is one of METRICS; `colours` is by model.
    """
    lines = {}
    with _style(results["models"]):
        figure, axes = _canvas(5.6, 3.6)
        series = _series(results, metric)
        known = sorted({bucket for buckets in series.values() for bucket in buckets}, key=_from)
        axes.xaxis.update_units([bucket.replace("-", "–") for bucket in known])  # their order on the axis
        for (model, buckets), marker in zip(series.items(), cycle(MARKERS), strict=False):
            means, low, high = zip(*[(sum(v) / len(v), min(v), max(v)) for v in buckets.values()], strict=True)
            names = [bucket.replace("-", "–") for bucket in buckets]
            (line,) = axes.plot(names, means, marker=marker, color=(colours or {}).get(model))
            lines[LABELS.get(model, model)] = line
            axes.fill_between(names, low, high, color=line.get_color(), alpha=0.25, linewidth=0)
        axes.set(xlabel="words in the source sentence", ylabel=METRICS.get(metric, metric))
        axes.set_ylim(bottom=0)
        _legend(axes, lines)
    return figure


def length_curve_alt_text(results: Mapping[str, Any], metric: str = "bleu") -> str:
    """The picture in words: the mean over seeds of every model in every bucket."""
    digits = 1 if metric == "bleu" else 2
    sentences = []
    for model, buckets in _series(results, metric).items():
        means = [f"{bucket} words {sum(values) / len(values):.{digits}f}" for bucket, values in buckets.items()]
        sentences.append(f"{LABELS.get(model, model)}: {', '.join(means)}.")
    return f"Line chart of {METRICS.get(metric, metric)} against source length. {' '.join(sentences)}"


def _legend(axes: Any, lines: Mapping[str, Any]) -> None:
    """A legend of names as they are: no dollar sign begins mathematics, no underscore hides a line."""
    for text in axes.legend(lines.values(), lines).get_texts():
        text.set_parse_math(False)


def _series(results: Mapping[str, Any], metric: str) -> dict[str, dict[str, list[float]]]:
    """model → bucket → one value per seed, from short to long; models without the metric are left out."""
    series = {}
    for model, runs in results["models"].items():
        buckets = {bucket: [run[metric][bucket] for run in runs] for bucket in sorted(runs[0][metric], key=_from)}
        if buckets:
            series[model] = buckets
    return series


def _from(bucket: str) -> list[int]:
    """The numbers of a bucket, such as "4-10", to sort by."""
    return [int(number) for number in re.findall(r"\d+", bucket)]


def _cut(weights: Tensor, source: Sequence[str], target: Sequence[str]) -> Tensor:
    checked_tokens("source", source), checked_tokens("target", target)
    return check_table(weights, len(source), len(target)).detach().cpu().float()


def _style(texts: Iterable[str]) -> AbstractContextManager:
    """Our settings, where the caller's style leaves matplotlib's defaults, and fonts that have the texts' letters."""
    import matplotlib as mpl
    from matplotlib.rcsetup import cycler

    ours: dict[RcKeyType, Any] = {
        **dict.fromkeys(["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"], GREY),
        **dict.fromkeys(["figure.facecolor", "axes.facecolor"], "none"),
        "axes.prop_cycle": cycler(color=COLOURS),
        "image.cmap": "cividis",
        "figure.constrained_layout.use": True,
        "legend.frameon": False,
    }
    return mpl.rc_context(
        {name: value for name, value in ours.items() if _untouched(name)} | {"font.family": families(texts)}
    )


def _untouched(name: RcKeyType) -> bool:
    import matplotlib as mpl

    return mpl.rcParams[name] == mpl.rcParamsDefault[name]


def _canvas(width: float, height: float) -> tuple[Figure, Any]:
    """A figure that a notebook shows once, where it is returned, and that need not be closed."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(width, height))
    plt.close(figure)
    return figure, axes


def _outline(axes: Any, source_position: int, target_position: int) -> None:
    from matplotlib.patches import Rectangle

    corner = (source_position - 0.44, target_position - 0.44)
    axes.add_patch(Rectangle(corner, 0.88, 0.88, fill=False, edgecolor=COLOURS[1], linewidth=1.5))
