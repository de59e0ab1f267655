"""Alignment error rates of the trained models and of baselines: diagonal, random, uniform, and the best possible.

    python -m seq2seq.experiments.alignment    # seconds; reads the runs of STUDIES, trains nothing

The best possible is what one link per target word can reach, because gold words have several links, or none.
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import torch

from seq2seq.alignment import aer, best_links, diagonal_links, random_links, soft_aer
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.command_line import parse, parser_with_show, read, write
from seq2seq.experiments.study import QUICK, SETTINGS, fingerprint, prepare

COMMAND = "python -m seq2seq.experiments.alignment"
STUDIES = ("length_curve", "wirings", "orders", "guided")
METRICS = ("aer", "soft_aer", "aer_shift_-1", "aer_shift_+1")
SEED = 0


def floors(sets: dict[str, list[Pair]]) -> dict[str, dict[str, float]]:
    """The baselines without a model, and the best that one link per word can reach: means over the test sets."""
    generator = random.Random(SEED)
    found = [_floors(pairs, generator) for pairs in sets.values()]
    return {
        name: {metric: fmean(each[name][metric] for each in found) for metric in row} for name, row in found[0].items()
    }


def _floors(pairs: list[Pair], generator: random.Random) -> dict[str, dict[str, float]]:
    gold = [pair.links for pair in pairs]
    lengths = [(len(pair.source), len(pair.target)) for pair in pairs]
    uniform = [torch.full((target, source), 1 / source) for source, target in lengths]
    return {
        "random": {"aer": aer([random_links(*pair, generator) for pair in lengths], gold)},
        "uniform": {"soft_aer": soft_aer(uniform, gold)},
        "diagonal": {"aer": aer([diagonal_links(*pair) for pair in lengths], gold)},
        "best": {"aer": aer([best_links(pair.links, len(pair.target)) for pair in pairs], gold)},
    }


def measured(folder: Path, test_fingerprint: str) -> dict[str, dict[str, list[float]]]:
    """For each model of the studies and each metric, the means over the test sets, one per seed.

    Raises:
        ValueError: a study was tested on other sentences.
    """
    models = {}
    for study in STUDIES:
        path = folder / f"{study}.json"
        report = json.loads(path.read_text()) if path.exists() else {"models": {}}
        if report["models"] and report["settings"]["test_fingerprint"] != test_fingerprint:
            raise ValueError(
                f"{path}: tested on sentences {report['settings']['test_fingerprint']}, expected {test_fingerprint}; "
                f"the grammar has changed since: run python -m seq2seq.experiments.{study} again."
            )
        for name, runs in report["models"].items():
            if runs[0]["aer"]:
                models[f"{study}:{name}"] = {
                    metric: [fmean(run[metric].values()) for run in runs] for metric in METRICS
                }
    return models


def table(report: dict) -> str:
    lines = ["| model | " + " | ".join(METRICS) + " |", "|---" * (1 + len(METRICS)) + "|"]
    rows = {name: {metric: [value] for metric, value in row.items()} for name, row in report["floors"].items()}
    for name, row in (rows | report["models"]).items():
        means = {metric: fmean(values) for metric, values in row.items()}
        cells = [f"{means[metric]:.3f}" if metric in means else "–" for metric in METRICS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(parser_with_show(COMMAND, __doc__.splitlines()[0]), arguments)
    if options.show:
        print(table(read(options.out / "alignment.json")))
        return
    settings = SETTINGS | (QUICK if options.quick else {})
    sets = prepare(settings).sets
    report = {
        "command": COMMAND,
        "test_fingerprint": fingerprint(sets),
        "floors": floors(sets),
        "models": measured(options.out, fingerprint(sets)),
    }
    write(options.out / "alignment.json", report)
    print(table(report))


if __name__ == "__main__":
    main()
