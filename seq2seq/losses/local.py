r"""Losses for local-p, in the form that :func:`seq2seq.training.train` expects: loss(model, batch, progress).

A window that misses the relevant word gives no information about where that word is, so a centre that starts far off
may never come near.
Two remedies are here: guide the centres at first, or start with a wide window.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from seq2seq.batch import Batch
from seq2seq.decoders.local import LocalPredictiveDecoder
from seq2seq.guards import check_above_zero, check_at_least, check_mask, check_shape
from seq2seq.model import Seq2Seq, decoder_of
from seq2seq.training import masked_loss


def diagonal_penalty(
    centres: Tensor,
    source_mask: Tensor,
    target_mask: Tensor,
) -> Tensor:
    r"""How far the centres are from the diagonal: the mean square of the distance, relative to the sentence length.

    $$P = \frac{1}{T} \sum_{t=1}^T \left(\frac{p_t}{S} - \frac{t - 1/2}{T}\right)^2$$

    Shape:
        centres: (batch, target_len), $p_t$, between 0 and $S$
        source_mask: (batch, source_len), bool, True = real token
        target_mask: (batch, target_len), bool, True = real step
        penalty: (), the mean over all real steps of the batch

    Raises:
        TypeError: a mask is not boolean.
        ValueError: the masks do not fit the centres.
    """
    check_mask("source_mask", source_mask)
    check_mask("target_mask", target_mask)
    check_shape("source_mask", source_mask, (len(centres), source_mask.size(-1)), "a row for each sentence")
    check_shape("target_mask", target_mask, centres.shape, "that of the centres")
    steps = torch.arange(centres.size(1), device=centres.device) + 0.5
    source_lengths = source_mask.sum(dim=-1, keepdim=True)
    target_lengths = target_mask.sum(dim=-1, keepdim=True)
    gaps = centres / source_lengths - steps / target_lengths
    return gaps.square()[target_mask].mean()


@dataclass(frozen=True)
class LocalLoss:
    r"""The masked loss, optionally with a pull towards the diagonal at first and with a window that starts wide.

    $$L_u = L + \lambda \left(1 - \frac{u}{u_p}\right)_+ P, \qquad
      D_u = D \left(\frac{D_0}{D}\right)^{(1 - u / u_w)_+}$$

    $u$ is the share of the budget that is used, $P$ is :func:`diagonal_penalty`.
    The pull ends at $u_p$ and the window has its final half width $D$ from $u_w$ on, so both models are the paper's in
    the end (Luong et al., 2015, section 3.2); the paper does not say how to start one.
    Each call sets ``model.decoder.half_width``.

    Raises:
        TypeError: the model's decoder is not a :class:`~seq2seq.decoders.local.LocalPredictiveDecoder`.
    """

    half_width: int  # D
    pull: float = 0.0  # lambda
    pull_until: float = 0.3  # u_p
    first_half_width: int | None = None  # D_0; D if not given
    wide_until: float = 0.5  # u_w

    def __post_init__(self) -> None:
        check_at_least("half_width", self.half_width, 1)
        if self.first_half_width is not None:
            check_at_least("first_half_width", self.first_half_width, 1)
        check_above_zero("pull_until", self.pull_until, "; with pull=0 nothing pulls")
        check_above_zero("wide_until", self.wide_until, "; without a first_half_width no window starts wide")

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        decoder = decoder_of(model, LocalPredictiveDecoder, "; this loss moves predicted centres")
        decoder.half_width = self.width(progress)
        memory, state = model.read(batch.source, batch.source_lengths)
        logits, _ = decoder.unroll(batch.target_in, state, memory)
        loss = masked_loss(logits, batch.target_out, batch.target_mask)
        if self.pull and progress < self.pull_until:
            centres = decoder.centres(batch.target_in, state, memory)
            weight = self.pull * (1 - progress / self.pull_until)
            penalty = diagonal_penalty(centres, batch.source_mask, batch.target_mask)
            loss = loss + weight * penalty
        return loss

    def width(self, progress: float) -> int:
        """The half width at a share of the budget: from `first_half_width` down to `half_width`."""
        first = self.first_half_width or self.half_width
        left = max(0.0, 1 - progress / self.wide_until)
        return round(self.half_width * (first / self.half_width) ** left)
