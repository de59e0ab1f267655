"""Second derivatives, which the loops with a hand-written backward pass do not have."""

from functools import wraps
from typing import Any, cast

import torch
from torch import Tensor

from seq2seq.layers.precision import Loop


class _Once(torch.autograd.Function):
    """Returns the gradients unchanged; a request for their derivative raises an error."""

    @staticmethod
    def forward(ctx: Any, count: int, *tensors: Tensor | None) -> tuple[Tensor | None, ...]:
        return tensors[:count]

    @staticmethod
    def backward(ctx: Any, *second: Any) -> Any:
        raise RuntimeError(
            "second derivative: asked for, but the backward pass of this loop is written out and has none; put nn.GRU "
            "(batch_first=True) in the place of each Gru, and call decoder.step word by word instead of decoder.unroll."
        )


def once_differentiable(backward: Loop) -> Loop:
    """For a hand-written `backward`: a request for its derivative raises an error, however it is made.

    PyTorch's decorator of this name lets ``torch.autograd.grad(..., create_graph=True)`` take the gradients for
    constants, so that a second derivative would be silently wrong.
    """

    @wraps(backward)
    def first(ctx: Any, *gradients: Any) -> Any:
        with torch.no_grad():
            results = backward(ctx, *gradients)
        if not torch.is_grad_enabled():
            return results
        return _Once.apply(len(results), *results, *gradients, *ctx.saved_tensors)

    return cast(Loop, first)
