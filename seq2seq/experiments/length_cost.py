"""The cost of a training step by source length and batch size.

    python -m seq2seq.experiments length_cost    # a minute or two on one core

The number of decoder steps grows with the target length, and that of scores with source times target length.
Seconds are the median CPU time of forward and backward, on one thread; they depend on the machine.
"""

import argparse
import statistics
import time

import torch

from seq2seq.batch import Batch, length_mask
from seq2seq.experiments.cost import cpu_seconds
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.recipe import MODELS, build
from seq2seq.experiments.tables import markdown
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss
from seq2seq.vocab import BOS, EOS, SPECIALS

SETTINGS: dict = {
    "vocabulary_size": 1000,
    "lengths": [5, 10, 20, 40, 80, 160],
    "batch_size": 10,
    "batch_sizes": [1, 2, 5, 10, 20, 40, 80],
    "length": 40,
    "runs": 7,
}


def random_batch(batch_size: int, length: int, vocabulary_size: int) -> Batch:
    """Random words, no padding; sources of `length` words, targets of the same length including EOS."""
    source = torch.randint(len(SPECIALS), vocabulary_size, (batch_size, length))
    target = torch.randint(len(SPECIALS), vocabulary_size, (batch_size, length - 1))
    lengths = torch.full((batch_size,), length)
    mask = length_mask(lengths, length)
    bos, eos = (torch.full((batch_size, 1), mark) for mark in (BOS, EOS))
    return Batch(source, lengths, mask, torch.cat([bos, target], 1), torch.cat([target, eos], 1), mask)


def measure(model: Seq2Seq, batch_size: int, length: int, settings: dict) -> dict[str, float]:
    batch = random_batch(batch_size, length, settings["vocabulary_size"])

    def step() -> None:
        model.zero_grad(set_to_none=True)
        forced_loss(model, batch, 0.0).backward()

    seconds = statistics.median(cpu_seconds(step, settings["runs"]))
    return {
        "length": length,
        "batch_size": batch_size,
        "seconds": round(seconds, 5),
        "tokens_per_second": round(batch.target_tokens / seconds),
    }


def table(report: dict) -> str:
    """Target tokens per second, with a column for each length and then for each batch size."""
    settings = report["settings"]
    heads = [f"{length} words" for length in settings["lengths"]]
    heads += [f"{size} sentences" for size in settings["batch_sizes"]]
    rows = [
        [name, *(f"{row['tokens_per_second']:,}" for row in entry["by_length"] + entry["by_batch_size"])]
        for name, entry in report["models"].items()
    ]
    return markdown(["model", *heads], rows)


def measure_all(settings: dict, options: argparse.Namespace) -> dict:
    started = time.process_time()
    models = {}
    for name in MODELS:
        torch.manual_seed(0)
        model = build(name, settings["vocabulary_size"], settings["vocabulary_size"])
        models[name] = {
            "by_length": [measure(model, settings["batch_size"], length, settings) for length in settings["lengths"]],
            "by_batch_size": [measure(model, size, settings["length"], settings) for size in settings["batch_sizes"]],
        }
    seconds = round(time.process_time() - started, 1)
    return {"settings": settings, "torch": torch.__version__, "threads": 1, "models": models, "cpu_seconds": seconds}


LENGTH_COST = Measurement(
    name="length_cost",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"lengths": [3, 5], "batch_sizes": [1, 2], "length": 4, "runs": 1},
    measure=measure_all,
    table=table,
)
