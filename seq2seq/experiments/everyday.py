"""Alignment of real sentences: models trained on Tatoeba, scored on the gold links of the everyday sentences.

    python -m seq2seq.experiments.everyday                  # downloads Tatoeba; 2 models × 2 ways × 3 seeds
    python -m seq2seq.experiments.everyday --data FOLDER --models bahdanau --ways forwards --seeds 1
    python -m seq2seq.experiments.everyday --quick          # a smoke test on the grammar; downloads nothing

Each run of a model takes four to ten core-minutes.
No training pair has the English or the French side of a test pair, punctuation and case aside.
A model ``forwards`` translates from English to French, and links each French word to the English word of its largest
weight in forced decoding; one ``backwards`` translates from French to English, and links each English word.
``both`` keeps the links on which the two agree, ``either`` all links.
``aligner`` is the statistical word aligner, trained on the same pairs with the same vocabularies.
Each run writes its record when it finishes, and the report collects them; a run that is in the report with the same
settings is skipped.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import torch

from seq2seq.alignment import Links, best_links, diagonal_links
from seq2seq.corpora.download import DownloadError
from seq2seq.corpora.everyday import ANNOTATORS, annotation
from seq2seq.corpora.hansards import AlignedPair
from seq2seq.evaluation.agreement import agreement
from seq2seq.evaluation.link_scores import link_scores
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, write
from seq2seq.experiments.everyday_runs import (
    ALIGNER,
    gold_pairs,
    of_aligner,
    prepare,
    read_links,
    run_aligner,
    run_model,
)

COMMAND = "python -m seq2seq.experiments.everyday"
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
        "pairs_that_differ": sum(one != two for one, two in zip(*annotations, strict=True)),
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
        links["both"] = [one & two for one, two in paired]
        links["either"] = [one | two for one, two in paired]
    return {way: _rounded(link_scores(found, gold)) for way, found in links.items()}


def _rounded(found: dict[str, float]) -> dict[str, float]:
    return {metric: round(value, 4) for metric, value in found.items()}


def is_current(record: dict, settings: dict) -> bool:
    return record["settings"] == (of_aligner(settings) if record["model"] == ALIGNER else settings)


def known(out: Path, settings: dict, gold: Sequence[AlignedPair]) -> dict[str, list[dict]]:
    """All runs with these settings, by model and seed: those in the report and those that have only a record so far."""
    path = out / "everyday.json"
    before: dict = json.loads(path.read_text()) if path.exists() else {"models": {}}
    records = [run for seeds in before["models"].values() for each in seeds for run in each["runs"].values()]
    records += [json.loads(file.read_text()) for file in (out / "everyday").glob("*-[0-9]*.json")]
    found = {(each["model"], each["seed"], each["way"]): each for each in records if is_current(each, settings)}
    models: dict[str, list[dict]] = {}
    for name in NAMES:
        for seed in sorted({seed for model, seed, _ in found if model == name}):
            runs = {way: found[name, seed, way] for way in WAYS if (name, seed, way) in found}
            models.setdefault(name, []).append({"seed": seed, "scores": scores(runs, gold), "runs": runs})
    return models


def collect(out: Path, settings: dict, gold: Sequence[AlignedPair]) -> None:
    """Writes the report of all known runs."""
    report = {"command": COMMAND, "settings": settings, "gold": standard(gold), "floors": floors(gold)}
    write(out / "everyday.json", report | {"models": known(out, settings, gold)})


def table(report: dict) -> str:
    """Error rate, precision and recall: the mean over seeds."""
    lines = ["| links | seeds | AER | precision | recall |", "|---" * 5 + "|"]
    rows = {name: [found] for name, found in report["floors"].items()}
    for name, seeds in report["models"].items():
        for each in seeds:
            for way, found in each["scores"].items():
                rows.setdefault(f"{name}, {way}", []).append(found)
    for name, found in rows.items():
        means = [sum(each[metric] for each in found) / len(found) for metric in ("aer", "precision", "recall")]
        lines.append(f"| {name} | {len(found)} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    if not options.show:
        _train(options)
    print(table(read(options.out / "everyday.json")))


def _train(options: argparse.Namespace) -> None:
    settings = SETTINGS | (QUICK if options.quick else {})
    torch.set_num_threads(settings["threads"])
    gold = gold_pairs(settings)
    settings["gold_fingerprint"] = fingerprint(gold)
    zipped = options.data / "fra-eng.zip" if options.data and options.data.is_dir() else options.data
    try:
        data = prepare(settings, zipped, gold)
    except DownloadError as error:
        raise SystemExit(f"{error}") from None
    folder = options.out / "everyday"
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(options.seeds):
        for way in options.ways:
            for name in options.models:
                if name == ALIGNER and seed:  # it draws nothing at random
                    continue
                models = known(options.out, settings, gold)
                if any(way in each["runs"] for each in models.get(name, []) if each["seed"] == seed):
                    continue
                if name == ALIGNER:
                    record = run_aligner(way, settings, data)
                else:
                    record = run_model(name, way, seed, settings, data, gold)
                write(folder / f"{name}-{way}-{seed}.json", record)
                collect(options.out, settings, gold)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    options_parser.add_argument("--models", nargs="+", default=list(NAMES), choices=NAMES)
    options_parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    options_parser.add_argument(
        "--data", type=Path, help="fra-eng.zip of Tatoeba, or its folder (default: it is downloaded)"
    )
    add_seeds(options_parser, 3)
    return parse(options_parser, arguments)


if __name__ == "__main__":
    main()
