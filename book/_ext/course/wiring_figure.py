"""``{wiring} bahdanau luong``: the decoders' wiring, drawn from ``book/wiring.py``, to be stepped through in the page.

Without the script, and in the PDF, it is the whole drawing.
"""

import json
from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from book.palette import PARTS
from book.wiring import FEEDING, LUONG, MODES, WIRINGS, Node, Wiring
from course.interactive import Interactive, load_where

WORDS = 3
WIDTH, HEIGHT = 468, 362
ROWS = {"p": 30, "y": 30, "r": 88, "s": 156, "c": 216, "α": 276, "h": 342}
ROLES = {"y": "fed", "s": "decoder", "c": "context", "α": "weights", "h": "encoder"}
COLOURS = {kind: PARTS[role] for kind, role in ROLES.items()} | {"p": "grey"}
HALF = {"p": 19, "y": 15, "r": 20, "s": 20, "c": 20, "α": 20}
ROW_NAMES = {"p": "probabilities", "s": "state", "c": "context", "α": "weights"}
INDEX = {"i": "ᵢ", "t": "ₜ"}
READ_NAMES = {"t": "readout", "h̃": "attentional state"}


class wiring(nodes.General, nodes.Element):
    """The place of a drawing."""


class WiringFigure(Interactive):
    """The decoders by the names of ``book.wiring.WIRINGS``, in the order in which they stand side by side."""

    def run(self) -> list[nodes.Node]:
        names = self.names(WIRINGS, "wirings")
        drawn = wiring(names=names)
        figure = self.figure(drawn, *["full-width"] * (len(names) > 1))
        if drawn.children:
            raise self.error("wiring: expected one paragraph of content, the caption.")
        return figure


def column(word: int) -> int:
    return 24 + 100 * word


def place(node: Node) -> tuple[int, int]:
    """The centre of a box; a word stands between its probabilities and those of the next."""
    return column(node.word) + (50 if node.kind == "y" else 0), ROWS[node.kind]


def edge(source: Node, target: Node) -> str:
    """The path of an arrow; each kind of arrow has the same form in every drawing."""
    (x, y), (to_x, to_y) = place(source), place(target)
    match source.kind, target.kind:
        case "h", "α":
            return f"M{to_x} {y - 17}V{to_y + 15}"
        case "h", _:
            return f"M{to_x - 33} {y - 17}V{to_y}H{to_x - 21}"
        case "s", "s":
            return f"M{x + 20} {y}H{to_x - 21}"
        case "s", "α" if source.word < target.word:
            return f"M{x + 17} {y + 14}C{x + 36} {y + 60} {x + 30} {to_y - 8} {to_x - 21} {to_y - 4}"
        case "s", "α":
            return f"M{x - 18} {y + 14}C{x - 56} {y + 50} {x - 56} {to_y - 14} {to_x - 21} {to_y - 6}"
        case "c", "r":
            return f"M{x + 20} {y - 6}C{x + 46} {y - 40} {x + 46} {to_y + 30} {to_x + 21} {to_y + 5}"
        case "y", "s":
            return f"M{x} {y + 14}C{x} {y + 70} {x + 6} {to_y - 40} {to_x - 19} {to_y - 14}"
        case "y", "r":
            return f"M{x + 6} {y + 14}C{x + 8} {y + 40} {x + 10} {to_y} {to_x - 21} {to_y}"
        case "r", "s":
            return f"M{x + 20} {y}C{x + 50} {y + 4} {x + 62} {to_y - 44} {to_x - 12} {to_y - 15}"
        case "p", "y":
            return f"M{x + 19} {y}H{to_x - 16}"
        case _:  # straight up
            return f"M{x} {y - 14}V{to_y + 15}"


def label(drawn: Wiring, node: Node) -> str:
    letter, y = drawn.letter(node.kind), 5
    return f'<tspan class="letter">{letter}</tspan><tspan class="index" dy="{y - 1}">{node.word}</tspan>'


def box(drawn: Wiring, node: Node) -> str:
    x, y = place(node)
    half = HALF[node.kind]
    colour = COLOURS.get(node.kind) or (PARTS["fed"] if drawn.letters == LUONG.letters else "grey")
    return (
        f'<g class="node {colour}" data-id="{node.id}">'
        f'<rect x="{x - half}" y="{y - 14}" width="{2 * half}" height="28" rx="5"/>'
        f'<text x="{x}" y="{y + 5}">{label(drawn, node)}</text></g>'
    )


def arrow(source: Node, target: Node, kind: str = "") -> str:
    colour = COLOURS.get(source.kind) or (PARTS["fed"] if target.kind == "s" else "ink")
    asks = " asks" if (source.kind, target.kind) == ("s", "α") else ""
    return (
        f'<path class="edge {colour}{asks}{kind}" data-from="{source.id}" data-to="{target.id}" '
        f'marker-end="url(#tip-{colour})" d="{edge(source, target)}"/>'
    )


def drawing(drawn: Wiring) -> str:
    """The decoder over three words, everything computed."""
    graph = drawn.graph(WORDS)
    arrows = [arrow(source, target) for target, sources in graph.items() for source in sources]
    arrows += [arrow(Node("p", i), Node("y", i), " chosen") for i in range(1, WORDS)]
    if drawn is LUONG:
        fed = FEEDING.graph(WORDS)
        arrows += [
            arrow(source, target, " fed")
            for target, sources in fed.items()
            for source in sources
            if source not in graph[target]
        ]
    given = [Node("s", 0), *(Node("y", i) for i in range(WORDS))]
    boxes = [box(drawn, node) for node in [*given, *graph]]
    x, y, encoder = column(0), ROWS["h"], PARTS["encoder"]
    names = ROW_NAMES | {"r": READ_NAMES[drawn.letter("r")]}
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(spoken(drawn))}">'
        f'<path class="edge {encoder}" d="M{x} {y - 17}V{ROWS["s"] + 15}" marker-end="url(#tip-{encoder})"/>'
        f'{"".join(arrows)}<g class="node {encoder} given" data-part="h">'
        f'<rect x="4" y="{y - 17}" width="342" height="34" rx="5"/>'
        f'<text x="175" y="{y + 5}">encoder states <tspan class="letter">{drawn.letter("h")}</tspan></text></g>'
        + "".join(boxes)
        + "".join(
            f'<text class="row" x="378" y="{ROWS[kind] + 5}">{name.split()[0]}</text>' for kind, name in names.items()
        )
        + "</svg>"
    )


def spoken(drawn: Wiring) -> str:
    """The drawing in words."""
    equations = ", ".join(
        equation.format(i=INDEX[drawn.index], b=f"{INDEX[drawn.index]}₋₁")
        .replace("ᵢⱼ", " of i, j")
        .replace("ₜₛ", " of t, s")
        for equation in drawn.equations.values()
    )
    return f"{drawn.title}. {equations}."


TIP = 'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"'
TIPS = "".join(
    f'<marker id="tip-{colour}" {TIP}><path class="tip {colour}" d="M0 0.5L8 4L0 7.5z"/></marker>'
    for colour in ("blue", "red", "green", "violet", "ochre", "grey", "ink")
)


def visit(translator: HTML5Translator, node: wiring) -> None:
    shown = [WIRINGS[name] for name in node["names"]]
    moving = [*shown, FEEDING] if LUONG in shown else shown
    steps = {each.name: {mode: list(each.described_steps(WORDS, mode)) for mode in MODES} for each in moving}
    panels = "".join(
        f'<div class="wiring-panel" data-wiring="{each.name}"><p class="wiring-title">{each.title}</p>{drawing(each)}'
        '<p class="wiring-said"></p></div>'
        for each in shown
    )
    translator.body.append(
        f'<div class="wiring"><svg class="wiring-tips" width="0" height="0" aria-hidden="true"><defs>{TIPS}</defs>'
        f'</svg><div class="wiring-panels">{panels}</div>'
        f'<script type="application/json">{json.dumps(steps, ensure_ascii=False)}</script></div>\n'
    )
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_node(wiring, html=(visit, None))
    app.add_directive("wiring", WiringFigure)
    load_where(app, wiring, "wiring.js", "wiring.css")
