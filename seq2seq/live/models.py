"""The models that the book's pages run: those of the length curve, each in a file of its own."""

import json
from pathlib import Path

from seq2seq.experiments.recipe import RESULTS, load_trained
from seq2seq.live.packing import FLOAT_BITS, Packed, pack

FOLDER = Path(__file__).resolve().parents[2] / "book" / "_static" / "live"

# The title, and the fewest bits with which greedy search says the same words. The fixed-vector model needs them all:
# on long sentences it is so unsure that the least rounding makes it say something else.
MODELS = {
    "every_step": ("Fixed vector", FLOAT_BITS),
    "bahdanau": ("Bahdanau", 10),
    "luong_bilinear": ("Luong", 10),
}


def packed(name: str) -> Packed:
    """A model of the length curve for a page.

    Raises:
        ValueError: the name is not one of MODELS.
    """
    if name not in MODELS:
        raise ValueError(f"name: got {name!r}, expected one of {list(MODELS)}.")
    title, bits = MODELS[name]
    settings = json.loads((RESULTS / "length_curve.json").read_text(encoding="utf-8"))["settings"]
    shortest, longest = settings["training_lengths"]
    return pack(*load_trained(name), title, (shortest, longest), bits)


def script_file(name: str) -> Path:
    return FOLDER / f"{name}.js"
