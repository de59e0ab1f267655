"""The gradient of a batch's loss: one computation in each step of a training run."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from typing import Any

import torch
from torch import Tensor, nn

from seq2seq.batch import Batch
from seq2seq.encoders import check_lengths
from seq2seq.model import Seq2Seq
from seq2seq.recordings import Recordings

LENGTHS, SENTENCES = 4, 8  # to multiples of these a batch is padded to be replayed, so that there are few shapes
PARTS = [part.name for part in fields(Batch)]


class Gradient:
    """``gradient(batch, progress)`` leaves the gradient of the loss in the parameters, clipped to the norm `clip`.

    With `replayed`, for a loss that is the same function of any batch's tensors, a GPU replays it; see
    :class:`~seq2seq.recordings.Recordings`.
    """

    def __init__(
        self,
        model: Seq2Seq,
        loss: Callable[[Seq2Seq, Any, float], Tensor],
        device: torch.device,
        clip: float,
        autocast: torch.dtype | None,
        replayed: bool,
    ) -> None:
        self.model, self.loss, self.device, self.clip, self.autocast = model, loss, device, clip, autocast
        self.recordings = Recordings(self._of_tensors, device)
        self.replayed = replayed and self.recordings.replay

    def __call__(self, batch: Batch, progress: float) -> tuple[Tensor, Tensor, Tensor]:
        """The loss, the norm that its gradient had, and the batch's real tokens, all on the device.

        Raises:
            ValueError, TypeError: the model refuses the batch.
        """
        if not self.replayed or type(batch) is not Batch:
            return self._compute(batch.to(self.device), progress)
        check_lengths(batch.source, batch.source_lengths)  # which padding could hide
        size, source_len, target_len = len(batch.source), batch.source.size(1), batch.target_in.size(1)
        batch = batch.padded(_up(size, SENTENCES), _up(source_len, LENGTHS), _up(target_len, LENGTHS)).to(self.device)
        self.model.check(batch.source, batch.source_lengths, batch.target_in)  # a recording does not
        loss, norm, tokens = self.recordings(*(getattr(batch, name) for name in PARTS))
        return loss, norm, tokens

    def _of_tensors(self, *parts: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self._compute(Batch(*parts), 0.0)

    def _compute(self, batch: Batch, progress: float) -> tuple[Tensor, Tensor, Tensor]:
        torch.clear_autocast_cache()  # a caller's autocast would keep the casts of weights that have changed since
        self.model.zero_grad(set_to_none=not self.replayed)  # a recording adds to the gradients that it knows
        with self._casting():
            loss = self.loss(self.model, batch, progress)
        norm = leave_gradient(self.model, loss, self.clip)
        return loss.detach(), norm, batch.target_mask.sum()

    def _casting(self) -> AbstractContextManager:
        return torch.autocast(self.device.type, self.autocast) if self.autocast else nullcontext()


def leave_gradient(model: nn.Module, loss: Tensor, clip: float) -> Tensor:
    """Leaves the gradient in the parameters, clipped to the norm `clip`; returns the norm that it had."""
    loss.backward()
    return nn.utils.clip_grad_norm_(model.parameters(), clip)


def _up(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple
