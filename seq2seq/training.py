r"""Training: the masked loss, the loop, and checkpoints."""

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from tqdm.auto import tqdm

from seq2seq.batch import Batch
from seq2seq.device import choose_device
from seq2seq.model import Seq2Seq


def masked_loss(logits: Tensor, target_out: Tensor, target_mask: Tensor) -> Tensor:
    r"""Mean negative log-likelihood per real target token.

    $$L = -\frac{1}{\sum_i m_i} \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$

    The sum runs over every real token of the batch, EOS included; padding is excluded.

    Shape:
        logits: (batch, target_len, target_vocab_size)
        target_out: (batch, target_len), ids
        target_mask: (batch, target_len), bool, True = real token
        loss: ()
    """
    ignored = -100  # an id that no word has: the loss skips it
    targets = target_out.masked_fill(~target_mask, ignored)
    return F.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        ignore_index=ignored,
    )


def forced_loss(model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
    """The masked loss of a teacher-forced pass; the default loss of a training run."""
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    return masked_loss(logits, batch.target_out, batch.target_mask)


def learning_rate_at(progress: float, step: int, peak: float, warmup_steps: int) -> float:
    """The schedule: a linear warm-up, times half a cosine down to 0 over the whole run.

    `progress` is the share of the budget that has been used, 0 to 1.
    """
    climb = min(1.0, (step + 1) / max(1, warmup_steps))
    return peak * climb * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


@dataclass
class History:
    """The record of a training run: one loss per step, and the totals."""

    losses: list[float] = field(default_factory=list)
    steps: int = 0
    tokens: int = 0
    cpu_seconds: float = 0.0


AnyBatch = TypeVar("AnyBatch", bound=Batch)


def train(
    model: Seq2Seq,
    batches: Iterable[AnyBatch],
    *,
    steps: int | None = None,
    cpu_seconds: float | None = None,
    learning_rate: float = 5e-3,
    warmup_steps: int = 100,
    betas: tuple[float, float] = (0.9, 0.999),
    clip: float = 1.0,
    rate_factors: Mapping[str, float] | None = None,
    loss: Callable[[Seq2Seq, AnyBatch, float], Tensor] = forced_loss,
    device: torch.device | str | None = None,
    progress: bool = True,
    description: str = "training",
) -> History:
    """Adam on the loss, until the budget is used up; `batches` is repeated when it ends.

    `betas` are Adam's own; a short run can do better with a second one below .999, an average over fewer steps.
    `rate_factors` gives parameters their own learning rate: those whose name starts with a key use the common rate
    times its value.
    `loss(model, batch, progress)` gets the share of the budget that has been used, for losses that change over the run.
    The budget is a number of steps, or of seconds of this process's CPU time, or both: the first to end ends the run.
    CPU time is fairer on a shared machine; steps make a run repeatable to the bit.
    Batch order and initial weights are up to the caller: seed the generator of the batches, and ``torch.manual_seed``
    before building the model.

    Raises:
        ValueError: no budget is given, there is no batch, or no parameter matches a key of `rate_factors`.
        FloatingPointError: the loss is not finite.
    """
    if steps is None and cpu_seconds is None:
        raise ValueError("steps, cpu_seconds: got neither, expected at least one; training needs an end.")
    device = choose_device() if device is None else torch.device(device)
    model.to(device).train()
    groups = _rate_groups(model, rate_factors or {})
    optimiser = torch.optim.Adam(
        groups,
        lr=learning_rate,
        betas=betas,
        fused=device.type != "mps",
    )
    history = History()
    started = time.process_time()
    used = 0.0
    with tqdm(
        total=100,
        desc=description,
        unit="%",
        disable=not progress,
        bar_format=_BAR,
    ) as bar:
        for batch in _repeated(batches):
            rate = learning_rate_at(used, history.steps, learning_rate, warmup_steps)
            for group in optimiser.param_groups:
                group["lr"] = rate * group["factor"]
            batch = batch.to(device)
            batch_loss = loss(model, batch, used)
            _update(model, optimiser, batch_loss, clip)

            history.losses.append(batch_loss.item())
            if not math.isfinite(history.losses[-1]):
                raise FloatingPointError(f"loss: {history.losses[-1]} at step {history.steps}; lower the rate.")
            history.steps += 1
            history.tokens += batch.target_tokens
            history.cpu_seconds = time.process_time() - started
            of_steps = history.steps / (steps or math.inf)
            of_seconds = history.cpu_seconds / (cpu_seconds or math.inf)
            used = max(of_steps, of_seconds)
            bar.set_postfix_str(f"loss {history.losses[-1]:.3f}", refresh=False)
            bar.update(min(100.0, 100 * used) - bar.n)
            if used >= 1:
                break
    model.eval()
    return history


def _rate_groups(model: nn.Module, factors: Mapping[str, float]) -> list[dict]:
    """The parameters, grouped by the factor of their learning rate."""
    groups: dict[str, dict] = {start: {"params": [], "factor": factor} for start, factor in factors.items()}
    rest: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        start = next(filter(name.startswith, factors), None)
        (rest if start is None else groups[start]["params"]).append(parameter)
    for start, group in groups.items():
        if not group["params"]:
            names = [name for name, _ in model.named_parameters()]
            raise ValueError(
                f"rate_factors: {start!r} is not the start of any parameter's name, expected one of {names}."
            )
    return [{"params": rest, "factor": 1.0}, *groups.values()]


def _update(
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    loss: Tensor,
    clip: float,
) -> None:
    """One step of the optimiser, with the norm of the gradient clipped to `clip`."""
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimiser.step()


_BAR = "{desc}: {percentage:3.0f}% {bar} {elapsed}<{remaining}, {postfix}"


def _repeated(batches: Iterable[AnyBatch]) -> Iterator[AnyBatch]:
    for passes in itertools.count():
        empty = True
        for batch in batches:
            empty = False
            yield batch
        if empty:
            again = " a second time; give a list or `token_batches(...)`, not a generator" if passes else ""
            raise ValueError(f"batches: got none{again}.")


def save_checkpoint(path: str | Path, model: nn.Module, dtype: torch.dtype | None = None) -> None:
    """The model's plain state dict, on the CPU; floats in `dtype` if given (float16 halves the file)."""
    state = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    if dtype is not None:
        state = {name: tensor.to(dtype) if tensor.is_floating_point() else tensor for name, tensor in state.items()}
    torch.save(state, Path(path))


def load_checkpoint(path: str | Path, model: nn.Module) -> None:
    """Fill the model from a file of :func:`save_checkpoint`; nothing but tensors is unpickled."""
    state = torch.load(Path(path), map_location="cpu", weights_only=True)
    model.load_state_dict(state)
