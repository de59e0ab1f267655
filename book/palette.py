"""The book's colours, a light and a dark form of each, and what each stands for; figures, widgets and pages share them.

Models have colours that readers who are colour-blind can tell apart, and scorers have others that no model has;
both have a mark or a kind of line of their own beside.
"""

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
PARTS = {  # of a drawing of a model
    "encoder": "blue",
    "decoder": "green",
    "query": "green",  # a decoder state
    "scores": "grey",
    "weights": "ochre",
    "context": "red",
    "fed": "violet",  # what the decoder reads: a word's vector, an attentional state
}
