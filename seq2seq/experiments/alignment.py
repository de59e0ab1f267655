"""Alignment error rates of the trained models and of baselines: diagonal, random, uniform, and the best possible.

    python -m seq2seq.experiments alignment    # seconds; reads the runs of STUDIES, trains nothing

The best possible is what one link per target word can reach, because gold words have several links, or none.
"""

import argparse
import random
from pathlib import Path
from statistics import fmean

import torch

from seq2seq.alignment import aer, best_links, diagonal_links, random_links, soft_aer
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.experiment import COMMAND, Measurement, read
from seq2seq.experiments.study import QUICK, SETTINGS, fingerprint, prepare
from seq2seq.experiments.tables import mean, tabulate

STUDIES = ("length_curve", "wirings", "orders", "guided")
METRICS = ("aer", "soft_aer", "aer_shift_-1", "aer_shift_+1")
SEED = 0


def floors(sets: dict[str, list[Pair]]) -> dict[str, dict[str, float]]:
    """The baselines without a model, and the best that one link per word can reach: means over the test sets."""
    generator = random.Random(SEED)
    measures = [_floors(pairs, generator) for pairs in sets.values()]
    return {
        name: {metric: fmean(each[name][metric] for each in measures) for metric in row}
        for name, row in measures[0].items()
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
        report = read(path) if path.exists() else {"models": {}}
        if report["models"] and report["settings"]["test_fingerprint"] != test_fingerprint:
            raise ValueError(
                f"{path}: tested on sentences {report['settings']['test_fingerprint']}, expected {test_fingerprint}; "
                f"the grammar has changed since: run {COMMAND} {study} again."
            )
        for name, runs in report["models"].items():
            if runs[0]["aer"]:
                models[f"{study}:{name}"] = {
                    metric: [fmean(run[metric].values()) for run in runs] for metric in METRICS
                }
    return models


def table(report: dict) -> str:
    rows = {name: [row] for name, row in report["floors"].items()}
    for name, row in report["models"].items():
        rows[name] = [{metric: fmean(values) for metric, values in row.items()}]
    return tabulate(("model",), {metric: mean(".3f", metric) for metric in METRICS}, rows)


def measure(settings: dict, options: argparse.Namespace) -> dict:
    sets = prepare(settings).sets
    return {
        "test_fingerprint": fingerprint(sets),
        "floors": floors(sets),
        "models": measured(options.out, fingerprint(sets)),
    }


ALIGNMENT = Measurement(
    name="alignment",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick=QUICK,
    measure=measure,
    table=table,
)
