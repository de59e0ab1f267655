"""Figures of the book: drawn by matplotlib, shown as SVG in the page's own colours, light or dark.

Call ``figures.use_style()`` in a chapter's first cell, then ``figures.show(figure, alt="…")`` for each figure.
"""

import hashlib
import io
import re
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl
from IPython.display import display
from matplotlib import font_manager
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from book.palette import LIGHT, MODELS, PARTS, SCORER_MARKS, SCORERS

LEAST = 11.2  # pixels, of a label as displayed: a figure that would be smaller on a phone scrolls in its box
HERE = Path(__file__).parent
FONTS = HERE.parent / "build" / "fonts"

INK, LINE, GRID = (LIGHT[name] for name in ("ink", "line", "grid"))
BLUE, RED, GREEN, VIOLET, OCHRE, GREY = (LIGHT[name] for name in ("blue", "red", "green", "violet", "ochre", "grey"))
MODEL = {name: LIGHT[colour] for name, colour in MODELS.items()}
SCORER = {name: LIGHT[colour] for name, colour in SCORERS.items()}
SCORER_MARK = SCORER_MARKS
PART = {name: LIGHT[colour] for name, colour in PARTS.items()}


def weights_colours() -> LinearSegmentedColormap:
    """From nearly transparent at 0 to full blue at 1, so that it suits a light and a dark page."""
    red, green, blue = (int(PART["weights"][place : place + 2], 16) / 255 for place in (1, 3, 5))
    return LinearSegmentedColormap.from_list("weights", [(red, green, blue, 0.04), (red, green, blue, 1.0)])


def use_style() -> None:
    """Sets the style of the book's figures for this kernel."""
    for font in sorted(FONTS.glob("*.ttf")):
        font_manager.fontManager.addfont(font)
    if "weights" not in mpl.colormaps:
        mpl.colormaps.register(weights_colours())
    plt.style.use(HERE / "course.mplstyle")
    mpl.rcParams |= dict.fromkeys(["axes.labelcolor", "axes.titlecolor", "text.color"], INK)
    mpl.rcParams |= dict.fromkeys(["xtick.labelcolor", "ytick.labelcolor"], INK)
    mpl.rcParams |= dict.fromkeys(["axes.edgecolor", "xtick.color", "ytick.color"], LINE)
    mpl.rcParams |= {"grid.color": GRID, "patch.facecolor": BLUE}
    mpl.rcParams["axes.prop_cycle"] = plt.cycler(color=[BLUE, RED, GREEN, VIOLET, OCHRE, GREY])
    if not any(FONTS.glob("*.ttf")):
        mpl.rcParams["font.family"] = ["DejaVu Sans"]


def box(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    colour: str,
    width: float = 0.66,
    height: float = 0.56,
    line: str = "-",
) -> None:
    """A labelled box centred at (x, y) in units of the axes, for example a state of a network.

    A page lights the box of a symbol, ``$h_1$``, with the symbol itself, by its letter.
    """
    part = f"part-{text.replace(chr(92) + 'alpha', 'α')[1]}" if text.startswith("$") else None
    corner, style = (x - width / 2, y - height / 2), "round,pad=0,rounding_size=0.12"
    looks: tuple[dict[str, Any], ...] = (
        {"facecolor": colour, "alpha": 0.16, "linewidth": 0},
        {"fill": False, "edgecolor": colour, "linewidth": 1.2, "linestyle": line},
    )
    for look in looks:
        axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle=style, gid=part, **look))
    axes.text(x, y, text, ha="center", va="center", fontsize=12, gid=part)


def arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str = GREY,
    line: str = "-",
    bend: float = 0.0,
) -> None:
    """An arrow between two points, for example a computation of a network."""
    bow = f"arc3,rad={bend}"
    axes.annotate(
        "",
        end,
        start,
        arrowprops={
            "arrowstyle": "-|>",
            "color": colour,
            "linewidth": 1.2,
            "linestyle": line,
            "shrinkA": 0,
            "shrinkB": 0,
            "connectionstyle": bow,
        },
    )


def svg(figure: Figure, alt: str) -> str:
    """The figure as an SVG element with the page's colours and ``alt`` as its label."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    for unwanted in (
        r"<metadata>.*?</metadata>",
        r"<defs>\s*<style.*?</style>\s*</defs>",
    ):  # the style would reach the page
        text = re.sub(unwanted, "", text, count=1, flags=re.DOTALL)
    for name, colour in LIGHT.items():
        text = text.replace(colour, f"var(--figure-{name}, {colour})")
    text = re.sub(r' id="image\w+"', "", text)  # two equal pictures of a figure have the same, and nothing refers to it
    text = re.sub(r'\bid="part-(.)"', r'data-part="\1"', text)
    mark = "f" + hashlib.sha256(text.encode()).hexdigest()[:8]  # ids must differ between the figures of a page
    text = re.sub(r'\bid="', f'id="{mark}-', text)
    text = text.replace("url(#", f"url(#{mark}-").replace('href="#', f'href="#{mark}-')
    width = float(re.findall(r'width="([\d.]+)pt"', text)[0]) * 4 / 3
    smallest = min(map(float, re.findall(r"scale\(([\d.]+) -", text)), default=1) * 100 * 4 / 3
    size = f"width: {width:.0f}px; min-width: {width * min(1, LEAST / smallest):.0f}px"
    head = f'<svg class="course-figure" role="img" aria-label="{escape(alt)}" style="{size}" '
    text = re.sub(r'\s(width|height)="[\d.]+pt"', "", text, count=2)
    return head + text[len("<svg ") :].strip()


def show(figure: Figure, alt: str) -> None:
    """Display the figure once, in the page's colours.

    ``alt`` says what the figure shows, for readers who cannot see it: the finding, not the drawing.
    """
    if len(alt.split()) < 4:
        raise ValueError(f"alt: got {alt!r}, expected a sentence that says what the figure shows.")
    markup = svg(figure, alt)
    plt.close(figure)
    box = f'<div class="course-figure-box" role="group" aria-label="Figure">{markup}</div>'
    display({"text/html": box, "text/plain": alt}, raw=True)
