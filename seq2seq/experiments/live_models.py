"""Packs trained models of the length curve for the book's pages, where they translate the reader's own sentence.

    python -m seq2seq.experiments live_models            # a few seconds; writes book/_static/live/
    python -m seq2seq.experiments live_models --quick    # the same, into a temporary folder

It trains nothing; what runs the models in a page is in ``seq2seq/live/``.
"""

import argparse
import json
from pathlib import Path

from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.recipe import RESULTS, load_trained
from seq2seq.live.packing import FLOAT_BITS, Packed, pack

FOLDER = Path(__file__).resolve().parents[2] / "book" / "_static" / "live"

# The title, and the fewest bits with which greedy search says the same words. The fixed-vector model needs them all:
# on long sentences it is so unsure that the least rounding makes it say something else.
LIVE = {
    "every_step": ("Fixed vector", FLOAT_BITS),
    "bahdanau": ("Bahdanau", 10),
    "luong_bilinear": ("Luong", 10),
}


def packed(name: str) -> Packed:
    """A model of the length curve for a page.

    Raises:
        ValueError: the name is not one of LIVE.
    """
    if name not in LIVE:
        raise ValueError(f"name: got {name!r}, expected one of {list(LIVE)}.")
    title, bits = LIVE[name]
    settings = json.loads((RESULTS / "length_curve.json").read_text(encoding="utf-8"))["settings"]
    shortest, longest = settings["training_lengths"]
    return pack(*load_trained(name), title, (shortest, longest), bits)


def script_file(name: str, folder: Path = FOLDER) -> Path:
    return folder / f"{name}.js"


def pack_all(settings: dict, options: argparse.Namespace) -> None:
    for name in LIVE:
        path = script_file(name, options.out)
        path.write_text(packed(name).script(name), encoding="utf-8")
        print(f"{name}: {path.stat().st_size:,} bytes")


LIVE_MODELS = Measurement(
    name="live_models",
    title=__doc__.splitlines()[0],
    folder=FOLDER,
    measure=pack_all,
)
