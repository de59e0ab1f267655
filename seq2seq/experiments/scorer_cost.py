"""The cost of each scorer: time and memory of scores and their gradients, by sentence length and vector size.

    python -m seq2seq.experiments scorer_cost    # about a minute on one core

Time is the minimum CPU time of several runs of forward and backward, on one thread; it depends on the machine.
Memory is what autograd keeps between forward and backward, in bytes; it is the same on every machine.
"""

import argparse
from collections.abc import Callable

import torch
from torch import Tensor

from seq2seq.experiments.cost import kept_bytes, milliseconds
from seq2seq.experiments.experiment import Measurement
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, LocationScorer, ScaledDotScorer

SETTINGS: dict = {
    "batch": 16,
    "length": 32,
    "size": 128,
    "lengths": [8, 16, 32, 64, 128],
    "sizes": [32, 64, 128, 256, 512],
}
SCORERS: dict[str, Callable[[int, int], Scorer]] = {  # from size and number of keys
    "dot": lambda size, keys: DotScorer(),
    "scaled_dot": lambda size, keys: ScaledDotScorer(),
    "bilinear": lambda size, keys: BilinearScorer(size, size),
    "additive": lambda size, keys: AdditiveScorer(size, size, size),
    "location": lambda size, keys: LocationScorer(size, keys),
}


def all_scores(scorer: Scorer, queries: Tensor, keys: Tensor) -> Tensor:
    """The scores of every query, with keys projected once: (batch, queries, keys)."""
    return scorer.score_all(queries, scorer.project_keys(keys))


def looped_scores(scorer: Scorer, queries: Tensor, keys: Tensor, keys_once: bool) -> Tensor:
    """The same, one query at a time, as in a decoder step; the keys are projected once, or again for every query."""
    projected = scorer.project_keys(keys)
    rows = [scorer.score(query, projected if keys_once else scorer.project_keys(keys)) for query in queries.unbind(1)]
    return torch.stack(rows, 1)


def measure(name: str, batch: int, length: int, size: int, runs: int) -> dict[str, float]:
    """Time and memory with as many queries as keys."""
    torch.manual_seed(0)
    scorer = SCORERS[name](size, length)
    queries = torch.randn(batch, length, size, requires_grad=True)
    keys = torch.randn(batch, length, size, requires_grad=True)
    return {
        "milliseconds": milliseconds(lambda: all_scores(scorer, queries, keys), runs),
        "kept_bytes": kept_bytes(lambda: all_scores(scorer, queries, keys), [queries, keys, *scorer.parameters()]),
        "keys_once_milliseconds": milliseconds(lambda: looped_scores(scorer, queries, keys, True), runs),
        "keys_anew_milliseconds": milliseconds(lambda: looped_scores(scorer, queries, keys, False), runs),
    }


def measure_all(settings: dict, options: argparse.Namespace) -> dict:
    runs = 1 if options.quick else 7
    batch, length, size = settings["batch"], settings["length"], settings["size"]
    report: dict = {"settings": settings, "torch": torch.__version__, "threads": 1}
    for name in SCORERS:
        report[name] = {
            "by_length": [measure(name, batch, other, size, runs) for other in settings["lengths"]],
            "by_size": [measure(name, batch, length, other, runs) for other in settings["sizes"]],
        }
    return report


SCORER_COST = Measurement(
    name="scorer_cost",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"lengths": [4, 8], "sizes": [4, 8]},
    measure=measure_all,
    table=lambda report: "\n".join(
        f"{name} {[entry['milliseconds'] for entry in report[name]['by_length']]}" for name in SCORERS
    ),
)
