"""Adding and multiplying two numbers of a long sequence: attention against the mean, after Raffel & Ellis (2015).

    python -m seq2seq.experiments.long_memory                          # 50 to 1000 steps: about ten minutes on one core
    python -m seq2seq.experiments.long_memory --lengths 5000 10000     # for a GPU; keeps the other lengths
    python -m seq2seq.experiments.long_memory --quick                  # a smoke test, results in a temporary folder

The network, the batch of 100, Adam and the criterion are the paper's: an answer is right if it is off by less than
.04, and the task is solved when all 1000 test sequences are right.
Three things differ.
Padding is excluded from mean and attention; the authors' code averages over it.
We test after every 100 updates, they after every epoch of 1000.
They take the best of four learning rates for each figure; we use .01, and a second one only in RATES.
"""

import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import torch
from torch import Tensor

from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, FeedForwardNetwork, Mean
from seq2seq.corpora.long_memory import MarkedSequences, adding, multiplication
from seq2seq.device import choose_device, device_name
from seq2seq.experiments.command_line import add_seeds, is_done, parse, parser_with_show, read, write

COMMAND = "python -m seq2seq.experiments.long_memory"
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


def settings_of(length: int, rate: float | None, settings: dict) -> dict:
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


def run(task: str, pooling: str, length: int, seed: int, settings: dict, device: torch.device) -> dict:
    """Train until the task is solved or the updates are used up."""
    torch.manual_seed(seed)
    network = FeedForwardNetwork(POOLINGS[pooling](settings["size"]), size=settings["size"]).to(device)
    fused = device.type != "mps"
    optimiser = torch.optim.Adam(network.parameters(), lr=settings["learning_rate"], fused=fused)
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
    return {
        "task": task,
        "pooling": pooling,
        "length": length,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "device": device_name(device),
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "solved_after": update if 1.0 in scores else None,
        "updates": update,
        "best_accuracy": max(scores, default=0.0),
        "accuracies": scores,
        "weight_on_marked": round(weight_on_marked(network, test), 4),
        "cpu_seconds": round(time.process_time() - started, 1),
    }


def collect(out: Path, settings: dict) -> list[dict]:
    """All runs in one file: those already in it, perhaps from other machines, and the new ones."""
    path = out / "long_memory.json"
    runs = read(path)["runs"] if path.exists() else []
    runs += [read(file) for file in sorted((out / "long_memory").glob("*.json"))]
    kept = {}
    for run in runs:
        rate = run["settings"].get("learning_rate")
        if run["settings"] == settings_of(run["length"], rate, settings):
            kept[run["task"], run["length"], run["pooling"], run["seed"], rate] = run
    runs = [kept[key] for key in sorted(kept)]
    report = {"command": COMMAND, "settings": settings, "published_epochs": PUBLISHED, "runs": runs}
    write(path, report)
    return runs


def best_rates(runs: list[dict]) -> list[dict]:
    """Of the runs that differ only in the learning rate the best, as in the paper: solved first, or the most right."""
    best: dict[tuple, dict] = {}
    for run in sorted(runs, key=lambda run: (run["solved_after"] or float("inf"), -run["best_accuracy"])):
        best.setdefault((run["task"], run["length"], run["pooling"], run["seed"]), run)
    return [best[key] for key in sorted(best)]


def table(runs: list[dict]) -> str:
    """A row for each task, length and pooling: the published epochs beside our updates, in thousands."""
    runs = best_rates(runs)
    lines = [
        "| task | length | pooling | published epochs | our thousands of updates | best accuracy | weight on the two | "
        "CPU seconds |",
        "|---" * 8 + "|",
    ]
    for task, length, pooling in dict.fromkeys((run["task"], run["length"], run["pooling"]) for run in runs):
        ours = [run for run in runs if (run["task"], run["length"], run["pooling"]) == (task, length, pooling)]
        solved = [run["solved_after"] for run in ours]
        updates = " ".join(
            f"> {run['updates'] / 1000:.1f}" if n is None else f"{n / 1000:.1f}"
            for run, n in zip(ours, solved, strict=True)
        )
        best = " ".join(f"{100 * run['best_accuracy']:.1f}%" for run in ours)
        share = sum(run["weight_on_marked"] for run in ours) / len(ours)
        seconds = sum(run["cpu_seconds"] for run in ours) / len(ours)
        published = PUBLISHED[task][pooling].get(length, "–")
        lines.append(
            f"| {task} | {length} | {pooling} | {published} | {updates} | {best} | {share:.4f} | {seconds:.0f} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    options_parser.add_argument("--lengths", nargs="+", type=int, default=ON_A_CPU, choices=UPDATES)
    options_parser.add_argument("--tasks", nargs="+", default=list(TASKS), choices=TASKS)
    add_seeds(options_parser, 1)
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "long_memory.json")["runs"]))
        return
    settings = SETTINGS | {"updates": {str(length): updates for length, updates in UPDATES.items()}}
    if options.quick:
        settings |= {"test_sequences": 50, "updates_between_tests": 2}
        settings |= {"updates": dict.fromkeys(settings["updates"], 4)}
    torch.set_num_threads(settings["threads"])
    folder = options.out / "long_memory"
    folder.mkdir(parents=True, exist_ok=True)
    device = choose_device() if max(options.lengths) > max(ON_A_CPU) else torch.device("cpu")
    cases = product(options.lengths, range(options.seeds), options.tasks, POOLINGS)
    for length, seed, task, pooling in cases:
        for rate in RATES.get((task, length), (SETTINGS["learning_rate"],)):
            own = settings_of(length, rate, settings)
            path = folder / f"{task}-{length}-{pooling}-{rate}-{seed}.json"
            if not is_done(path, own):
                write(path, run(task, pooling, length, seed, own, device))
                collect(options.out, settings)
    print(table(collect(options.out, settings)))


if __name__ == "__main__":
    main()
