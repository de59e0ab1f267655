"""Quality against source length: two fixed-vector models and two with attention, at equal budget.

    python -m seq2seq.experiments.length_curve            # 4 models × 3 seeds × 120 CPU seconds of training
    python -m seq2seq.experiments.length_curve --quick    # a smoke test of a few seconds, results in a temporary folder

Training stops at 50 words; sentences of 51 to 60 words are of lengths never seen.
Each run writes its own file when it is done; a run whose file is there, of the same settings, is not done again.
"""

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import torch

from seq2seq.batch import token_batches
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.evaluation import evaluate
from seq2seq.experiments.recipe import DECODERS, RESULTS, build, save_vocabularies
from seq2seq.model import Seq2Seq
from seq2seq.training import save_checkpoint, train
from seq2seq.vocab import Vocabulary

BUCKETS = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60)]
TRAINING_LENGTHS = (4, 50)
KEPT = ("every_step", "bahdanau")  # the models whose first run's weights are kept for the book
COMMAND = "python -m seq2seq.experiments.length_curve"

Data = tuple[list[Pair], dict[str, list[Pair]], Vocabulary, Vocabulary]


def prepare(settings: dict) -> Data:
    """Training pairs, a test set per bucket of sentences not among them, and the vocabularies of the training pairs."""
    training = corpus(settings["training_pairs"], settings["training_corpus_seed"], TRAINING_LENGTHS)
    seen = {pair.source for pair in training}
    size = settings["test_pairs_per_bucket"]
    sets = {}
    for number, (shortest, longest) in enumerate(BUCKETS):
        drawn = corpus(3 * size, settings["test_corpus_seed"] + number, (shortest, longest))
        fresh = {pair.source: pair for pair in drawn if pair.source not in seen}
        if len(fresh) < size:
            raise ValueError(f"test set {shortest}-{longest}: got {len(fresh)} unseen sentences, expected {size}.")
        sets[f"{shortest}-{longest}"] = list(fresh.values())[:size]
    source_vocab = Vocabulary.build(pair.source for pair in training)
    target_vocab = Vocabulary.build(pair.target for pair in training)
    return training, sets, source_vocab, target_vocab


def fingerprint(sets: dict[str, list[Pair]]) -> str:
    """A short name for the test sentences; it changes when the grammar does."""
    text = repr([(pair.source, pair.target, sorted(pair.links)) for pairs in sets.values() for pair in pairs])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def run(name: str, seed: int, settings: dict, data: Data) -> tuple[dict, Seq2Seq]:
    """Train and evaluate one model from one seed: the record of it, and the model."""
    training, sets, source_vocab, target_vocab = data
    torch.manual_seed(seed)
    model = build(name, len(source_vocab), len(target_vocab))
    generator = torch.Generator().manual_seed(seed)
    history = train(
        model,
        token_batches(training, source_vocab, target_vocab, settings["tokens_per_batch"], generator),
        cpu_seconds=settings["cpu_seconds"],
        learning_rate=settings["learning_rate"],
        warmup_steps=settings["warmup_steps"],
        device="cpu",
        description=f"{name}, seed {seed}",
    )
    record = {
        "model": name,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "vocabulary_sizes": [len(source_vocab), len(target_vocab)],
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": history.steps,
        "target_tokens": history.tokens,
        "cpu_seconds": round(history.cpu_seconds, 1),
        "training_loss": [round(part.mean().item(), 4) for part in torch.tensor(history.losses).chunk(40)],
        **evaluate(model, sets, source_vocab, target_vocab),
    }
    return record, model


def table(models: dict[str, list[dict]]) -> str:
    """BLEU by length and AER as a table in Markdown: the mean over seeds, and the range where there are several."""
    names = [f"{shortest}-{longest}" for shortest, longest in BUCKETS]
    lines = ["| model | " + " | ".join(names) + " | AER | tokens/s |", "|---" * (len(names) + 3) + "|"]
    for model, runs in models.items():
        cells = [_cell([run["bleu"][name] for run in runs], 1) for name in names]
        errors = [sum(run["aer"].values()) / len(run["aer"]) for run in runs if run["aer"]]
        cells.append(_cell(errors, 3) if errors else "–")
        cells.append(f"{sum(run['target_tokens'] / run['cpu_seconds'] for run in runs) / len(runs):.0f}")
        lines.append(f"| {model} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(values: list[float], digits: int) -> str:
    mean, low, high = (f"{value:.{digits}f}" for value in (sum(values) / len(values), min(values), max(values)))
    return mean if len(values) == 1 else f"{mean} ({low}–{high})"


def main(arguments: list[str] | None = None) -> None:
    options = _options(arguments)
    settings = {
        "cpu_seconds": options.cpu_seconds,
        "training_pairs": options.training_pairs,
        "training_lengths": list(TRAINING_LENGTHS),
        "training_corpus_seed": 1,
        "test_pairs_per_bucket": options.test_pairs,
        "test_corpus_seed": 1001,
        "tokens_per_batch": 800,
        "learning_rate": 5e-3,
        "warmup_steps": 100,
        "threads": 1,
    }
    torch.set_num_threads(settings["threads"])
    folder = options.out / "length_curve"
    folder.mkdir(parents=True, exist_ok=True)
    data = prepare(settings)
    settings["test_fingerprint"] = fingerprint(data[1])
    save_vocabularies(folder / "vocabularies.json", *data[2:])
    for seed in range(options.seeds):  # seeds outside: wherever it stops, every model has had as many runs
        for name in options.models:
            path = folder / f"{name}-{seed}.json"
            if not _is_done(path, settings):
                record, model = run(name, seed, settings, data)
                if seed == 0 and name in KEPT:
                    save_checkpoint(folder / f"{name}.pt", model, torch.float16)
                path.write_text(json.dumps(record, indent=1) + "\n")
                collect(options.out, settings)
    print(table(collect(options.out, settings)))


def collect(out: Path, settings: dict) -> dict[str, list[dict]]:
    """All runs of these settings that are done, by model, in one file."""
    paths = {name: sorted((out / "length_curve").glob(f"{name}-*.json")) for name in DECODERS}
    done = {name: [json.loads(p.read_text()) for p in paths[name] if _is_done(p, settings)] for name in DECODERS}
    models = {name: runs for name, runs in done.items() if runs}
    report = {"command": COMMAND, "settings": settings, "buckets": BUCKETS, "models": models}
    (out / "length_curve.json").write_text(json.dumps(report, indent=1) + "\n")
    return models


def _is_done(path: Path, settings: dict) -> bool:
    return path.exists() and json.loads(path.read_text())["settings"] == settings


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test: tiny budget, results in a temporary folder")
    parser.add_argument("--models", nargs="+", default=list(DECODERS), choices=list(DECODERS))
    parser.add_argument("--seeds", type=int, default=3, help="how many, from 0")
    parser.add_argument("--cpu-seconds", type=float, help="training budget of each run, 120 if not given")
    parser.add_argument("--out", type=Path, help="the folder of all results")
    options = parser.parse_args(arguments)
    options.training_pairs, options.test_pairs, budget, folder = 60_000, 200, 120.0, RESULTS
    if options.quick:
        options.seeds, options.training_pairs, options.test_pairs, budget, folder = 1, 500, 5, 1.0, None
    options.cpu_seconds = options.cpu_seconds or budget
    options.out = options.out or folder or Path(tempfile.mkdtemp())
    return options


if __name__ == "__main__":
    main()
