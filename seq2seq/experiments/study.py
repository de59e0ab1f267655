"""Studies on the grammar corpus: named variants, several seeds, one record per run, one report per study.

A budget is a number of steps, so that a run with the same seed reproduces the same numbers.
A GPU takes the same steps in another time.
Each variant states how many steps one core of the machine of the committed results does in a minute, so that equal
minutes mean about equal time; every record has the CPU seconds that its steps actually took.
Each run writes its record when it finishes, and the study's report collects them; a run that is in the report with the
same settings is skipped. The report is under version control, the records are not.
"""

import argparse
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from seq2seq.batch import Batch, token_batches
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.device import choose_device, device_name
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, write
from seq2seq.experiments.evaluation import evaluate
from seq2seq.experiments.recipe import save_vocabularies
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss, save_checkpoint, train
from seq2seq.vocab import Vocabulary

BUCKETS = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60)]
TRAINING_LENGTHS = (4, 50)
CPU = torch.device("cpu")
SETTINGS: dict = {
    "training_pairs": 60_000,
    "training_lengths": list(TRAINING_LENGTHS),
    "training_corpus_seed": 1,
    "test_pairs_per_bucket": 200,
    "test_corpus_seed": 1001,
    "tokens_per_batch": 400,
    "learning_rate": 5e-3,
    "warmup_steps": 100,
    "betas": [0.9, 0.98],
    "clip": 0.3,
    "threads": 1,
}
QUICK = {"training_pairs": 500, "test_pairs_per_bucket": 2}  # of a smoke test; studies share their test sentences


class Data(NamedTuple):
    training: list[Pair]
    sets: dict[str, list[Pair]]
    source_vocab: Vocabulary
    target_vocab: Vocabulary


@dataclass(frozen=True)
class Variant:
    """One model of a study, and how it is trained.

    `build` makes the model from the sizes of the two vocabularies; it is called just after seeding.
    `loss_of(data)` makes the loss, if it needs the sentences.
    `own` holds settings that override the study's ("minutes", "learning_rate") or that only this variant has
    ("rate_factors").
    `seeds` is the number of runs, if fewer than the study's.
    """

    name: str
    build: Callable[[int, int], Seq2Seq]
    steps_per_minute: int
    loss: Callable[[Seq2Seq, Batch, float], Tensor] = forced_loss
    own: dict = field(default_factory=dict)
    seeds: int | None = None
    loss_of: Callable[[Data], Callable[[Seq2Seq, Batch, float], Tensor]] | None = None

    def settings(self, of_study: dict) -> dict:
        """The study's settings overridden by the variant's own, except for minutes given on the command line."""
        own = dict(self.own)
        if of_study.get("equal_minutes"):
            own.pop("minutes", None)
        return of_study | own


@dataclass(frozen=True)
class Study:
    """Variants × seeds; ``study.main()`` runs what is missing and prints the table.

    `kept` names the variants whose first run's weights are saved, in half precision.
    `smoke` names the variants of a smoke test, if not all.
    `measure(model, data)` returns further entries for the record of a run; `measured(models)` a table of these.
    """

    name: str
    title: str
    variants: Sequence[Variant]
    seeds: int = 3
    minutes: float = 2.0
    kept: Sequence[str] = ()
    smoke: Sequence[str] = ()
    measure: Callable[[Seq2Seq, Data], dict] = field(default=lambda model, data: {})
    measured: Callable[[dict[str, list[dict]]], str] = field(default=lambda models: "")

    @property
    def command(self) -> str:
        return f"python -m seq2seq.experiments.{self.name}"

    def main(self, arguments: Sequence[str] | None = None) -> None:
        options = self._options(arguments)
        if options.show:
            self.print_tables(read(options.out / f"{self.name}.json")["models"])
            return
        settings = SETTINGS | {"minutes": options.minutes or self.minutes}
        if options.minutes:
            settings |= {"equal_minutes": True}
        if options.quick:
            settings |= QUICK
        torch.set_num_threads(settings["threads"])
        device = choose_device(options.device)
        data = prepare(settings)
        settings["test_fingerprint"] = fingerprint(data.sets)
        folder = options.out / self.name
        folder.mkdir(parents=True, exist_ok=True)
        save_vocabularies(folder / "vocabularies.json", data.source_vocab, data.target_vocab)
        models = self.known(options.out, settings)
        for seed in range(options.seeds):  # outer loop: if interrupted, all variants have equally many seeds
            for variant in self.variants:
                if variant.name not in options.models or seed >= (variant.seeds or options.seeds):
                    continue
                if seed not in {run["seed"] for run in models.get(variant.name, [])}:
                    record, model = run(variant, seed, variant.settings(settings), data, device)
                    record |= self.measure(model, data)
                    if seed == 0 and variant.name in self.kept:
                        save_checkpoint(folder / f"{variant.name}.pt", model, torch.float16)
                    write(folder / f"{variant.name}-{seed}.json", record)
                    models = self.collect(options.out, settings)
        self.print_tables(self.collect(options.out, settings))

    def print_tables(self, models: dict[str, list[dict]]) -> None:
        print(table(models))
        if more := self.measured(models):
            print(f"\n{more}")

    def known(self, out: Path, settings: dict) -> dict[str, list[dict]]:
        """All runs with these settings, by variant: those of the report, and those that have only a record so far."""
        path = out / f"{self.name}.json"
        before: dict = json.loads(path.read_text()) if path.exists() else {"settings": None}
        models = {}
        for variant in self.variants:
            runs = before["models"].get(variant.name, []) if before["settings"] == settings else []
            new = [json.loads(file.read_text()) for file in (out / self.name).glob(f"{variant.name}-[0-9]*.json")]
            own = variant.settings(settings)
            by_seed = {run["seed"]: run for run in runs + new if run["settings"] == own}
            if by_seed:
                models[variant.name] = [by_seed[seed] for seed in sorted(by_seed)]
        return models

    def collect(self, out: Path, settings: dict) -> dict[str, list[dict]]:
        """Writes the report of all known runs, and returns them."""
        models = self.known(out, settings)
        report = {"command": self.command, "settings": settings, "buckets": BUCKETS, "models": models}
        write(out / f"{self.name}.json", report)
        return models

    def _options(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        names = [variant.name for variant in self.variants]
        options_parser = parser_with_show(self.command, self.title)
        options_parser.add_argument("--models", nargs="+", choices=names)
        add_seeds(options_parser, self.seeds)
        options_parser.add_argument(
            "--minutes", type=float, help=f"minutes of one core per run (default: {self.minutes})"
        )
        options_parser.add_argument("--device", default="cpu", help="cpu (the default), cuda or mps")
        options = parse(options_parser, arguments)
        options.minutes = options.minutes or (0.001 if options.quick else None)
        options.models = options.models or (self.smoke if options.quick and self.smoke else names)
        return options


def prepare(settings: dict) -> Data:
    """Training pairs, a test set of unseen sentences per bucket, and the vocabularies of the training pairs."""
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
    return Data(training, sets, source_vocab, target_vocab)


def fingerprint(sets: dict[str, list[Pair]]) -> str:
    """A short hash of the test sentences; it changes when the grammar does."""
    text = repr([(pair.source, pair.target, sorted(pair.links)) for pairs in sets.values() for pair in pairs])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def run(variant: Variant, seed: int, settings: dict, data: Data, device: torch.device = CPU) -> tuple[dict, Seq2Seq]:
    """Train one model from one seed, evaluate it on the CPU; returns its record and the model."""
    torch.manual_seed(seed)
    model = variant.build(len(data.source_vocab), len(data.target_vocab))
    generator = torch.Generator().manual_seed(seed)
    history = train(
        model,
        token_batches(data.training, data.source_vocab, data.target_vocab, settings["tokens_per_batch"], generator),
        steps=max(1, round(settings["minutes"] * variant.steps_per_minute)),
        learning_rate=settings["learning_rate"],
        warmup_steps=settings["warmup_steps"],
        betas=tuple(settings["betas"]),
        clip=settings["clip"],
        rate_factors=settings.get("rate_factors"),
        loss=variant.loss_of(data) if variant.loss_of else variant.loss,
        device=device,
        description=f"{variant.name}, seed {seed}",
    )
    model.to("cpu")
    record = {
        "model": variant.name,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "device": device_name(device),
        "vocabulary_sizes": [len(data.source_vocab), len(data.target_vocab)],
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": history.steps,
        "target_tokens": history.tokens,
        "cpu_seconds": round(history.cpu_seconds, 1),
        "training_loss": [round(part.mean().item(), 4) for part in torch.tensor(history.losses).chunk(40)],
        **evaluate(model, data.sets, data.source_vocab, data.target_vocab),
    }
    return record, model


def table(models: dict[str, list[dict]]) -> str:
    """BLEU by length and AER as a Markdown table: the mean over seeds, with the range if there are several."""
    names = [f"{shortest}-{longest}" for shortest, longest in BUCKETS]
    lines = [
        "| model | " + " | ".join(names) + " | AER | parameters | CPU seconds |",
        "|---" * (len(names) + 4) + "|",
    ]
    for model, runs in models.items():
        cells = [spread([run["bleu"][name] for run in runs], 1) for name in names]
        errors = [sum(run["aer"].values()) / len(run["aer"]) for run in runs if run["aer"]]
        cells.append(spread(errors, 3) if errors else "–")
        cells += [f"{runs[0]['parameters']:,}", f"{sum(run['cpu_seconds'] for run in runs) / len(runs):.0f}"]
        lines.append(f"| {model} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def spread(values: list[float], digits: int) -> str:
    """The mean, with the range behind it if there are several values."""
    mean, low, high = (f"{value:.{digits}f}" for value in (sum(values) / len(values), min(values), max(values)))
    return mean if len(values) == 1 else f"{mean} ({low}–{high})"
