"""Captions of drawn pictures: exact match, and whether attention points at the object that a word names.

    python -m seq2seq.experiments.captions            # 6 models × 3 seeds, about three minutes on one core each
    python -m seq2seq.experiments.captions --quick    # a smoke test of a few seconds, results in a temporary folder
    python -m seq2seq.experiments.captions --show     # the table of existing results

Training pictures have 2 to 4 shapes; no model has seen 5.
Soft, soft with the doubly stochastic penalty, and hard attention are those of Xu et al. (2015), in Luong's wiring.
"""

import json
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
from seq2seq.experiments.command_line import add_seeds, is_done, parse, parser_with_show, read, write
from seq2seq.experiments.recipe import RESULTS
from seq2seq.losses.hard import BestPositionsLoss, ScoreFunctionLoss
from seq2seq.metrics import exact_match
from seq2seq.scorers import AdditiveScorer
from seq2seq.search import greedy
from seq2seq.training import forced_loss, load_checkpoint, save_checkpoint, train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.captions"
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
KEPT = ("soft", "best_positions")


def build(name: str) -> Captioner:
    """An untrained model by name; call ``torch.manual_seed`` first."""
    return Captioner(PictureEncoder(STATE_SIZE), VARIANTS[name].build())


def load_trained(name: str, folder: Path = RESULTS / "captions") -> Captioner:
    """A trained captioner, in evaluation mode; its vocabulary is VOCAB."""
    model = build(name)
    load_checkpoint(folder / f"{name}.pt", model)
    return model.eval()


def draw_test_sets(settings: dict, training: Sequence[Drawing]) -> dict[str, list[Drawing]]:
    """Drawings for each number of shapes, none with the layout of a training drawing."""
    seen = {_layout(drawing) for drawing in training}
    sets = {}
    for count in settings["test_shapes"]:
        drawn = drawings(2 * settings["test_drawings"], settings["test_seed"] + count, (count, count))
        fresh = [drawing for drawing in drawn if _layout(drawing) not in seen]
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


def run(name: str, seed: int, settings: dict) -> tuple[dict, Captioner]:
    """Train and test one model from one seed; returns its record and the model."""
    variant = VARIANTS[name]
    training = drawings(settings["training_drawings"], settings["training_seed"], tuple(settings["training_shapes"]))
    torch.manual_seed(seed)
    model = build(name)
    generator = torch.Generator().manual_seed(seed)
    history = train(
        model,
        DrawingBatches(training, VOCAB, settings["drawings_per_batch"], generator),
        steps=max(1, round(settings["minutes"] * variant.steps_per_minute)),
        learning_rate=settings["learning_rate"],
        warmup_steps=settings["warmup_steps"],
        betas=tuple(settings["betas"]),
        clip=settings["clip"],
        loss=variant.loss,
        device="cpu",
        description=f"{name}, seed {seed}",
    )
    started = time.process_time()
    scores = evaluate(model, draw_test_sets(settings, training))
    record = {
        "model": name,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": history.steps,
        "target_tokens": history.tokens,
        "cpu_seconds": round(history.cpu_seconds, 1),
        "test_cpu_seconds": round(time.process_time() - started, 1),
        "training_loss": [round(part.mean().item(), 4) for part in torch.tensor(history.losses).chunk(20)],
        **scores,
    }
    return record, model


def table(models: dict[str, list[dict]]) -> str:
    """Means over the seeds, by number of shapes."""
    first = next(iter(models.values()))[0]
    counts = list(first["exact_match"])
    heads = [f"exact match, {count}" for count in counts] + [f"pointing, {count}" for count in counts]
    lines = ["| model | " + " | ".join(heads) + " | CPU seconds |", "|---" * (2 + len(heads)) + "|"]
    for name, runs in models.items():
        cells = []
        for metric in ("exact_match", "pointing_accuracy"):
            for count in counts:
                values = [run[metric][count] for run in runs if count in run[metric]]
                cells.append(f"{sum(values) / len(values):.3f}" if values else "–")
        seconds = sum(run["cpu_seconds"] for run in runs) / len(runs)
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {seconds:.0f} |")
    return "\n".join(lines)


def collect(out: Path, settings: dict) -> dict[str, list[dict]]:
    """All runs with these settings, by model, in one file: those already in it and the new ones."""
    path = out / "captions.json"
    before: dict = json.loads(path.read_text()) if path.exists() else {"settings": None}
    models = {}
    for name in VARIANTS:
        runs = before["models"].get(name, []) if before["settings"] == settings else []
        new = [json.loads(file.read_text()) for file in (out / "captions").glob(f"{name}-[0-9].json")]
        by_seed = {run["seed"]: run for run in runs + [run for run in new if run["settings"] == settings]}
        if by_seed:
            models[name] = [by_seed[seed] for seed in sorted(by_seed)]
    write(path, {"command": COMMAND, "settings": settings, "models": models})
    return models


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    options_parser.add_argument("--models", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    add_seeds(options_parser, 3)
    options_parser.add_argument("--minutes", type=float, help="minutes of one core per run (default: 3)")
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "captions.json")["models"]))
        return
    settings = SETTINGS | {"minutes": options.minutes or (0.002 if options.quick else SETTINGS["minutes"])}
    if options.quick:
        settings |= {"training_drawings": 100, "test_drawings": 5}
    torch.set_num_threads(settings["threads"])
    folder = options.out / "captions"
    folder.mkdir(exist_ok=True)
    for seed in range(options.seeds):
        for name in options.models:
            path = folder / f"{name}-{seed}.json"
            if is_done(path, settings):
                continue
            record, model = run(name, seed, settings)
            if seed == 0 and name in KEPT:
                save_checkpoint(folder / f"{name}.pt", model, torch.float16)
            write(path, record)
            collect(options.out, settings)
    print(table(collect(options.out, settings)))


if __name__ == "__main__":
    main()
