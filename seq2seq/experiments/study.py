"""Studies on the grammar corpus: named variants, several seeds, evaluated by length.

A budget is a number of steps, so that a run with the same seed reproduces the same numbers.
A GPU takes the same steps in another time.
Each variant states how many steps one core of the machine of the committed results does in a minute, so that equal
minutes mean about equal time; every record has the CPU seconds that its steps actually took.
"""

import argparse
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from seq2seq.batch import Batch
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.device import choose_device
from seq2seq.experiments import experiment
from seq2seq.experiments.evaluation import evaluate
from seq2seq.experiments.recipe import Build, save_vocabularies
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, PARAMETERS, spread, tabulate
from seq2seq.experiments.trained import CPU, Data, train_on, with_vocabularies
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss

BUCKETS = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60)]
LENGTHS = [f"{shortest}-{longest}" for shortest, longest in BUCKETS]
TRAINING_LENGTHS = (4, 50)
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
RECORD = "model seed settings torch device vocabulary_sizes parameters steps target_tokens cpu_seconds training_loss"
DEVICE: dict = {"type": experiment.device, "default": "cpu", "help": "cpu (the default), cuda or mps"}


@dataclass(frozen=True)
class Variant:
    """One model of a study, and how it is trained.

    `build` makes the model from the sizes of the two vocabularies; it is called just after seeding.
    `loss_of(data)` makes the loss, if it needs the sentences.
    `overrides` holds settings that override the study's ("minutes", "learning_rate") or that only this variant has
    ("rate_factors").
    `seeds` is the number of runs, if fewer than the study's.
    """

    name: str
    build: Build
    steps_per_minute: int
    loss: Callable[[Seq2Seq, Batch, float], Tensor] = forced_loss
    overrides: dict = field(default_factory=dict)
    seeds: int | None = None
    loss_of: Callable[[Data], Callable[[Seq2Seq, Batch, float], Tensor]] | None = None

    def settings(self, of_study: dict) -> dict:
        """The study's settings overridden by the variant's, except for minutes given on the command line."""
        overrides = dict(self.overrides)
        if of_study.get("equal_minutes"):
            overrides.pop("minutes", None)
        return of_study | overrides


def study(
    name: str,
    title: str,
    variants: Sequence[Variant],
    *,
    seeds: int = 3,
    minutes: float = 2.0,
    saved: Sequence[str] = (),
    smoke: Sequence[str] = (),
    measure: Callable[[Seq2Seq, Data], dict] = lambda model, data: {},
    measured: Callable[[dict[str, list[dict]]], str] = lambda models: "",
) -> Runs:
    """The experiment of these variants, each trained for so many minutes from so many seeds.

    `saved` names the variants whose first run's weights are saved.
    `measure(model, data)` returns further entries for the record of a run; `measured(models)` a table of these.
    """
    models = {variant.name: variant for variant in variants}

    def begin(settings: dict, options: argparse.Namespace) -> tuple[Data, torch.device]:
        data = prepare(settings)
        (options.out / name).mkdir(parents=True, exist_ok=True)
        save_vocabularies(options.out / name / "vocabularies.json", *data.vocabularies)
        return data, choose_device(options.device)

    def train_and_measure(
        variant: str, seed: int, settings: dict, begun: tuple[Data, torch.device]
    ) -> tuple[Seq2Seq, dict]:
        data, device = begun
        model, entries = run(models[variant], seed, settings, data, device)
        return model, entries | measure(model, data)

    def tables(report: dict) -> str:
        return "\n\n".join(filter(None, (table(report["models"]), measured(report["models"]))))

    return Runs(
        name=name,
        title=title,
        settings=SETTINGS | {"minutes": minutes},
        quick={"minutes": 0.001, "equal_minutes": True} | QUICK,
        asked=lambda options: {"minutes": options.minutes, "equal_minutes": True} if options.minutes else {},
        options={
            "--minutes": {"type": experiment.minutes, "help": f"minutes of one core per run (default: {minutes})"},
            "--device": DEVICE,
        },
        seeds=seeds,
        models=models,
        data=begin,
        of_data=lambda begun: {"test_fingerprint": fingerprint(begun[0].sets)},
        run=train_and_measure,
        record=RECORD,
        choices={"model": None},
        smoke=smoke,
        settings_of=lambda cell, settings: models[cell[0]].settings(settings),
        fewer={variant.name: variant.seeds for variant in variants if variant.seeds},
        saved={variant: f"{name}/{variant}.pt" for variant in saved},
        head=lambda settings, begun: {"buckets": BUCKETS},
        table=tables,
    )


def prepare(settings: dict) -> Data:
    """Training pairs, a test set of unseen sentences per bucket, and the vocabularies of the training pairs."""
    training = corpus(settings["training_pairs"], settings["training_corpus_seed"], TRAINING_LENGTHS)
    trained = {pair.source for pair in training}
    size = settings["test_pairs_per_bucket"]
    sets = {}
    for number, (shortest, longest) in enumerate(BUCKETS):
        drawn = corpus(3 * size, settings["test_corpus_seed"] + number, (shortest, longest))
        fresh = {pair.source: pair for pair in drawn if pair.source not in trained}
        if len(fresh) < size:
            raise ValueError(f"test set {shortest}-{longest}: got {len(fresh)} unseen sentences, expected {size}.")
        sets[f"{shortest}-{longest}"] = list(fresh.values())[:size]
    return with_vocabularies(training, sets)


def fingerprint(sets: dict[str, list[Pair]]) -> str:
    """A short hash of the test sentences; it changes when the grammar does."""
    text = repr([(pair.source, pair.target, sorted(pair.links)) for pairs in sets.values() for pair in pairs])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def run(variant: Variant, seed: int, settings: dict, data: Data, device: torch.device = CPU) -> tuple[Seq2Seq, dict]:
    """Train one model from one seed, evaluate it on the CPU; returns the model and the entries of its record."""
    model, entries = train_on(
        data,
        variant.build,
        seed,
        settings,
        description=variant.name,
        steps=max(1, round(settings["minutes"] * variant.steps_per_minute)),
        device=device,
        parts=40,
        rate_factors=settings.get("rate_factors"),
        loss=variant.loss_of(data) if variant.loss_of else variant.loss,
    )
    sizes = {"vocabulary_sizes": list(map(len, data.vocabularies))}
    return model, sizes | entries | evaluate(model, data.sets, *data.vocabularies)


def table(models: dict[str, list[dict]]) -> str:
    """BLEU by length and AER: the mean over seeds, with the range if there are several."""
    columns = {length: spread(1, "bleu", length) for length in LENGTHS} | {"AER": spread(3, "aer", "*")}
    return tabulate(("model",), columns | PARAMETERS | CPU_SECONDS, models)
