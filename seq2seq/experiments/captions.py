"""Captions of drawn pictures: exact match, and whether attention points at the object that a word names.

    python -m seq2seq.experiments captions    # 6 models × 3 seeds, about three minutes on one core each

Training pictures have 2 to 4 shapes; no model has seen 5.
Soft, soft with the doubly stochastic penalty, and hard attention are those of Xu et al. (2015), in Luong's wiring.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from seq2seq.beyond.captioning import Captioner, DoublyStochasticLoss, DrawingBatches, PictureEncoder, pointing_accuracy
from seq2seq.beyond.captioning import collate_drawings as collate
from seq2seq.corpora.drawings import COLOURS, FORMS, Drawing, drawings
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.experiments.experiment import minutes
from seq2seq.experiments.recipe import RESULTS, with_weights
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, mean, tabulate
from seq2seq.experiments.trained import train_model
from seq2seq.losses.hard import BestPositionsLoss, ScoreFunctionLoss
from seq2seq.metrics import exact_match
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary(["a", "above", "below", "left", "of", *COLOURS, *FORMS])
EMBEDDING_SIZE, STATE_SIZE, HIDDEN_SIZE = 32, 64, 64
SETTINGS: dict = {
    "training_drawings": 20_000,
    "training_shapes": [2, 4],
    "training_seed": 1,
    "test_drawings": 200,  # per number of shapes
    "test_shapes": [2, 3, 4, 5],
    "test_seed": 1001,
    "drawings_per_batch": 32,
    "learning_rate": 5e-3,
    "warmup_steps": 100,
    "betas": [0.9, 0.98],
    "clip": 0.3,
    "minutes": 3.0,
    "threads": 1,
}


class Variant(NamedTuple):
    """A decoder, its training loss, and the number of steps one core does in a minute."""

    build: Callable[[], Decoder]
    loss: Callable
    steps_per_minute: int


def attentive(kind: type[LuongDecoder]) -> Callable[[], Decoder]:
    def build() -> Decoder:
        scorer = AdditiveScorer(HIDDEN_SIZE, STATE_SIZE, HIDDEN_SIZE)
        return kind(len(VOCAB), EMBEDDING_SIZE, HIDDEN_SIZE, STATE_SIZE, scorer, cell="lstm")

    return build


def without_attention() -> Decoder:
    return EveryStepDecoder(len(VOCAB), EMBEDDING_SIZE, HIDDEN_SIZE, STATE_SIZE, cell="lstm")


VARIANTS = {
    "no_attention": Variant(without_attention, forced_loss, 2300),
    "soft": Variant(attentive(LuongDecoder), forced_loss, 2200),
    "doubly_stochastic": Variant(attentive(LuongDecoder), DoublyStochasticLoss(1.0), 2200),
    "doubly_stochastic_0.01": Variant(attentive(LuongDecoder), DoublyStochasticLoss(0.01), 2200),
    "score_function": Variant(attentive(HardAttentionDecoder), ScoreFunctionLoss(), 1500),
    "best_positions": Variant(attentive(MarginalAttentionDecoder), BestPositionsLoss(), 1700),
}


def build(name: str) -> Captioner:
    """An untrained model by name; call ``torch.manual_seed`` first."""
    return Captioner(PictureEncoder(STATE_SIZE), VARIANTS[name].build())


def load_trained(name: str, folder: Path = RESULTS / "captions") -> Captioner:
    """A trained captioner, in evaluation mode; its vocabulary is VOCAB."""
    return with_weights(build(name), folder / f"{name}.pt")


def draw_test_sets(settings: dict, training: Sequence[Drawing]) -> dict[str, list[Drawing]]:
    """Drawings for each number of shapes, none with the layout of a training drawing."""
    layouts = {_layout(drawing) for drawing in training}
    sets = {}
    for count in settings["test_shapes"]:
        drawn = drawings(2 * settings["test_drawings"], settings["test_seed"] + count, (count, count))
        fresh = [drawing for drawing in drawn if _layout(drawing) not in layouts]
        sets[f"{count}"] = fresh[: settings["test_drawings"]]
    return sets


def _layout(drawing: Drawing) -> tuple:
    return tuple((shape.colour, shape.form, shape.region) for shape in drawing.shapes)


@torch.no_grad()
def evaluate(model: Captioner, sets: dict[str, list[Drawing]]) -> dict[str, dict[str, float]]:
    """Exact match of greedy captions and, with attention, pointing accuracy, for each number of shapes."""
    model.eval()
    scores: dict[str, dict[str, float]] = {"exact_match": {}, "pointing_accuracy": {}}
    for name, drawn in sets.items():
        batch = collate(drawn, VOCAB)
        ids, _ = greedy(model, batch.source, batch.source_lengths, max_length=2 * batch.target_in.size(1))
        captions = [VOCAB.decode(row) for row in ids.tolist()]
        scores["exact_match"][name] = round(exact_match(captions, [drawing.caption for drawing in drawn]), 4)
        _, weights = model(batch.source, batch.source_lengths, batch.target_in)
        if weights is not None:
            scores["pointing_accuracy"][name] = round(pointing_accuracy(weights, drawn), 4)
    return scores


class Data(NamedTuple):
    training: list[Drawing]
    sets: dict[str, list[Drawing]]


def data(settings: dict, options: argparse.Namespace) -> Data:
    training = drawings(settings["training_drawings"], settings["training_seed"], tuple(settings["training_shapes"]))
    return Data(training, draw_test_sets(settings, training))


def run(name: str, seed: int, settings: dict, data: Data) -> tuple[Captioner, dict]:
    """Train and test one model from one seed."""
    model, entries = train_model(
        lambda: build(name),
        lambda order: DrawingBatches(data.training, VOCAB, settings["drawings_per_batch"], order),
        seed,
        settings,
        description=name,
        steps=max(1, round(settings["minutes"] * VARIANTS[name].steps_per_minute)),
        loss=VARIANTS[name].loss,
    )
    started = time.process_time()
    scores = evaluate(model, data.sets)
    return model, entries | {"test_cpu_seconds": round(time.process_time() - started, 1)} | scores


def table(report: dict) -> str:
    """Means over the seeds, by number of shapes."""
    first = next(iter(report["models"].values()))[0]
    columns = {
        f"{head}, {shapes}": mean(".3f", metric, shapes)
        for head, metric in (("exact match", "exact_match"), ("pointing", "pointing_accuracy"))
        for shapes in first["exact_match"]
    }
    return tabulate(("model",), columns | CPU_SECONDS, report["models"])


CAPTIONS = Runs(
    name="captions",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"minutes": 0.002, "training_drawings": 100, "test_drawings": 5},
    asked=lambda options: {"minutes": options.minutes} if options.minutes else {},
    options={"--minutes": {"type": minutes, "help": "minutes of one core per run (default: 3)"}},
    seeds=3,
    models=VARIANTS,
    data=data,
    run=run,
    record="model seed settings torch parameters steps target_tokens cpu_seconds test_cpu_seconds training_loss",
    choices={"model": None},
    saved={name: f"captions/{name}.pt" for name in ("soft", "best_positions")},
    table=table,
)
