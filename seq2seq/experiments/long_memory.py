"""Adding and multiplying two numbers of a long sequence: attention against the mean, after Raffel & Ellis (2015).

    python -m seq2seq.experiments long_memory                         # 50 to 1000 steps: about ten minutes on one core
    python -m seq2seq.experiments long_memory --lengths 5000 10000    # for a GPU; keeps the other lengths

The network, the batch of 100, Adam and the criterion are the paper's: an answer is right if it is off by less than
.04, and the task is solved when all 1000 test sequences are right.
Three things differ.
Padding is excluded from mean and attention; the authors' code averages over it.
We test after every 100 updates, they after every epoch of 1000.
They take the best of four learning rates for each figure; we use .01, and a second one only in RATES.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import torch
from torch import Tensor

from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, FeedForwardNetwork, Mean
from seq2seq.corpora.long_memory import MarkedSequences, adding, multiplication
from seq2seq.device import choose_device, device_name
from seq2seq.experiments.runs import Cell, Runs, listed
from seq2seq.experiments.tables import CPU_SECONDS, MISSING, each, mean, tabulate
from seq2seq.experiments.trained import CPU, of_model

TASKS: dict[str, Callable[[int, int, torch.Generator], MarkedSequences]] = {
    "adding": adding,
    "multiplication": multiplication,
}
POOLINGS: dict[str, Callable[[int], FeedForwardAttention | Mean]] = {
    "attention": FeedForwardAttention,
    "mean": lambda size: Mean(),
}
UPDATES = {50: 6000, 100: 5000, 500: 2000, 1000: 1600, 5000: 20_000, 10_000: 20_000}  # at most
RATES = {("adding", 10_000): (0.01, 0.003)}  # where the one of all others, .01, is too high
ON_A_CPU = (50, 100, 500, 1000)
# Raffel & Ellis (2015, table 1): epochs of 1000 updates until all are right, or the share right after 100 epochs.
PUBLISHED = {
    "adding": {
        "attention": {50: "1", 100: "1", 500: "1", 1000: "1", 5000: "2", 10_000: "3"},
        "mean": {50: "1", 100: "1", 500: "1", 1000: "2", 5000: "8", 10_000: "17"},
    },
    "multiplication": {
        "attention": {50: "1", 100: "2", 500: "4", 1000: "2", 5000: "15", 10_000: "6"},
        "mean": {50: "2", 100: "2", 500: "8", 1000: "33", 5000: "89.8%", 10_000: "80.8%"},
    },
}
SETTINGS: dict = {
    "size": 100,
    "batch": 100,
    "test_sequences": 1000,
    "test_seed": 1001,
    "tolerance": 0.04,
    "updates_between_tests": 100,
    "learning_rate": 0.01,  # but for RATES
    "threads": 1,
}
_STEPS_AT_ONCE = 5500  # states and gradients of as many steps fit into a core's cache


def settings_of(length: int, rate: float, settings: dict) -> dict:
    """The settings of one run: those of all, with its own learning rate and number of updates."""
    return settings | {"learning_rate": rate, "updates": settings["updates"][str(length)]}


def in_parts(sequences: MarkedSequences) -> list[MarkedSequences]:
    """The batch cut into parts whose states fit into a core's cache: the same sum of gradients, up to 3 × as fast."""
    rows = max(1, _STEPS_AT_ONCE // sequences.inputs.size(1))
    if sequences.inputs.is_cuda:
        rows = max(rows, 100)
    parts = zip(*(tensor.split(rows) for tensor in sequences), strict=True)
    return [MarkedSequences(*part) for part in parts]


def gradients(network: FeedForwardNetwork, sequences: MarkedSequences) -> Tensor:
    """The mean squared error of a batch; its gradients are added to those of the network."""
    total = sequences.targets.new_zeros(())
    for inputs, mask, targets in in_parts(sequences):
        outputs, _ = network(inputs, mask)
        loss = (outputs - targets).square().sum() / len(sequences.targets)
        loss.backward()
        total += loss.detach()
    return total


@torch.no_grad()
def accuracy(network: FeedForwardNetwork, sequences: MarkedSequences, tolerance: float) -> float:
    """The share of sequences whose answer is off by less than the tolerance."""
    outputs = torch.cat([network(inputs, mask)[0] for inputs, mask, _ in in_parts(sequences)])
    return ((outputs - sequences.targets).abs() < tolerance).double().mean().item()


@torch.no_grad()
def weight_on_marked(network: FeedForwardNetwork, sequences: MarkedSequences) -> float:
    """The mean share of the weights on the two marked steps."""
    shares = []
    for inputs, mask, _ in in_parts(sequences):
        _, weights = network(inputs, mask)
        shares.append((weights * (inputs[..., 1] == 1)).sum(dim=1))
    return torch.cat(shares).mean().item()


def run(
    task: str, length: int, pooling: str, rate: float, seed: int, settings: dict, device: torch.device
) -> tuple[FeedForwardNetwork, dict]:
    """Train until the task is solved or the updates are used up."""
    torch.manual_seed(seed)
    network = FeedForwardNetwork(POOLINGS[pooling](settings["size"]), size=settings["size"]).to(device)
    fused = device.type != "mps"
    optimiser = torch.optim.Adam(network.parameters(), lr=rate, fused=fused)
    draw = torch.Generator(device).manual_seed(seed)
    test = TASKS[task](settings["test_sequences"], length, torch.Generator(device).manual_seed(settings["test_seed"]))
    scores: list[float] = []
    update, started = 0, time.process_time()
    while update < settings["updates"] and 1.0 not in scores:
        update += 1
        optimiser.zero_grad()
        gradients(network, TASKS[task](settings["batch"], length, draw))
        optimiser.step()
        if update % settings["updates_between_tests"] == 0:
            scores.append(round(accuracy(network, test, settings["tolerance"]), 4))
    return network, of_model(network) | {
        "device": device_name(device),
        "solved_after": update if 1.0 in scores else None,
        "updates": update,
        "best_accuracy": max(scores, default=0.0),
        "accuracies": scores,
        "weight_on_marked": round(weight_on_marked(network, test), 4),
        "cpu_seconds": round(time.process_time() - started, 1),
    }


def best_rates(runs: list[dict]) -> list[dict]:
    """Of the runs that differ only in the learning rate the best, as in the paper: solved first, or the most right."""
    best: dict[tuple, dict] = {}
    for run in sorted(runs, key=lambda run: (run["solved_after"] or float("inf"), -run["best_accuracy"])):
        best.setdefault((run["task"], run["length"], run["pooling"], run["seed"]), run)
    return [best[key] for key in sorted(best)]


def updates_used(runs: list[dict]) -> str:
    return " ".join(
        f"> {run['updates'] / 1000:.1f}" if run["solved_after"] is None else f"{run['solved_after'] / 1000:.1f}"
        for run in runs
    )


def published(runs: list[dict]) -> str:
    task, pooling, length = (runs[0][entry] for entry in ("task", "pooling", "length"))
    return PUBLISHED[task][pooling].get(length, MISSING)


COLUMNS = {
    "published epochs": published,
    "our thousands of updates": updates_used,
    "best accuracy": each(".1%", "best_accuracy"),
    "weight on the two": mean(".4f", "weight_on_marked"),
}


def table(report: dict) -> str:
    """A row for each task, length and pooling: the published epochs beside our updates, in thousands."""
    rows: dict[tuple, list[dict]] = {}
    for run in best_rates(report["runs"]):
        rows.setdefault((run["task"], run["length"], run["pooling"]), []).append(run)
    return tabulate(("task", "length", "pooling"), COLUMNS | CPU_SECONDS, rows)


def cells(rates: Mapping[tuple[str, int], Sequence[float]] = RATES) -> list[Cell]:
    """Every task, length, pooling and learning rate, in the order of the report."""
    usual = (SETTINGS["learning_rate"],)
    cases = product(TASKS, UPDATES, POOLINGS)
    return [(*case, rate) for case in cases for rate in sorted(rates.get(case[:2], usual))]


def device_for(settings: dict, options: argparse.Namespace) -> torch.device:
    return choose_device() if max(options.lengths or ON_A_CPU) > max(ON_A_CPU) else CPU


LONG_MEMORY = Runs(
    name="long_memory",
    title=__doc__.splitlines()[0],
    settings=SETTINGS | {"updates": {str(length): updates for length, updates in UPDATES.items()}},
    quick={
        "test_sequences": 50,
        "updates_between_tests": 2,
        "updates": dict.fromkeys(map(str, UPDATES), 4),
    },
    seeds=1,
    models=cells(),
    data=device_for,
    settings_of=lambda cell, settings: settings_of(cell[1], cell[3], settings),
    run=run,
    record="task pooling length seed settings torch device parameters solved_after updates best_accuracy accuracies "
    "weight_on_marked cpu_seconds",
    by=("task", "length", "pooling", "learning_rate"),
    choices={"length": ON_A_CPU, "task": None},
    head=lambda settings, data: {"published_epochs": PUBLISHED},
    under="runs",
    lay_out=listed,
    table=table,
)
