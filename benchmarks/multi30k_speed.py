"""Multi30k against the clock: Bahdanau's decoder trained for all its passes, then the test set translated greedily.

    python -m benchmarks.multi30k_speed --device cuda    # the sizes of a widely read tutorial; minutes on a GPU
    python -m benchmarks.multi30k_speed --quick          # a smoke test of a few seconds, on the grammar

A GPU does it three times: as it comes, replaying what it has recorded, and so in bfloat16.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks.clock import replaying
from benchmarks.report import machine, markdown, place, write
from seq2seq.experiments.multi30k import PRESETS, TEST, data, targets, trained, translate
from seq2seq.experiments.trained import Data
from seq2seq.metrics import bleu

COMMAND = "python -m benchmarks.multi30k_speed"
SEED = 0
WAYS = {"as it comes": (False, None), "replayed": (True, None), "replayed, bfloat16": (True, torch.bfloat16)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test of a few seconds; its numbers mean little")
    parser.add_argument("--json", type=Path, help="where to write the report (default: benchmarks/results/)")
    parser.add_argument("--device", default="cpu", type=torch.device, help="cpu or cuda (default: %(default)s)")
    parser.add_argument("--data", type=Path, help="the folder of the .gz files; missing files are downloaded to it")
    parser.set_defaults(threads=1)
    chosen = parser.parse_args(arguments)
    preset = "quick" if chosen.quick else "full"
    settings, (corpus, device) = {"preset": preset, **PRESETS[preset]}, data({}, chosen)
    report = {"command": COMMAND, "settings": settings, "seed": SEED, **machine(device), "ways": {}}
    if device.type != "cpu":  # its libraries start up
        timed(
            corpus._replace(training=corpus.training[:500], sets={TEST: corpus.sets[TEST][:20]}), settings, device, None
        )
    for way, (replays, autocast) in WAYS.items() if device.type != "cpu" else [("as it comes", (False, None))]:
        with replaying(device, replays):
            report["ways"][way] = timed(corpus, settings, device, autocast)
        print(way, report["ways"][way], flush=True)
        write(chosen.json or (None if chosen.quick else place(COMMAND, device)), report)
    print(markdown([{"way": way} | numbers for way, numbers in report["ways"].items()]))


def timed(corpus: Data, settings: dict, device: torch.device, autocast: torch.dtype | None) -> dict[str, float]:
    """Seconds of training and of translation, both with all that Python does for them, and the BLEU."""
    test = corpus.sets[TEST]
    started = time.perf_counter()
    model, entries = trained("additive", SEED, settings, corpus, device, autocast=autocast)
    between = time.perf_counter()
    words = translate(model.to(device), test, *corpus.vocabularies)
    ended = time.perf_counter()
    return {
        "steps": entries["steps"],
        "training_seconds": between - started,
        "translation_seconds": ended - between,
        "seconds": ended - started,
        "bleu": bleu(words, targets(test)),
    }


if __name__ == "__main__":
    main()
