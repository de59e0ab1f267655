"""Copies of a model that compute the same in other ways: recorded by autograd, replayed, by Triton's kernels."""

import copy
import math
from collections.abc import Callable
from unittest.mock import patch

from torch import Tensor, nn

from benchmarks.clock import replaying
from seq2seq.attention import Attention
from seq2seq.batch import Batch
from seq2seq.decoders import bahdanau, luong
from seq2seq.gradient import Gradient
from seq2seq.layers.gru import Gru
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss

LOOPS = {  # where a decoder finds the loop that has one of Triton's kernels beside it
    bahdanau.BahdanauDecoder: (bahdanau, "BahdanauSteps"),
    luong.InputFeedingDecoder: (luong, "FeedingSteps"),
}


def replay(model: Seq2Seq, batch: Batch) -> Callable[[], Tensor]:
    """Forward and backward of a copy that replays what it has recorded; the norm of the gradient."""
    with replaying(batch.source.device):
        gradient = Gradient(copied(model), forced_loss, batch.source.device, math.inf, None, replayed=True)
    return lambda: gradient(batch, 0.0)[1]


def replay_kernels(model: Seq2Seq, batch: Batch) -> Callable[[], Tensor]:
    """The same with the decoder's loop by Triton's kernels."""
    from benchmarks import kernel_steps

    module, name = LOOPS[type(model.decoder)]
    step = replay(model, batch)

    def by_kernels() -> Tensor:
        with patch.object(module, name, getattr(kernel_steps, name)):
            return step()

    return by_kernels


def recorded_by_autograd(model: Seq2Seq) -> Seq2Seq:
    """A copy in which autograd records every step: a hook on the attention rules out the loops written for it."""
    recorded = copied(model)
    for module in recorded.modules():
        if isinstance(module, Gru):
            module.__class__ = nn.GRU
        elif isinstance(module, Attention):
            module.register_forward_hook(lambda *_: None)
    return recorded


def copied(model: Seq2Seq) -> Seq2Seq:
    """A copy, whose recurrent layers have their weights in one piece, as a GPU wants them."""
    twin = copy.deepcopy(model)
    for module in twin.modules():
        if isinstance(module, nn.RNNBase):
            module.flatten_parameters()
    return twin
