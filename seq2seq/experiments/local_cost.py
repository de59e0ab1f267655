"""The cost of local and global attention: time and memory by source length and batch size.

    python -m seq2seq.experiments local_cost    # about two minutes on one core

A target of fixed length attends to sources of growing length: all target words at once, as in training, or one word,
as in a decoder step.
Local attention is computed in two ways: masked, which scores every key, and gathered, which fetches the window first.
Time is the minimum CPU time of several runs of forward and backward, on one thread; it depends on the machine.
Memory is what autograd keeps between forward and backward, in bytes; it is the same on every machine.
"""

import argparse
from collections.abc import Callable
from itertools import product

import torch
from torch import Tensor

from seq2seq.attention import Attention
from seq2seq.experiments.cost import kept_bytes, milliseconds
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.tables import markdown
from seq2seq.local.attention import attend_gathered, attend_masked, gaussian_window_softmax
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, DotScorer

SETTINGS: dict = {
    "lengths": [25, 50, 100, 200, 400, 800],
    "batches": [1, 4, 16, 64],
    "batch": 16,
    "length": 400,
    "queries": 25,
    "size": 128,
    "attention_size": 64,
    "half_width": 5,
}
SCORERS: dict[str, Callable[[int, int], Scorer]] = {  # from size and attention size
    "dot": lambda size, attention_size: DotScorer(),
    "additive": lambda size, attention_size: AdditiveScorer(size, size, attention_size),
}
LOCAL = {"local_masked": attend_masked, "local_gathered": attend_gathered}
KINDS = ("global", *LOCAL)


def contexts(
    kind: str, scorer: Scorer, queries: Tensor, projected: Tensor, states: Tensor, centres: Tensor, half_width: int
) -> Tensor:
    """The contexts of all queries by one of KINDS; sources have no padding, so every key is a real token."""
    mask = torch.ones(states.shape[:2], dtype=torch.bool, device=states.device)
    if kind == "global":
        return Attention(scorer).forward_all(queries, projected, states, mask)[0]
    return LOCAL[kind](gaussian_window_softmax, scorer, queries, projected, states, mask, centres, half_width)[0]


def measure(kind: str, scorer_name: str, batch: int, length: int, queries: int, settings: dict, runs: int) -> dict:
    """Milliseconds of forward and backward, and the bytes kept; keys are projected beforehand, once per sentence."""
    torch.manual_seed(0)
    scorer = SCORERS[scorer_name](settings["size"], settings["attention_size"])
    states = torch.randn(batch, length, settings["size"], requires_grad=True)
    asked = torch.randn(batch, queries, settings["size"], requires_grad=True)
    centres = (length * torch.rand(batch, queries)).requires_grad_()
    projected = scorer.project_keys(states).detach().requires_grad_()

    def compute() -> Tensor:
        return contexts(kind, scorer, asked, projected, states, centres, settings["half_width"])

    return {
        "milliseconds": milliseconds(compute, runs),
        "kept_bytes": kept_bytes(compute, [states, asked, centres, projected, *scorer.parameters()]),
    }


def table(report: dict) -> str:
    """Milliseconds by source length: a row per scorer, kind of attention and number of queries."""
    lengths = report["settings"]["lengths"]
    rows: list[list] = []
    for scorer, kind, queries in product(SCORERS, KINDS, (1, report["settings"]["queries"])):
        entries = report[scorer][kind][f"by_length_{queries}"]
        cells = [f"{entry['milliseconds']:.2f}" for entry in entries]
        rows.append([scorer, kind, queries, *cells, f"{entries[-1]['kept_bytes'] / 1e6:.1f}"])
    return markdown(["scorer", "attention", "queries", *map(str, lengths), "MB at the longest"], rows)


def measure_all(settings: dict, options: argparse.Namespace) -> dict:
    runs = 1 if options.quick else 7
    report: dict = {"settings": settings, "torch": torch.__version__, "threads": 1, "seed": 0}
    for scorer, kind, queries in product(SCORERS, KINDS, (1, settings["queries"])):
        entry = report.setdefault(scorer, {}).setdefault(kind, {})
        entry[f"by_length_{queries}"] = [
            measure(kind, scorer, settings["batch"], length, queries, settings, runs) for length in settings["lengths"]
        ]
        entry[f"by_batch_{queries}"] = [
            measure(kind, scorer, batch, settings["length"], queries, settings, runs) for batch in settings["batches"]
        ]
    return report


LOCAL_COST = Measurement(
    name="local_cost",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"lengths": [12, 25], "batches": [1, 2], "batch": 2, "length": 25},
    measure=measure_all,
    table=table,
)
