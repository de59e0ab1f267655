r"""Training: the masked loss, the loop, and checkpoints."""

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from tqdm.auto import tqdm

from seq2seq.batch import AnyBatch, Batch, checked_batches
from seq2seq.checkpoints import narrowed, plain_names
from seq2seq.device import choose_device
from seq2seq.gradient import Gradient
from seq2seq.guards import check_above_zero, check_at_least, of_targets
from seq2seq.model import Seq2Seq, decoder_of
from seq2seq.unread import Unread


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


globals()["masked_loss"] = of_targets(masked_loss)


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

    def add(self, read: list[tuple[float, int]]) -> None:
        """Loss and tokens of some steps."""
        for loss, tokens in read:
            self.losses.append(loss)
            self.tokens += tokens


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
    autocast: torch.dtype | None = None,
    progress: bool = True,
    description: str = "training",
) -> History:
    """Adam on the loss, until the budget is used up; `batches` is repeated when it ends.

    `betas` are Adam's own; a short run can do better with a second one below .999, an average over fewer steps.
    `rate_factors` gives parameters their own learning rate: those whose name starts with a key use the common rate
    times its value, with several such keys that of the longest.
    `loss(model, batch, progress)` gets the share of the budget that has been used, for losses that change over the run.
    The budget is a number of steps, or of seconds of this process's CPU time, or both: the first to end ends the run.
    CPU time is fairer on a shared machine; steps make a run repeatable to the bit.
    With `autocast`, ``torch.bfloat16``, PyTorch's autocast takes matrix products in that type: faster on a GPU, and
    less exact. Recurrent layers stay in float32.
    A GPU computes while Python goes on: its losses are read every few steps, see :class:`~seq2seq.unread.Unread`.
    Batch order and initial weights are up to the caller: seed the generator of the batches, and ``torch.manual_seed``
    before building the model.
    The model ends in evaluation mode, also where the run is interrupted or fails.

    Raises:
        ValueError: no budget is given, or none that ends, a rate or a norm is not above 0, there is no batch, no
            parameter matches a key of `rate_factors`, a factor is below 0 or not finite, or `autocast` is another
            type; or the device is not on this machine.
        TypeError: `batches` is a single batch; or the loss is the default one, and the model's decoder does not give
            logits.
        FloatingPointError: the loss or its gradient is not finite; the weights are then those before the step.
    """
    _check_settings(steps, cpu_seconds, learning_rate, clip, autocast)
    if loss is forced_loss:
        decoder_of(getattr(model, "module", model))
    device = choose_device(device)
    model.to(device).train()
    groups = _rate_groups(model, rate_factors or {})
    optimiser = torch.optim.Adam(
        groups,
        lr=learning_rate,
        betas=betas,
        fused=device.type != "mps",
    )
    gradient = Gradient(model, loss, device, clip, autocast, replayed=loss is forced_loss)
    history, unread = History(), Unread(optimiser, device)
    started = time.process_time()
    used = 0.0
    with (
        ExitStack() as ending,
        tqdm(
            total=100,
            desc=description,
            unit="%",
            disable=not progress,
            bar_format=_BAR,
        ) as bar,
    ):
        ending.callback(model.eval)  # whether it ends well or not
        for batch in _repeated(batches):
            rate = learning_rate_at(used, history.steps, learning_rate, warmup_steps)
            for group in optimiser.param_groups:
                group["lr"] = rate * group["factor"]
            unread.note(*gradient(batch, used))
            if unread.is_due():
                history.add(unread.read())
            optimiser.step()

            history.steps += 1
            history.cpu_seconds = time.process_time() - started
            used = max(history.steps / (steps or math.inf), history.cpu_seconds / (cpu_seconds or math.inf))
            if history.losses:
                bar.set_postfix_str(f"loss {history.losses[-1]:.3f}", refresh=False)
            bar.update(min(100.0, 100 * used) - bar.n)
            if used >= 1:
                break
        if unread.numbers:
            history.add(unread.read())
            history.cpu_seconds = time.process_time() - started
    return history


def _rate_groups(model: nn.Module, factors: Mapping[str, float]) -> list[dict]:
    """The parameters, grouped by the factor of their learning rate."""
    for start, factor in factors.items():
        if not 0 <= factor < math.inf:
            raise ValueError(
                f"rate_factors: got {factor} for {start!r}, expected a finite number, at least 0, which holds still."
            )
    groups: dict[str, dict] = {start: {"params": [], "factor": factor} for start, factor in factors.items()}
    rest: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        longest = max(filter(name.startswith, factors), key=len, default=None)  # the most exact
        (rest if longest is None else groups[longest]["params"]).append(parameter)
    for start, group in groups.items():
        if not group["params"]:
            names = [name for name, _ in model.named_parameters()]
            raise ValueError(
                f"rate_factors: {start!r} is not the start of any parameter's name that no longer key begins too, "
                f"expected one of {names}."
            )
    return [{"params": rest, "factor": 1.0}, *groups.values()]


def _check_settings(
    steps: int | None, cpu_seconds: float | None, learning_rate: float, clip: float, autocast: torch.dtype | None
) -> None:
    if steps is None and cpu_seconds is None:
        raise ValueError("steps, cpu_seconds: got neither, expected at least one; training needs an end.")
    if steps is not None:
        check_at_least("steps", steps, 1, "; for an untrained model leave the training out")
    if cpu_seconds is not None:
        check_above_zero("cpu_seconds", cpu_seconds, "; for an untrained model leave the training out")
        if steps is None and cpu_seconds == math.inf:
            raise ValueError("cpu_seconds: got inf, expected a finite number, or steps too; training needs an end.")
    check_above_zero("learning_rate", learning_rate, ", which gives every step its size")
    check_above_zero("clip", clip, ", the largest norm of a gradient; math.inf clips none")
    if autocast not in (None, torch.bfloat16):
        raise ValueError(
            f"autocast: got {autocast}, expected torch.bfloat16 or None; small gradients vanish in torch.float16."
        )


_BAR = "{desc}: {percentage:3.0f}% {bar} {elapsed}<{remaining}, {postfix}"


def _repeated(batches: Iterable[AnyBatch]) -> Iterator[AnyBatch]:
    for passes in itertools.count():
        empty = True
        for batch in checked_batches(batches):
            empty = False
            yield batch
        if empty:
            again = " a second time; give a list or `token_batches(...)`, not a generator" if passes else ""
            raise ValueError(f"batches: got none{again}.")


def save_checkpoint(path: str | Path, model: nn.Module, dtype: torch.dtype | None = None) -> None:
    """The model's plain state dict, on the CPU; floats in `dtype` if given (float16 halves the file).

    The names are the model's own, also if it was compiled or made parallel.

    Raises:
        OverflowError: a weight is too large for `dtype`.
        TypeError: `dtype` is no type of floats.
    """
    state = model.state_dict()
    names = plain_names(state)
    torch.save({names[name]: narrowed(name, tensor, dtype) for name, tensor in state.items()}, Path(path))


def load_checkpoint(path: str | Path, model: nn.Module) -> None:
    """Fill the model from a file of :func:`save_checkpoint`; nothing but tensors is unpickled.

    The file's model and this one may be compiled or parallel, or not.

    Raises:
        ValueError: the file is that of another model: a name or a shape differs; or it is damaged, or no state dict.
        FileNotFoundError: there is no file at `path`.
    """
    state, ours = _read_state(Path(path)), model.state_dict()
    names = plain_names(ours)
    theirs = {plain: state[name] for name, plain in plain_names(state).items()}
    shapes = {name: tuple(part.shape) for name, part in theirs.items()}
    expected = {names[name]: tuple(part.shape) for name, part in ours.items()}
    if shapes != expected:
        different = sorted(name for name in shapes | expected if shapes.get(name) != expected.get(name))
        name = different[0]
        raise ValueError(
            f"{path}: {len(different)} of its weights are not the model's: {name} is {shapes.get(name, 'missing')}, "
            f"expected {expected.get(name, 'no such weight')}; build the model with the sizes and the decoder it was "
            "trained with."
        )
    model.load_state_dict({name: theirs[names[name]] for name in ours})


def _read_state(path: Path) -> dict[str, Tensor]:
    path.stat()  # a file that is not there is no damaged one
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise ValueError(
            f"{path}: not read ({type(error).__name__}), expected a file of save_checkpoint; is it damaged, or cut off "
            "in writing, or does it hold more than weights?"
        ) from error
    if not (isinstance(state, Mapping) and all(isinstance(part, Tensor) for part in state.values())):
        raise ValueError(f"{path}: got {type(state).__name__}, expected tensors by name alone, as of a state_dict.")
    return dict(state)
