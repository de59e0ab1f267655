"""What a training run has computed and nobody has read yet."""

import math

import torch
from torch import Tensor

from seq2seq.device import between_looks

STEPS = 50  # of a GPU between two readings


class Unread:
    """The loss of each step, the norm of its gradient and its real tokens, on the device until they are read.

    To read is to wait for the device. A GPU is read every few steps, and until then it sees for itself that a number is
    not finite: `failed` is 1 from then on, and PyTorch's fused Adam, which has it as its ``found_inf``, leaves the
    weights as they are. Elsewhere every step is read before it changes a weight.
    """

    def __init__(self, optimiser: torch.optim.Optimizer, device: torch.device) -> None:
        self.numbers: list[tuple[Tensor, Tensor, Tensor]] = []
        self.steps_read = 0
        self.interval = between_looks(device, STEPS)
        self.failed = torch.zeros((), dtype=torch.float32, device=device)  # as the kernel expects it
        if self.interval > 1:
            vars(optimiser)["found_inf"] = self.failed

    def note(self, loss: Tensor, norm: Tensor, tokens: Tensor) -> None:
        self.numbers.append((loss, norm, tokens))
        if self.interval > 1:
            self.failed.masked_fill_(~(loss.isfinite() & norm.isfinite()), 1.0)

    def is_due(self) -> bool:
        return len(self.numbers) >= self.interval

    def read(self) -> list[tuple[float, int]]:
        """Loss and tokens of each step since the last reading.

        Raises:
            FloatingPointError: a loss or a gradient is not finite; the weights are those before its step.
        """
        losses, norms, tokens = (torch.stack(column).tolist() for column in zip(*self.numbers, strict=True))
        for step, (loss, norm) in enumerate(zip(losses, norms, strict=True), start=self.steps_read):
            _check_finite("loss", loss, step)
            _check_finite("norm of the gradient", norm, step)
        self.steps_read += len(self.numbers)
        self.numbers.clear()
        return list(zip(losses, tokens, strict=True))


def _check_finite(name: str, value: float, step: int) -> None:
    if not math.isfinite(value):
        raise FloatingPointError(
            f"{name}: {value} at step {step}, expected a finite number; the weights are those before the step. "
            "Lower the rate, or look for a division by 0."
        )
