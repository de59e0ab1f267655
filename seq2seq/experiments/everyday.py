"""Alignment of real sentences: models trained on Tatoeba, scored on the gold links of the everyday sentences.

    python -m seq2seq.experiments everyday    # downloads Tatoeba; 2 models × 2 ways × 3 seeds
    python -m seq2seq.experiments everyday --data FOLDER --models bahdanau --ways forwards --seeds 1

Each run of a model takes four to ten core-minutes.
No training pair has the English or the French side of a test pair, punctuation and case aside.
A model ``forwards`` translates from English to French, and links each French word to the English word of its largest
weight in forced decoding; one ``backwards`` translates from French to English, and links each English word.
``both`` keeps the links on which the two agree, ``either`` all links.
``aligner`` is the statistical word aligner, trained on the same pairs with the same vocabularies.
"""

import argparse
import hashlib
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from seq2seq.alignment import Links, best_links, diagonal_links
from seq2seq.corpora.everyday import ANNOTATORS, annotation
from seq2seq.corpora.hansards import AlignedPair
from seq2seq.evaluation.agreement import agreement
from seq2seq.evaluation.link_scores import link_scores
from seq2seq.experiments.everyday_runs import (
    ALIGNER,
    gold_pairs,
    of_aligner,
    prepare,
    read_links,
    run_aligner,
    run_model,
)
from seq2seq.experiments.runs import Cell, Runs
from seq2seq.experiments.tables import count, mean, tabulate
from seq2seq.experiments.trained import Data
from seq2seq.model import Seq2Seq

NAMES = (ALIGNER, "luong_bilinear", "bahdanau")
WAYS = ("forwards", "backwards")
SETTINGS: dict = {
    "corpus": "tatoeba",
    "corpus_seed": 0,
    "min_count": 5,
    "validation_pairs": 1000,
    "steps": 6000,
    "tokens_per_batch": 400,
    "learning_rate": 3e-3,
    "warmup_steps": 100,
    "betas": [0.9, 0.98],
    "clip": 0.3,
    "threads": 1,
    "examples": [18, 29, 54],  # places in the corpus: the European Economic Area, a negation, an idiom
}
QUICK = {"corpus": "grammar", "min_count": 1, "validation_pairs": 5, "steps": 2, "examples": [0]}


def fingerprint(gold: Sequence[AlignedPair]) -> str:
    """A short hash of the gold pairs; it changes when a sentence or a link does."""
    text = repr([(pair.source, pair.target, sorted(pair.links), sorted(pair.possible)) for pair in gold])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def standard(gold: Sequence[AlignedPair]) -> dict:
    """The numbers of the gold standard, and how far its annotators agree."""
    annotations = [annotation(annotator) for annotator in ANNOTATORS]
    return {
        "pairs": len(gold),
        "words": [sum(len(pair.source) for pair in gold), sum(len(pair.target) for pair in gold)],
        "sure": sum(len(pair.links) for pair in gold),
        "only_possible": sum(len(pair.possible - pair.links) for pair in gold),
        "pairs_that_differ": sum(first != second for first, second in zip(*annotations, strict=True)),
        "agreement": {name: round(value, 4) for name, value in agreement(*annotations)._asdict().items()},
    }


def floors(gold: Sequence[AlignedPair]) -> dict[str, dict[str, float]]:
    """The diagonal, and the best that one link per French word can reach."""
    lengths = [(len(pair.source), len(pair.target)) for pair in gold]
    diagonal = [diagonal_links(*each) for each in lengths]
    best = [best_links(_preferred(pair), len(pair.target)) for pair in gold]
    return {"diagonal": _rounded(link_scores(diagonal, gold)), "best": _rounded(link_scores(best, gold))}


def _preferred(pair: AlignedPair) -> Links:
    """The sure links, and the possible ones of the target words that have no sure link."""
    sure = {target for _, target in pair.links}
    return pair.links | {(source, target) for source, target in pair.possible if target not in sure}


def scores(runs: dict[str, dict], gold: Sequence[AlignedPair]) -> dict[str, dict[str, float]]:
    """Error rate, precision and recall of each way that has a run, and of their combinations if both have."""
    links = {way: [read_links(text) for text in record["links"]] for way, record in runs.items()}
    if len(links) == len(WAYS):
        paired = list(zip(*links.values(), strict=True))
        links["both"] = [ahead & back for ahead, back in paired]
        links["either"] = [ahead | back for ahead, back in paired]
    return {way: _rounded(link_scores(each, gold)) for way, each in links.items()}


def _rounded(rates: dict[str, float]) -> dict[str, float]:
    return {metric: round(value, 4) for metric, value in rates.items()}


def standing(runs: dict[Cell, list[dict]], gold: Sequence[AlignedPair]) -> dict[str, list[dict]]:
    """For each model and each seed the runs of its ways, with their scores."""
    by_seed: dict[str, dict[int, dict]] = {}
    for (name, way), records in runs.items():
        for record in records:
            by_seed.setdefault(name, {}).setdefault(record["seed"], {})[way] = record
    return {
        name: [{"seed": seed, "scores": scores(ways, gold), "runs": ways} for seed, ways in sorted(seeds.items())]
        for name, seeds in by_seed.items()
    }


def table(report: dict) -> str:
    """Error rate, precision and recall: the mean over seeds."""
    rows = {name: [rates] for name, rates in report["floors"].items()}
    for name, seeds in report["models"].items():
        for each in seeds:
            for way, rates in each["scores"].items():
                rows.setdefault(f"{name}, {way}", []).append(rates)
    columns = {head: mean(".3f", head.lower()) for head in ("AER", "precision", "recall")}
    return tabulate(("links",), {"seeds": count} | columns, rows)


def data(settings: dict, options: argparse.Namespace) -> tuple[Data, list[AlignedPair]]:
    gold = gold_pairs(settings)
    zipped = options.data / "fra-eng.zip" if options.data and options.data.is_dir() else options.data
    return prepare(settings, zipped, gold), gold


def run(
    name: str, way: str, seed: int, settings: dict, data: tuple[Data, list[AlignedPair]]
) -> tuple[Seq2Seq | None, dict]:
    if name == ALIGNER:
        return None, run_aligner(way, settings, data[0])
    return run_model(name, way, seed, settings, *data)


EVERYDAY = Runs(
    name="everyday",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick=QUICK,
    options={"--data": {"type": Path, "help": "fra-eng.zip of Tatoeba, or its folder (default: it is downloaded)"}},
    seeds=3,
    models=list(product(NAMES, WAYS)),
    data=data,
    of_data=lambda data: {"gold_fingerprint": fingerprint(data[1])},
    settings_of=lambda cell, settings: of_aligner(settings) if cell[0] == ALIGNER else settings,
    fewer={(ALIGNER, way): 1 for way in WAYS},  # it draws nothing at random
    run=run,
    record="model way seed settings torch vocabulary_sizes parameters training_pairs steps target_tokens cpu_seconds "
    "training_loss",
    by=("model", "way"),
    choices={"model": None, "way": None},
    head=lambda settings, data: {"gold": standard(data[1]), "floors": floors(data[1])},
    lay_out=lambda runs, data: standing(runs, data[1]),
    table=table,
)
