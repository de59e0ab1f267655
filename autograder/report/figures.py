"""The report's figures: SVG by matplotlib in the page's colours, which follow its light and dark modes."""

import io
import math
import re
from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

from autograder.report.class_report import Item

WIDTH = 4.4  # inches: about 420 px, so that type stays readable on a phone

NAMES = ("ink", "line", "passed", "partial", "failed", "unwritten", "paper")
PAGE = {f"#00000{number}": f"var(--{name})" for number, name in enumerate(NAMES, 1)}  # placeholder → the page's colour
INK, LINE, PASSED, PARTIAL, FAILED, UNWRITTEN, PAPER = PAGE
KINDS = {  # distinguished by texture and position as well as colour
    "passed": (PASSED, ""),
    "partial": (PARTIAL, "...."),
    "failed": (FAILED, "////"),
    "unwritten": (UNWRITTEN, ""),
}
STYLE: dict[RcKeyType, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "text.parse_math": False,
    "axes.labelcolor": INK,
    "axes.edgecolor": LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": LINE,
    "hatch.linewidth": 0.7,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def histogram(scores: Sequence[float], most: float) -> str:
    """The number of students per score, out of ``most`` points."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": "scores"}):
        figure = Figure(figsize=(WIDTH, 2.6))
        axes = figure.subplots()
        bins = round(most) if float(most).is_integer() and 0 < most <= 20 else 20
        edges = [most * step / bins - (0.5 if bins == most else 0) for step in range(bins + 1 + (bins == most))]
        counts, _, _ = axes.hist(scores, edges, color=PASSED, edgecolor=PAPER, linewidth=0.8)
        axes.set(xlabel=f"points of {most:g}", ylabel="students", xlim=(edges[0], edges[-1]))
        axes.xaxis.set_major_locator(mpl.ticker.MaxNLocator(6, integer=True, min_n_ticks=1))
        axes.yaxis.set_major_locator(mpl.ticker.MaxNLocator(5, integer=True, min_n_ticks=1))
        axes.set_ylim(0, max(1, np.max(counts, initial=0)) * 1.08)
        axes.grid(axis="y", linewidth=0.6)
        lowest, average = min(scores, default=0), sum(scores) / max(1, len(scores))
        text = f"Histogram of the scores of {len(scores)} students: from {lowest:g} to {max(scores, default=0):g} "
        return _svg(figure, "scores", f"{text}of {most:g} points, mean {average:.3g}.")


def outcomes(items: Sequence[Item]) -> str:
    """One bar per check: the students who passed it, got some points, failed it, or did not write it."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": "outcomes"}):
        figure = Figure(figsize=(WIDTH, 0.75 + 0.4 * len(items)))
        axes = figure.subplots()
        for row, item in enumerate(items):
            left, total = 0.0, max(1, item.passed + item.lost)
            for kind, (colour, hatch) in KINDS.items():
                share = 100 * getattr(item, kind) / total
                if share:
                    axes.barh(row, share, 0.36, left, color=colour, hatch=hatch, edgecolor=PAPER, linewidth=0.6)
                left += share
            axes.text(0, row - 0.24, item.check, va="bottom", ha="left")
            axes.text(100, row - 0.24, f"{100 * item.passed / total:.0f} %", va="bottom", ha="right")
        axes.set(xlim=(0, 100), ylim=(len(items) - 0.6, -0.9), yticks=[], xlabel="% of students")
        axes.spines["left"].set_visible(False)
        handles = [
            mpl.patches.Patch(facecolor=colour, hatch=hatch, edgecolor=PAPER, label=kind.replace("un", "not "))
            for kind, (colour, hatch) in KINDS.items()
        ]
        figure.legend(handles=handles, loc="outside upper center", ncols=4, handlelength=1.4, columnspacing=1.2)
        worst = sorted(items, key=lambda item: item.passed)[:3]
        fewest = ", ".join(f"{item.check} {item.passed} of {item.passed + item.lost}" for item in worst)
        return _svg(figure, "outcomes", f"Bars of how many passed each check; fewest: {fewest}.")


def quality(items: Sequence[Item]) -> str:
    """Each check's difficulty against its correlation with the others; suspect checks are labelled."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": "quality"}):
        figure = Figure(figsize=(WIDTH, 3.2))
        axes = figure.subplots()
        shown = [item for item in items if not math.isnan(item.item_rest)]
        axes.axhspan(-1.05, 0.2, color=UNWRITTEN, alpha=0.18, linewidth=0)
        for item in shown:
            marker, colour = ("D", FAILED) if item.suspect else ("o", PASSED)
            x, y = 100 * item.difficulty, item.item_rest
            axes.plot(x, y, marker, color=colour, markeredgecolor=PAPER, markersize=6.5, clip_on=False)
        lowest = min([0.0, *(item.item_rest for item in shown)])
        _label([item for item in shown if item.suspect], axes, 0.075 * (1.1 - lowest))
        axes.set(xlim=(0, 100), ylim=(lowest - 0.1, 1), xlabel="% of the points reached: hard → easy")
        axes.set_ylabel("correlation with the other checks")
        axes.text(1, 0.185, "discriminates poorly", va="top", ha="left", fontsize=8)
        axes.grid(linewidth=0.6)
        suspects = [item.check for item in shown if item.suspect]
        names = f"low: {', '.join(suspects)}" if suspects else "none is low"
        return _svg(figure, "quality", f"Each check's difficulty against its correlation with the others: {names}.")


def _label(items: Sequence[Item], axes: Axes, line: float) -> None:
    """Writes names beside their marks, at least one ``line`` apart; at most eight."""
    height = -2.0
    for item in sorted(items, key=lambda item: item.item_rest)[:8]:
        height = max(height + line, item.item_rest - line / 3)
        side, sign = ("right", -1) if item.difficulty > 0.5 else ("left", 1)
        axes.text(100 * item.difficulty + 2.5 * sign, height, item.check, ha=side, va="bottom")


def times(seconds: Sequence[float]) -> str:
    """How long judging took, one dot per submission, on a logarithmic axis."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": "times"}):
        figure = Figure(figsize=(WIDTH, 1.5))
        axes = figure.subplots()
        shown = sorted(max(0.01, second) for second in seconds)
        axes.plot(shown, [0.25 * (rank % 5 - 2) for rank in range(len(shown))], "o", color=PASSED, alpha=0.75)
        axes.set(xscale="log", ylim=(-1, 1), yticks=[], xlabel="seconds of judging, one dot per submission")
        axes.set_xlim(min(shown, default=0.1) / 1.5, max(shown, default=1) * 1.5)
        axes.xaxis.set_major_formatter(mpl.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(mpl.ticker.NullFormatter())
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x", linewidth=0.6)
        middle = shown[len(shown) // 2] if shown else 0
        return _svg(figure, "times", f"Judging times: median {middle:.2g} s, longest {max(shown, default=0):.2g} s.")


def _svg(figure: Figure, name: str, text: str) -> str:
    """The figure as an inline SVG element with a title, unique ids and the page's colours."""
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata=dict.fromkeys(["Date", "Creator", "Format", "Type"]))
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    for colour, variable in PAGE.items():
        svg = svg.replace(colour, variable)
    svg = svg.replace("<svg ", f'<svg role="img" aria-labelledby="{name}-title" ', 1)
    return svg.replace(">", f'><title id="{name}-title">{escape(text, quote=False)}</title>', 1)
