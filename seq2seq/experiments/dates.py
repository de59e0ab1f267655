"""Dates to ISO 8601, character by character: attention on a task that can be checked by eye.

    python -m seq2seq.experiments dates                # 2 models × 3 seeds, 20 seconds on one core each
    python -m seq2seq.experiments dates_checkpoints    # half a minute on one core; writes two checkpoints

The checkpoints are small models whose weights learners load into their own decoders.
"""

import argparse
from pathlib import Path

import torch

from seq2seq import checkpoints
from seq2seq.alignment import aer, best_links
from seq2seq.corpora.dates import dates
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.evaluation import alignment_scores, forced_weights, translate
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.recipe import Build, save_vocabularies
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, PARAMETERS, each, mean, of_runs
from seq2seq.experiments.trained import Data, train_on, with_vocabularies
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer

EMBEDDING_SIZE, SIZE = 32, 64  # SIZE: both directions of the encoder together, and the decoder
SETTINGS: dict = {
    "training_pairs": 10_000,
    "test_pairs": 1000,
    "test_seed": 1001,
    "steps": {"bahdanau": 500, "luong": 500},
    "tokens_per_batch": 600,
    "learning_rate": 5e-3,
    "threads": 1,
}


def bahdanau(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, SIZE // 2)
    scorer = AdditiveScorer(SIZE, SIZE, SIZE)
    return Seq2Seq(encoder, BahdanauDecoder(target_vocab_size, EMBEDDING_SIZE, SIZE, SIZE, scorer))


def luong(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, SIZE // 2, cell="lstm")
    return Seq2Seq(encoder, LuongDecoder(target_vocab_size, EMBEDDING_SIZE, SIZE, SIZE, DotScorer(), cell="lstm"))


MODELS = {"bahdanau": bahdanau, "luong": luong}


def data(settings: dict) -> tuple[list[Pair], list[Pair]]:
    """Training dates, and test dates that do not occur among them in any format."""
    training = dates(settings["training_pairs"], 1)
    trained = {pair.target for pair in training}
    fresh = [pair for pair in dates(5 * settings["test_pairs"], settings["test_seed"]) if pair.target not in trained]
    return training, fresh[: settings["test_pairs"]]


def weight_on_gold(weights: list[torch.Tensor], pairs: list[Pair]) -> float:
    """The share of the digits' weights that lies on linked characters; hyphens have no links and are left out."""
    on_gold = digits = 0.0
    for rows, pair in zip(weights, pairs, strict=True):
        sources, targets = zip(*sorted(pair.links), strict=True)
        on_gold += rows[list(targets), list(sources)].sum().item()
        digits += len(set(targets))
    return round(on_gold / digits, 4)


def prepare(settings: dict, path: Path) -> Data:
    """The dates, and their vocabularies, which are saved."""
    training, test = data(settings)
    pairs = with_vocabularies(training, {"test": test})
    path.parent.mkdir(exist_ok=True)
    save_vocabularies(path, *pairs.vocabularies)
    return pairs


def trained(
    build: Build, seed: int, settings: dict, data: Data, steps: int, description: str
) -> tuple[Seq2Seq, dict, float]:
    """A trained model, what its record tells of the training, and its exact match on the test dates."""
    model, entries = train_on(data, build, seed, settings, description=description, steps=steps)
    test = data.sets["test"]
    match = exact_match(translate(model, test, *data.vocabularies), [pair.target for pair in test])
    return model, entries, match


def run(name: str, seed: int, settings: dict, data: Data) -> tuple[Seq2Seq, dict]:
    """Train and test one model from one seed."""
    model, entries, match = trained(MODELS[name], seed, settings, data, settings["steps"][name], name)
    test = data.sets["test"]
    weights = forced_weights(model, test, *data.vocabularies)
    assert weights is not None
    best = [best_links(pair.links, len(pair.target)) for pair in test]
    return model, entries | {
        "exact_match": round(match, 4),
        **alignment_scores(weights, test),
        "best_aer": round(aer(best, [pair.links for pair in test]), 4),
        "weight_on_gold": weight_on_gold(weights, test),
    }


COLUMNS = {
    "exact match, each seed": each(".3f", "exact_match"),
    "AER": mean(".3f", "aer"),
    "AER, shift -1": mean(".3f", "aer_shift_-1"),
    "lowest possible": mean(".3f", "best_aer"),
    "weight on gold": mean(".3f", "weight_on_gold"),
}
DATES = Runs(
    name="dates",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"training_pairs": 200, "test_pairs": 10, "steps": dict.fromkeys(MODELS, 3)},
    seeds=3,
    models=MODELS,
    data=lambda settings, options: prepare(settings, options.out / "dates" / "vocabularies.json"),
    run=run,
    record="model seed settings torch parameters cpu_seconds",
    saved={name: f"dates/{name}.pt" for name in MODELS},
    table=of_runs(COLUMNS | PARAMETERS | CPU_SECONDS),
)


def luong_bilinear(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """Bilinear scores and GRU cells, as in the plain decoder."""
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, SIZE // 2)
    return Seq2Seq(encoder, LuongDecoder(target_vocab_size, EMBEDDING_SIZE, SIZE, SIZE, BilinearScorer(SIZE, SIZE)))


CHECKPOINTS = {"bahdanau_dates": bahdanau, "luong_dates": luong_bilinear}
CHECKPOINT_SEED = 2


def save_checkpoints(settings: dict, options: argparse.Namespace) -> None:
    """Trains the models and writes them where learners' exercises find them."""
    checkpoints.DIRECTORY = options.out
    dates = prepare(settings, checkpoints.DIRECTORY / "dates.json")
    for name, build in CHECKPOINTS.items():
        model, _, match = trained(build, CHECKPOINT_SEED, settings, dates, settings["checkpoint_steps"], name)
        path = checkpoints.save(name, model.state_dict())
        print(f"{name}: {match:.1%} of {len(dates.sets['test'])} dates right, {path.stat().st_size / 1000:.0f} kB")


DATES_CHECKPOINTS = Measurement(
    name="dates_checkpoints",
    title="The small date models whose weights learners load into their own decoders.",
    settings=SETTINGS | {"checkpoint_steps": 800},
    quick={"training_pairs": 200, "test_pairs": 10, "checkpoint_steps": 3},
    folder=checkpoints.DIRECTORY,
    measure=save_checkpoints,
)
