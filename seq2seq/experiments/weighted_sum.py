"""Times three implementations of the weighted sum: a loop over sentences and keys, a loop over keys, one product.

    python -m seq2seq.experiments weighted_sum    # about a minute

All three get the same tensors, run once before timing starts, and must agree before any of them is timed.
The time is CPU time on one thread, the median over repeats; with and without the backward pass.
"""

import argparse
import json
import statistics
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from seq2seq.attention import weighted_sum, weighted_sum_loop
from seq2seq.experiments.cost import cpu_seconds
from seq2seq.experiments.experiment import Measurement

BATCH, VALUE_SIZE = 32, 256


def weighted_sum_by_key(weights: Tensor, values: Tensor) -> Tensor:
    """A loop over the keys only: each iteration adds one key of all sentences."""
    context = torch.zeros_like(values[:, 0])
    for j in range(values.size(1)):
        context = context + weights[:, j : j + 1] * values[:, j]
    return context


WAYS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "loop": weighted_sum_loop,
    "by_key": weighted_sum_by_key,
    "bmm": weighted_sum,
}


def draw(keys: int) -> tuple[Tensor, Tensor]:
    """Random weights and values for one size; both require gradients."""
    generator = torch.Generator().manual_seed(keys)
    weights = torch.softmax(torch.randn(BATCH, keys, generator=generator), -1)
    values = torch.randn(BATCH, keys, VALUE_SIZE, generator=generator)
    return weights.requires_grad_(), values.requires_grad_()


def forward(way: Callable, weights: Tensor, values: Tensor) -> None:
    with torch.no_grad():
        way(weights, values)


def forward_and_backward(way: Callable, weights: Tensor, values: Tensor) -> tuple[Tensor, ...]:
    return torch.autograd.grad(way(weights, values).sum(), [weights, values])


def measure(keys: int, repeats: dict[str, int]) -> dict[str, dict[str, float]]:
    """Milliseconds of each implementation for one number of keys.

    Raises:
        AssertionError: two implementations disagree.
    """
    weights, values = draw(keys)
    for way in WAYS.values():
        torch.testing.assert_close(way(weights, values), weighted_sum(weights, values))
    measured: dict[str, dict[str, float]] = {}
    for name, way in WAYS.items():
        passes = {"forward": forward, "forward_and_backward": forward_and_backward}
        for label, run in passes.items():
            seconds = statistics.median(cpu_seconds(partial(run, way, weights, values), repeats[name]))
            measured.setdefault(label, {})[name] = float(f"{1000 * seconds:.3g}")
    return measured


def measure_all(settings: dict, options: argparse.Namespace) -> dict:
    return {
        "batch": BATCH,
        "value_size": VALUE_SIZE,
        "threads": 1,
        "torch": torch.__version__,
        "repeats": settings["repeats"],
        "milliseconds": {str(keys): measure(keys, settings["repeats"]) for keys in settings["keys"]},
    }


WEIGHTED_SUM = Measurement(
    name="weighted_sum",
    title=__doc__.splitlines()[0],
    settings={"keys": [5, 10, 20, 50, 100], "repeats": {"loop": 7, "by_key": 51, "bmm": 201}},
    quick={"keys": [3, 5], "repeats": {"loop": 2, "by_key": 2, "bmm": 2}},
    measure=measure_all,
    table=lambda report: json.dumps(report["milliseconds"], indent=1),
)
