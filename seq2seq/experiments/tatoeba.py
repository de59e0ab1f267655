"""Tatoeba, English to French: everyday sentences, quality against source length, with and without attention.

    python -m seq2seq.experiments.tatoeba                    # downloads the corpus; half an hour of a core per model
    python -m seq2seq.experiments.tatoeba --data fra-eng.zip --models additive
    python -m seq2seq.experiments.tatoeba --quick            # a smoke test on the grammar: no download

The models and their sizes are those of ``multi30k``, preset "laptop".
A test sentence has one reference, its first; no training pair has the source or a target of a test pair, punctuation
and case aside.
Each run writes its record when it finishes, and the report collects them.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch

from seq2seq.batch import token_batches
from seq2seq.corpora.download import DownloadError
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.tatoeba import tatoeba
from seq2seq.device import choose_device
from seq2seq.experiments.command_line import add_seeds, is_done, parse, parser_with_show, read, write
from seq2seq.experiments.everyday_runs import without_twins
from seq2seq.experiments.multi30k import BEAM_SIZE, PRESETS, by_length, targets, trained, translate, vocabularies
from seq2seq.experiments.study import spread
from seq2seq.metrics import bleu, perplexity

COMMAND = "python -m seq2seq.experiments.tatoeba"
MODELS = ("fixed_gru", "additive", "luong")
BUCKETS = ((2, 5), (6, 8), (9, 12), (13, 50))  # of source words and marks
SETTINGS: dict = PRESETS["laptop"] | {"preset": "laptop", "epochs": 4, "min_count": 5, "corpus_seed": 0}
QUICK: dict = PRESETS["quick"] | {"preset": "quick", "min_count": 1, "corpus_seed": 0}


def pairs_of(zipped: Path | None, seed: int) -> dict[str, list[Pair]]:
    """Training pairs without twins of the test, and each test sentence with its first translation."""
    splits = tatoeba(zipped, seed)
    first: dict[tuple[str, ...], Pair] = {}
    for pair in splits["test"]:
        first.setdefault(pair.source, pair)
    return {"train": without_twins(splits["train"], splits["test"]), "test": list(first.values())}


def run(name: str, seed: int, settings: dict, sets: dict[str, list[Pair]], device: torch.device) -> dict:
    """Train and test one model; returns the record of the run."""
    vocabs, test = vocabularies(sets["train"], settings["min_count"]), sets["test"]
    model, record = trained(name, seed, settings, sets["train"], vocabs, device)
    greedily, by_beam = (translate(model, test, *vocabs, beam_size) for beam_size in (1, BEAM_SIZE))
    return record | {
        "training_pairs": len(sets["train"]),
        "test_pairs": len(test),
        "bleu": round(bleu(greedily, targets(test)), 2),
        "beam_bleu": round(bleu(by_beam, targets(test)), 2),
        "bleu_by_length": by_length(greedily, test, BUCKETS),
        "perplexity": round(perplexity(model, token_batches(test, *vocabs, 4000)), 3),
    }


def collect(out: Path, settings: dict) -> dict[str, list[dict]]:
    """All runs with these settings, by model: those of the report and those that have only a record so far."""
    path = out / "tatoeba.json"
    before = json.loads(path.read_text())["models"] if path.exists() else {}
    new = [json.loads(file.read_text()) for file in (out / "tatoeba").glob("*.json")]
    models: dict[str, dict[int, dict]] = {name: {} for name in MODELS}
    for record in [record for runs in before.values() for record in runs] + new:
        if record["settings"] == settings:
            models[record["model"]][record["seed"]] = record
    found = {name: [runs[seed] for seed in sorted(runs)] for name, runs in models.items() if runs}
    write(path, {"command": COMMAND, "settings": settings, "models": found})
    return found


def table(models: dict[str, list[dict]]) -> str:
    """BLEU by source length, greedy; in all, greedy and with a beam: means over seeds, with the ranges."""
    heads = [f"{shortest}-{longest}" for shortest, longest in BUCKETS]
    lines = ["| model | seeds | " + " | ".join(heads) + " | all | beam | perplexity | CPU minutes |"]
    lines.append("|---" * (len(heads) + 6) + "|")
    for name, runs in models.items():
        columns = [[run["bleu_by_length"].get(head, 0.0) for run in runs] for head in heads]
        columns += [[run[key] for run in runs] for key in ("bleu", "beam_bleu", "perplexity")]
        columns.append([run["cpu_seconds"] / 60 for run in runs])
        lines.append(f"| {name} | {len(runs)} | " + " | ".join(spread(column, 1) for column in columns) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    if options.show:
        print(table(read(options.out / "tatoeba.json")["models"]))
        return
    torch.set_num_threads(1)
    settings = QUICK if options.quick else SETTINGS
    device = choose_device(options.device)
    if options.quick:
        sets = {"train": corpus(200, 0, (4, 12)), "test": corpus(20, 1, (4, 12))}
    else:
        try:
            sets = pairs_of(options.data, settings["corpus_seed"])
        except (DownloadError, FileNotFoundError, ValueError) as error:
            raise SystemExit(f"{error}") from None
    (options.out / "tatoeba").mkdir(parents=True, exist_ok=True)
    for seed in range(options.seeds):
        for name in options.models:
            path = options.out / "tatoeba" / f"{name}-{seed}.json"
            if not is_done(path, settings):
                write(path, run(name, seed, settings, sets, device))
            collect(options.out, settings)
    print(table(collect(options.out, settings)))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    options_parser.add_argument("--models", nargs="+", default=list(MODELS), choices=MODELS)
    options_parser.add_argument("--data", type=Path, help="the zip of sentence pairs; without it, it is downloaded")
    options_parser.add_argument("--device", default="cpu", help="cpu (the default), cuda or mps")
    add_seeds(options_parser, 1)
    return parse(options_parser, arguments)


if __name__ == "__main__":
    main()
