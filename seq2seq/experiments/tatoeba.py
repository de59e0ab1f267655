"""Tatoeba, English to French: everyday sentences, quality against source length, with and without attention.

    python -m seq2seq.experiments tatoeba    # downloads the corpus; half an hour of a core per model
    python -m seq2seq.experiments tatoeba --data fra-eng.zip --models additive

The models and their sizes are those of ``multi30k``, preset "laptop".
A test sentence has one reference, its first; no training pair has the source or a target of a test pair, punctuation
and case aside.
"""

import argparse
from pathlib import Path

import torch

from seq2seq.batch import token_batches
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.tatoeba import tatoeba
from seq2seq.device import choose_device
from seq2seq.experiments.everyday_runs import without_twins
from seq2seq.experiments.multi30k import (
    BEAM_SIZE,
    PRESETS,
    RECORD,
    by_length,
    targets,
    trained,
    translate,
)
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.study import DEVICE
from seq2seq.experiments.tables import Column, count, mean_and_range, of_runs, spread
from seq2seq.experiments.trained import Data, with_vocabularies
from seq2seq.metrics import bleu, perplexity
from seq2seq.model import Seq2Seq

MODELS = ("fixed_gru", "additive", "luong")
BUCKETS = ((2, 5), (6, 8), (9, 12), (13, 50))  # of source words and marks


def pairs_of(zipped: Path | None, seed: int) -> dict[str, list[Pair]]:
    """Training pairs without twins of the test, and each test sentence with its first translation."""
    splits = tatoeba(zipped, seed)
    first: dict[tuple[str, ...], Pair] = {}
    for pair in splits["test"]:
        first.setdefault(pair.source, pair)
    return {"train": without_twins(splits["train"], splits["test"]), "test": list(first.values())}


def data(settings: dict, options: argparse.Namespace) -> tuple[Data, torch.device]:
    if options.quick:
        sets = {"train": corpus(200, 0, (4, 12)), "test": corpus(20, 1, (4, 12))}
    else:
        sets = pairs_of(options.data, settings["corpus_seed"])
    return with_vocabularies(sets["train"], sets, settings["min_count"]), choose_device(options.device)


def run(name: str, seed: int, settings: dict, data_and_device: tuple[Data, torch.device]) -> tuple[Seq2Seq, dict]:
    """Train and test one model."""
    data, device = data_and_device
    test, vocabs = data.sets["test"], data.vocabularies
    model, entries = trained(name, seed, settings, data, device)
    greedily, by_beam = (translate(model, test, *vocabs, beam_size) for beam_size in (1, BEAM_SIZE))
    return model, entries | {
        "training_pairs": len(data.training),
        "test_pairs": len(test),
        "bleu": round(bleu(greedily, targets(test)), 2),
        "beam_bleu": round(bleu(by_beam, targets(test)), 2),
        "bleu_by_length": by_length(greedily, test, BUCKETS),
        "perplexity": round(perplexity(model, token_batches(test, *vocabs, 4000)), 3),
    }


def bleu_of(length: str) -> Column:
    return lambda runs: mean_and_range([run["bleu_by_length"].get(length, 0.0) for run in runs], 1)


COLUMNS: dict[str, Column] = {
    "seeds": count,
    **{length: bleu_of(length) for length in (f"{shortest}-{longest}" for shortest, longest in BUCKETS)},
    "all": spread(1, "bleu"),
    "beam": spread(1, "beam_bleu"),
    "perplexity": spread(1, "perplexity"),
    "CPU minutes": lambda runs: mean_and_range([run["cpu_seconds"] / 60 for run in runs], 1),
}
TATOEBA = Runs(
    name="tatoeba",
    title=__doc__.splitlines()[0],
    settings=PRESETS["laptop"] | {"preset": "laptop", "epochs": 4, "min_count": 5, "corpus_seed": 0},
    quick=PRESETS["quick"] | {"preset": "quick", "min_count": 1, "corpus_seed": 0},
    options={
        "--data": {"type": Path, "help": "the zip of sentence pairs; without it, it is downloaded"},
        "--device": DEVICE,
    },
    seeds=1,
    models=MODELS,
    data=data,
    run=run,
    record=RECORD,
    choices={"model": None},
    table=of_runs(COLUMNS),
)
