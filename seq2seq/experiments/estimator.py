r"""How far each estimate of hard attention's gradient is from the exact one, by the number of draws.

    python -m seq2seq.experiments estimator            # a few seconds; trains nothing
    python -m seq2seq.experiments estimator --quick    # fewer draws, results in a temporary folder

The problem is one word: positions with random scores and values, a context, and a small readout of it.
The gradient is that of the expected log-likelihood with respect to the scores, known exactly by enumeration.
An estimate has a bias, which no number of draws removes, and a spread, which falls with the square root of that number.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.tables import markdown
from seq2seq.hard.attention import (
    expected_log_likelihood,
    gumbel_softmax,
    masked_log_softmax,
    move_baseline,
    sample_choice,
    score_function_objective,
    straight_through,
    straight_through_gumbel,
)

SETTINGS: dict = {
    "positions": 8,
    "value_size": 6,
    "words": 20,
    "problems": 10,
    "draws": 16_384,
    "draws_per_estimate": [1, 4, 16, 64, 256, 1024],
    "threads": 1,
}


class Problem(NamedTuple):
    """One word to predict from one of a few positions.

    Shape:
        scores: (positions,)
        values: (positions, value_size)
        readout: (words, value_size)
        word: the true word
    """

    scores: Tensor
    values: Tensor
    readout: Tensor
    word: int

    def log_likelihood(self, choice: Tensor) -> Tensor:
        """That of the true word, if the context is the sum of values weighted by `choice`: (..., positions) → (...)."""
        logits = torch.tanh(choice @ self.values) @ self.readout.T
        return torch.log_softmax(logits, dim=-1)[..., self.word]


def draw_problem(seed: int, settings: dict) -> Problem:
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    positions, size = settings["positions"], settings["value_size"]
    return Problem(normal(positions), 2 * normal(positions, size), normal(settings["words"], size), word=0)


def exact_gradient(problem: Problem) -> Tensor:
    """The gradient of the expected log-likelihood with respect to the scores, by enumeration: (positions,)."""
    scores = problem.scores.clone().requires_grad_()
    every = torch.eye(scores.numel(), dtype=scores.dtype)
    bound = expected_log_likelihood(masked_log_softmax(scores, _all(scores)), problem.log_likelihood(every))
    return torch.autograd.grad(bound, scores)[0]


def _all(scores: Tensor) -> Tensor:
    return torch.ones_like(scores, dtype=torch.bool)


def by_score_function(problem: Problem, scores: Tensor, baseline: Callable[[Tensor], Tensor]) -> Tensor:
    """The objective of each draw: (draws, positions) → (draws,)."""
    log_weights = masked_log_softmax(scores, _all(scores))
    choice = sample_choice(log_weights.exp())
    log_likelihood = problem.log_likelihood(choice)
    return score_function_objective(log_likelihood, (choice * log_weights).sum(-1), baseline(log_likelihood))


def moving(log_likelihood: Tensor) -> Tensor:
    """The baseline for each draw, a moving average over the draws before it."""
    baseline, before = torch.zeros_like(log_likelihood[0]), []
    for drawn in log_likelihood:
        before.append(baseline)
        baseline = move_baseline(baseline, drawn)
    return torch.stack(before)


ESTIMATORS: dict[str, Callable[[Problem, Tensor], Tensor]] = {
    "score_function": lambda problem, scores: by_score_function(problem, scores, torch.zeros_like),
    "score_function_baseline": lambda problem, scores: by_score_function(problem, scores, moving),
    "straight_through": lambda problem, scores: problem.log_likelihood(straight_through(scores.softmax(-1))),
    "gumbel_1": lambda problem, scores: problem.log_likelihood(gumbel_softmax(scores, _all(scores), 1.0)),
    "gumbel_0.3": lambda problem, scores: problem.log_likelihood(gumbel_softmax(scores, _all(scores), 0.3)),
    "gumbel_0.1": lambda problem, scores: problem.log_likelihood(gumbel_softmax(scores, _all(scores), 0.1)),
    "straight_through_gumbel_1": lambda problem, scores: problem.log_likelihood(
        straight_through_gumbel(scores, _all(scores), 1.0)
    ),
}


def measure(name: str, problem: Problem, settings: dict) -> dict:
    """Bias, spread of one draw, and error by number of draws, all divided by the exact gradient's norm."""
    exact = exact_gradient(problem)
    scores = problem.scores.expand(settings["draws"], -1).clone().requires_grad_()
    (drawn,) = torch.autograd.grad(ESTIMATORS[name](problem, scores).sum(), scores)
    length = exact.norm()
    errors = {}
    for count in settings["draws_per_estimate"]:
        means = torch.stack([part.mean(0) for part in drawn.split(count) if len(part) == count])
        errors[str(count)] = ((means - exact).square().sum(-1).mean().sqrt() / length).item()
    spread = drawn.var(0).sum().sqrt() / length
    return {
        "bias": ((drawn.mean(0) - exact).norm() / length).item(),
        "bias_standard_error": (spread / settings["draws"] ** 0.5).item(),
        "spread": spread.item(),
        "error": errors,
    }


def summary(measured: list[dict]) -> dict:
    """The median of every number over the problems."""
    rounded = {
        name: round(statistics.median(each[name] for each in measured), 4)
        for name in ("bias", "bias_standard_error", "spread")
    }
    counts = measured[0]["error"]
    errors = {count: round(statistics.median(each["error"][count] for each in measured), 4) for count in counts}
    return rounded | {"error": errors}


def table(report: dict) -> str:
    counts = list(next(iter(report["estimators"].values()))["error"])
    heads = ["estimate", "bias", "(its standard error)", "spread", *(f"error, {count} draws" for count in counts)]
    rows = []
    for name, row in report["estimators"].items():
        numbers = [row["bias"], row["bias_standard_error"], row["spread"], *row["error"].values()]
        rows.append([name, *(f"{number:.3f}" for number in numbers)])
    return markdown(heads, rows)


def measure_all(settings: dict, options: argparse.Namespace) -> dict:
    started = time.process_time()
    torch.manual_seed(0)
    problems = [draw_problem(seed, settings) for seed in range(settings["problems"])]
    estimators = {name: summary([measure(name, problem, settings) for problem in problems]) for name in ESTIMATORS}
    return {
        "settings": settings,
        "seeds": {"problems": list(range(settings["problems"])), "draws": 0},
        "torch": torch.__version__,
        "cpu_seconds": round(time.process_time() - started, 1),
        "unit": "length of the exact gradient; median over the problems",
        "estimators": estimators,
    }


ESTIMATOR = Measurement(
    name="estimator",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"problems": 2, "draws": 1024, "draws_per_estimate": [1, 16, 256]},
    measure=measure_all,
    table=table,
)
