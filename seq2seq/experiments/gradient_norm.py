r"""How much of a word is left in a later state: the norm of $\partial s_T / \partial x_t$ against the distance $T - t$.

    python -m seq2seq.experiments gradient_norm    # 3 cells × 4 gains × 3 seeds, under a minute on one core

The recurrent matrices are orthogonal, times a gain: below 1 gradients vanish, above 1 those of the simple network can
explode (Bengio et al., 1994; Pascanu et al., 2013).
A second measurement follows a short training with gain 1 on a memory task: after the last symbol of a sequence, name
its first.
"""

import math
import time
from collections.abc import Callable
from itertools import product
from statistics import fmean

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.experiments.runs import Runs, listed
from seq2seq.experiments.tables import Column, tabulate
from seq2seq.layers.recurrent import Recurrent, recurrent_layer
from seq2seq.model import initialise

CELLS = ("rnn", "gru", "lstm")
GAINS = (0.5, 1.0, 1.5, 2.0)
SYMBOLS = 8


def gradient_norms(layer: Recurrent, inputs: Tensor) -> Tensor:
    r"""The Frobenius norm of $\partial s_T / \partial x_t$, for every t.

    Each sequence is repeated once per unit of the state; each row gives the gradient of its own unit.

    Shape:
        inputs: (batch, steps, input_size)
        norms: (batch, steps), the last step last
    """
    batch, size = inputs.size(0), layer.hidden_size
    rows = inputs.detach().repeat_interleave(size, dim=0).requires_grad_()
    units = torch.eye(size, dtype=inputs.dtype, device=inputs.device).repeat(batch, 1)
    (gradient,) = torch.autograd.grad((layer(rows)[0][:, -1] * units).sum(), rows)
    return gradient.unflatten(0, (batch, size)).square().sum(dim=(1, 3)).sqrt()


class FirstSymbol(nn.Module):
    """Reads a sequence of symbols and names the first: (batch, steps) ids → (batch, symbols) logits."""

    def __init__(self, cell: str, size: int, gain: float) -> None:
        super().__init__()
        self.cell = cell
        self.embedding = nn.Embedding(SYMBOLS, size)
        self.rnn = recurrent_layer(cell, size, size)
        self.output_layer = nn.Linear(size, SYMBOLS)
        initialise(self)
        with torch.no_grad():
            self.rnn.get_parameter("weight_hh_l0").mul_(gain)

    def forward(self, ids: Tensor) -> Tensor:
        return self.output_layer(self.rnn(self.embedding(ids))[0][:, -1])


def measure(model: FirstSymbol, settings: dict, generator: torch.Generator) -> list[float]:
    """The geometric mean over random sequences, at distance 0, 1, …"""
    ids = torch.randint(SYMBOLS, (settings["sequences"], settings["steps"]), generator=generator)
    layer = recurrent_layer(model.cell, settings["size"], settings["size"]).double()
    layer.load_state_dict(model.rnn.state_dict())  # a copy in double precision: the norms underflow in single
    norms = gradient_norms(layer, model.embedding(ids).double())
    return [float(f"{norm:.4g}") for norm in norms.log().mean(0).exp().flip(0).tolist()]


def train(model: FirstSymbol, settings: dict, generator: torch.Generator) -> float:
    """Adam on the task; returns the accuracy on new sequences."""
    optimiser = torch.optim.Adam(model.parameters(), lr=settings["learning_rate"])
    shape = settings["batch"], settings["training_length"]
    for _ in range(settings["updates"]):
        ids = torch.randint(SYMBOLS, shape, generator=generator)
        optimiser.zero_grad()
        F.cross_entropy(model(ids), ids[:, 0]).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    ids = torch.randint(SYMBOLS, (500, settings["training_length"]), generator=generator)
    with torch.no_grad():
        return (model(ids).argmax(-1) == ids[:, 0]).float().mean().item()


def run(cell: str, gain: float, seed: int, settings: dict, data: None) -> tuple[FirstSymbol, dict]:
    """The norms of one cell at one gain from one seed; with gain 1 also after training."""
    started = time.process_time()
    torch.manual_seed(seed)
    model = FirstSymbol(cell, settings["size"], gain)
    generator = torch.Generator().manual_seed(seed)
    norms: dict = {"at_first": measure(model, settings, generator)}
    if gain == 1.0:
        norms["accuracy"] = round(train(model, settings, generator), 3)
        norms["after_training"] = measure(model, settings, generator)
    return model, norms | {"cpu_seconds": round(time.process_time() - started, 2)}


def per_step(norms: list[float]) -> float:
    """The factor per step of distance, from distance 1 to the last: below 1 vanishing, above 1 exploding."""
    return math.exp(math.log(norms[-1] / norms[1]) / (len(norms) - 2))


def factors(form: str, number: Callable[[list[float]], float]) -> Column:
    """The geometric mean over seeds of a number of the norms."""
    return lambda runs: f"{math.exp(fmean(math.log(number(run['norms'])) for run in runs)):{form}}"


COLUMNS = {
    "factor per step": factors(".3f", per_step),
    "norm at the largest distance": factors(".2g", lambda norms: norms[-1]),
}


def table(report: dict) -> str:
    """Factor per step and norm at the largest distance."""
    rows: dict[tuple[str, str, str], list[dict]] = {}
    for run in report["runs"]:
        for when in ("at_first", "after_training"):
            if when in run:
                name = run["cell"], str(run["gain"]), when.replace("_", " ")
                rows.setdefault(name, []).append({"norms": run[when]})
    return tabulate(("cell", "gain", "when"), COLUMNS, rows)


GRADIENT_NORM = Runs(
    name="gradient_norm",
    title=__doc__.splitlines()[0],
    settings={
        "size": 32,
        "steps": 100,
        "sequences": 8,
        "seeds": 3,
        "updates": 400,
        "training_length": 12,
        "batch": 32,
        "learning_rate": 5e-3,
        "gains": list(GAINS),
        "threads": 1,
    },
    quick={"size": 8, "steps": 12, "sequences": 2, "updates": 3},
    seeds=3,
    models=list(product(CELLS, GAINS)),
    run=run,
    record="cell gain seed at_first accuracy after_training cpu_seconds",
    by=("cell", "gain"),
    head=lambda settings, data: {"torch": torch.__version__},
    under="runs",
    lay_out=lambda runs, data: sorted(listed(runs), key=lambda run: run["seed"]),
    table=table,
)
