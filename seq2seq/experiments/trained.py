"""One model trained from one seed, and what the record of its run tells of that."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from seq2seq.batch import token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.device import device_name
from seq2seq.experiments.recipe import Build
from seq2seq.model import Seq2Seq
from seq2seq.training import learning_rate_at, train
from seq2seq.vocab import Vocabulary

CPU = torch.device("cpu")


class Data(NamedTuple):
    """Training pairs, test sets by name, and the vocabularies of both languages."""

    training: list[Pair]
    sets: dict[str, list[Pair]]
    source_vocab: Vocabulary
    target_vocab: Vocabulary

    @property
    def vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        return self.source_vocab, self.target_vocab


def with_vocabularies(training: list[Pair], sets: dict[str, list[Pair]], min_count: int = 1) -> Data:
    """The vocabularies are of the words that are at least so often in the training pairs."""
    source_vocab = Vocabulary.build((pair.source for pair in training), min_count)
    target_vocab = Vocabulary.build((pair.target for pair in training), min_count)
    return Data(training, sets, source_vocab, target_vocab)


def train_on(data: Data, build: Build, seed: int, settings: dict, **how: Any) -> tuple[Seq2Seq, dict]:
    """:func:`train_model` on pairs; `build` gets the sizes of the two vocabularies."""
    return train_model(
        lambda: build(*map(len, data.vocabularies)),
        lambda order: token_batches(data.training, *data.vocabularies, settings["tokens_per_batch"], order),
        seed,
        settings,
        **how,
    )


def train_model(
    build: Callable[[], Any],
    batches: Callable[[torch.Generator], Iterable],
    seed: int,
    settings: dict,
    *,
    description: str,
    steps: int | None = None,
    device: torch.device = CPU,
    parts: int = 20,
    **how: Any,
) -> tuple[Any, dict]:
    """A model built and trained from one seed, on the CPU again, and what its record tells of that.

    `batches` gets the generator of their order; steps and rates are those of the settings, if not told otherwise.
    The losses are averaged into so many `parts`.
    """
    torch.manual_seed(seed)
    model = build()
    rates = {name: settings[name] for name in ("learning_rate", "warmup_steps", "clip") if name in settings}
    if "betas" in settings:
        rates["betas"] = tuple(settings["betas"])
    history = train(
        model,
        batches(torch.Generator().manual_seed(seed)),
        steps=steps or settings["steps"],
        device=device,
        description=f"{description}, seed {seed}",
        **rates | how,
    )
    return model.to("cpu"), {
        **of_model(model),
        "device": device_name(device),
        "steps": history.steps,
        "target_tokens": history.tokens,
        "cpu_seconds": round(history.cpu_seconds, 1),
        "training_loss": means(history.losses, parts),
    }


def of_model(model: nn.Module) -> dict:
    """What every record tells of its model."""
    return {"torch": torch.__version__, "parameters": parameters(model)}


def parameters(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def means(losses: list[float], parts: int) -> list[float]:
    """The losses, averaged over so many parts of the training."""
    return [round(part.mean().item(), 4) for part in torch.tensor(losses).chunk(parts)]


def descend(
    model: nn.Module, loss_of: Callable[[int], Tensor], steps: int, rate: float, warmup_steps: int, clip: float
) -> list[float]:
    """Adam with the schedule of the library's training, on the loss of each step; returns all losses."""
    optimiser = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    losses = []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate_at(step / steps, step, rate, warmup_steps)
        loss = loss_of(step)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimiser.step()
        losses.append(loss.item())
    return losses
