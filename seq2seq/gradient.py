"""The gradient of a batch's loss: one computation in each step of a training run."""

import operator
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from seq2seq.batch import Batch
from seq2seq.layers.precision import autocasts
from seq2seq.model import Seq2Seq
from seq2seq.recordings import Recordings
from seq2seq.scorers import LocationScorer

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
        self.model, self.device = model, device
        self.compute = partial(_compute, model, loss, device, clip, autocast)
        self.recordings = self._none_recorded()
        self.replayed = replayed and self.recordings.replays and isinstance(model, Seq2Seq)
        self.gradients: list[Tensor | None] = []  # those that the recordings add to
        limited = any(isinstance(part, LocationScorer) for part in model.modules())  # to so many source words
        self.multiples = SENTENCES, 1 if limited else LENGTHS, LENGTHS

    def __call__(self, batch: Batch, progress: float) -> tuple[Tensor, Tensor, Tensor]:
        """The loss, the norm that its gradient had, and the batch's real tokens, all on the device.

        Raises:
            ValueError, TypeError: the model refuses the batch.
        """
        batch = batch.to(self.device)
        if not self.replayed or type(batch) is not Batch or batch.source.dim() != 2:
            return self.compute(batch, progress, in_place=self.replayed)
        self.model.check(batch.source, batch.source_lengths, batch.target_in)  # a recording does not
        sizes = len(batch.source), batch.source.size(1), batch.target_in.size(1)
        batch = batch.padded(*map(_up, sizes, self.multiples))
        gradients = [parameter.grad for parameter in self.model.parameters()]
        if self.gradients and not all(map(operator.is_, gradients, self.gradients)):  # somebody has set them to None
            self.recordings = self._none_recorded()
        loss, norm, tokens = self.recordings(*(getattr(batch, name) for name in PARTS))
        self.gradients = [parameter.grad for parameter in self.model.parameters()]
        return loss, norm, tokens

    def _none_recorded(self) -> Recordings:
        compute = self.compute  # not `self`, of which the recordings are a part
        return Recordings(lambda *parts: compute(Batch(*parts), 0.0, in_place=True), self.device)


def _compute(
    model: Seq2Seq,
    loss_of: Callable[[Seq2Seq, Any, float], Tensor],
    device: torch.device,
    clip: float,
    autocast: torch.dtype | None,
    batch: Batch,
    progress: float,
    in_place: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """What :class:`Gradient` computes; `in_place`: in the memory of the gradients before, the one that is recorded."""
    torch.clear_autocast_cache()  # a caller's autocast would keep the casts of weights that have changed since
    model.zero_grad(set_to_none=not in_place)
    with torch.autocast(device.type, autocast) if autocast else nullcontext():
        loss = loss_of(model, batch, progress)
    norm = leave_gradient(model, loss, clip)
    return loss.detach(), norm, batch.target_mask.sum()


def leave_gradient(model: nn.Module, loss: Tensor, clip: float) -> Tensor:
    """Leaves the gradient in the parameters, clipped to the norm `clip`; returns the norm that it had."""
    kind = loss.device.type
    # A caller's autocast would halve what the forward pass kept whole.
    with torch.autocast(kind, enabled=False) if autocasts(kind) else nullcontext():
        loss.backward()
    return nn.utils.clip_grad_norm_(model.parameters(), clip)


def _up(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple
