"""The book's colours, a light and a dark form of each, and what each stands for; figures, widgets and pages share them.

``python -m book.palette`` writes them into the style sheets of the pages and of the widgets.

Models have colours that readers who are colour-blind can tell apart, and scorers have others that no model has;
both have a mark or a kind of line of their own beside.
"""

import re
from pathlib import Path

LIGHT = {
    "ink": "#1d2733",
    "line": "#7b828c",
    "grid": "#e3e7eb",
    "blue": "#1f6fb2",
    "red": "#c8553d",
    "green": "#2a8c6e",
    "violet": "#5e2f86",
    "ochre": "#b07d12",
    "grey": "#5a6472",
    "teal": "#0e5b7c",
    "pink": "#d331b9",
    "brown": "#674532",
    "indigo": "#7157db",
    "olive": "#2b600b",
    "muted": "#566170",
    "ground": "#ffffff",
    "rule": "#dfe3e8",
    "link": "#0a4f55",  # words that lead on, controls and the logo: no mark of a figure has it
    "error": "#a8402a",
}
DARK = {
    "ink": "#d8dfe7",
    "line": "#7d8894",
    "grid": "#2b343f",
    "blue": "#66aeec",
    "red": "#ee8a70",
    "green": "#57bf9b",
    "violet": "#e6b3e6",
    "ochre": "#d8ab48",
    "grey": "#a3aebb",
    "teal": "#3d93b7",
    "pink": "#c44e87",
    "brown": "#bd5e28",
    "indigo": "#6e76e0",
    "olive": "#ceeba0",
    "muted": "#9aa6b4",
    "ground": "#14191f",
    "rule": "#303a46",
    "link": "#5fd0d6",
    "error": "#f0957f",
}
MODELS = {
    "initial_state": "green",  # a fixed vector that starts the decoder
    "every_step": "blue",  # a fixed vector that the decoder reads at every step
    "bahdanau": "red",
    "luong": "ochre",
    "feeding": "violet",  # Luong's model with input feeding
    "transformer": "grey",
}
SCORERS = {
    "dot": "teal",
    "scaled_dot": "indigo",
    "bilinear": "olive",
    "additive": "pink",
    "location": "brown",
}
SCORER_MARKS = {"dot": "o", "scaled_dot": "s", "bilinear": "^", "additive": "D", "location": "v"}
PARTS = {  # of a model, as drawn, and what stands beside them
    "encoder": "ochre",
    "keys": "ochre",  # encoder states
    "values": "violet",
    "decoder": "green",
    "query": "green",  # a decoder state
    "scores": "grey",
    "weights": "blue",
    "context": "red",
    "fixed": "blue",  # the one vector of a model without attention, which has no weights
    "fed": "violet",  # what the decoder reads: a word's vector, an attentional state
    "gold": "ink",
    "error": "error",
    "link": "link",
}
TOGETHER = [  # parts that stand in one picture
    {"query", "keys", "values", "scores", "weights", "context", "gold"},
    {"encoder", "decoder", "fed", "scores", "weights", "context"},
    {"encoder", "decoder", "fixed", "fed"},
    {"weights", "gold", "error"},
    {"link", "weights"},
    {"link", "fixed"},
]
ROOT = Path(__file__).resolve().parents[1]
ROLES = {**PARTS, **MODELS, **SCORERS}
SHEETS: dict[str, tuple[str, str, str, dict[str, str]]] = {
    # style sheet → the names' beginning, what is matched in light and in dark, and the roles that have names there
    "book/_static/course.css": ("--figure-", 'html[data-theme="light"]', 'html[data-theme="dark"]', {}),
    "seq2seq/widgets/common.css": (
        "--cw-",
        ".cw",
        ':is([data-jp-theme-light="false"], html[theme="dark"], html[data-theme="dark"]) .cw',
        ROLES,
    ),
}
BLOCK = re.compile(r"(/\* Written by book/palette.py \*/\n).*?(/\* to here \*/\n)", re.DOTALL)


def css(prefix: str, light: str, dark: str, roles: dict[str, str]) -> str:
    """The colours by name, and parts, models and scorers by theirs, as custom properties of a style sheet."""
    names = {role.replace("_", "-"): colour for role, colour in roles.items() if role != colour}
    named = [f"{prefix}{role}: var({prefix}{colour});" for role, colour in names.items()]
    blocks = [
        (light, [f"{prefix}{name}: {colour};" for name, colour in LIGHT.items()]),
        (dark, [f"{prefix}{name}: {colour};" for name, colour in DARK.items()]),
        (f"{light}, {dark}", named),
    ]
    return "".join("\n  ".join([f"{selector} {{", *lines]) + "\n}\n" for selector, lines in blocks if lines)


def sheet(path: str) -> str:
    """The style sheet with the palette's colours in it."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return BLOCK.sub(lambda match: match[1] + css(*SHEETS[path]) + match[2], text, count=1)


if __name__ == "__main__":
    for path in SHEETS:
        (ROOT / path).write_text(sheet(path), encoding="utf-8")
