"""Counting a^n b^n with an RNN, an LSTM and an RNN with a stack: trained up to n = 20, tested up to n = 60.

    python -m seq2seq.experiments counting    # 3 models × 3 seeds: a few minutes on one core

The task is that of Joulin & Mikolov (2015, section 4), one sequence at a time.
The number of a's cannot be predicted, but after the first b all is determined: n - 1 further b's, then the end.
A number n is right if each of these is the most probable symbol, given the true symbols before it.
The RNN with a stack is tested twice: with the shares of its actions, and with the larger share rounded up to 1.
"""

import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.beyond.stack_rnn import StackRNN
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, PARAMETERS, each, tabulate
from seq2seq.experiments.trained import descend, means, of_model

A, B, END = 0, 1, 2  # END also starts a sequence
_IGNORED = -100
SETTINGS: dict = {
    "trained_to": 20,
    "tried_to": 60,
    "hidden_size": 20,
    "stacks": 2,
    "batch": 10,
    "steps": {"rnn": 1500, "lstm": 1500, "stack_rnn": 1500},
    "learning_rate": 0.02,
    "clip": 1.0,
    "threads": 1,
}


class Recurrent(nn.Module):
    """A language model with one recurrent layer, for comparison.

    Shape:
        ids: (batch, steps)
        logits: (batch, steps, 3)
    """

    def __init__(self, layer: nn.RNN | nn.LSTM) -> None:
        super().__init__()
        self.embedding = nn.Embedding(3, layer.input_size)
        self.layer = layer
        self.output_layer = nn.Linear(layer.hidden_size, 3)

    def forward(self, ids: Tensor) -> tuple[Tensor, None]:
        states, _ = self.layer(self.embedding(ids))
        return self.output_layer(states), None


def build(name: str, settings: dict) -> nn.Module:
    size = settings["hidden_size"]
    if name == "stack_rnn":
        return StackRNN(3, size, settings["stacks"])
    layer = nn.RNN if name == "rnn" else nn.LSTM
    return Recurrent(layer(size, size, batch_first=True))


def sequences(numbers: list[int]) -> tuple[Tensor, Tensor]:
    """For each n: inputs END a…a b…b, and targets a…a b…b END; both (len(numbers), 2 max + 1).

    The loss ignores the targets of padding.
    """
    longest = 2 * max(numbers) + 1
    inputs = torch.full((len(numbers), longest), END)
    targets = torch.full((len(numbers), longest), _IGNORED)
    for row, n in enumerate(numbers):
        inputs[row, 1 : n + 1], inputs[row, n + 1 : 2 * n + 1] = A, B
        targets[row, :n], targets[row, n : 2 * n], targets[row, 2 * n] = A, B, END
    return inputs, targets


def train(model: nn.Module, steps: int, seed: int, settings: dict) -> list[float]:
    """Adam on the cross-entropy of the next symbol; the largest n reaches its maximum after half of the steps."""
    generator = torch.Generator().manual_seed(seed)

    def loss(step: int) -> Tensor:
        reach = min(settings["trained_to"], 3 + round(2 * settings["trained_to"] * step / steps))
        numbers = torch.randint(1, reach + 1, (settings["batch"],), generator=generator)
        inputs, targets = sequences(numbers.tolist())
        logits, _ = model(inputs)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=_IGNORED)

    return descend(model, loss, steps, settings["learning_rate"], 20, settings["clip"])


@torch.no_grad()
def counted(read_symbols: Callable[[Tensor], tuple[Tensor, Tensor | None]], numbers: list[int]) -> list[bool]:
    """For each n, whether everything after the first b is predicted, by a model or by its rounded form."""
    inputs, targets = sequences(numbers)
    logits, _ = read_symbols(inputs)
    hits = (logits.argmax(dim=-1) == targets).tolist()
    return [all(row[n + 1 : 2 * n + 1]) for row, n in zip(hits, numbers, strict=True)]


def run(name: str, seed: int, settings: dict, data: None) -> tuple[nn.Module, dict]:
    started = time.process_time()
    torch.manual_seed(seed)
    model = build(name, settings)
    losses = train(model, settings["steps"][name], seed, settings)
    numbers = list(range(1, settings["tried_to"] + 1))
    scores = _scores("right", counted(model, numbers), settings["trained_to"])
    if isinstance(model, StackRNN):
        scores |= _scores("rounded", counted(model.rounded, numbers), settings["trained_to"])
    training = of_model(model) | {"training_loss": means(losses, 20)}
    return model, training | {"cpu_seconds": round(time.process_time() - started, 1)} | scores


def _scores(key: str, right: list[bool], trained_to: int) -> dict:
    """Which n are right, and their shares among the trained n and among those beyond."""
    trained, further = right[:trained_to], right[trained_to:]
    return {
        key: [n for n, hit in enumerate(right, start=1) if hit],
        f"{key}_as_trained": round(sum(trained) / len(trained), 4),
        f"{key}_beyond": round(sum(further) / len(further), 4),
    }


def table(report: dict) -> str:
    parts = {"n as trained, each seed": "as_trained", "n beyond, each seed": "beyond"}
    rows = {
        f"{name}{suffix}": [run | {head: run[f"{key}_{part}"] for head, part in parts.items()} for run in runs]
        for name, runs in report["models"].items()
        for key, suffix in (("right", ""), ("rounded", ", whole actions"))
        if f"{key}_beyond" in runs[0]
    }
    return tabulate(("model",), {head: each(".2f", head) for head in parts} | PARAMETERS | CPU_SECONDS, rows)


COUNTING = Runs(
    name="counting",
    title=__doc__.splitlines()[0],
    settings=SETTINGS,
    quick={"steps": dict.fromkeys(SETTINGS["steps"], 3)},
    seeds=3,
    models=SETTINGS["steps"],
    run=run,
    record="model seed settings torch parameters cpu_seconds training_loss",
    table=table,
)
