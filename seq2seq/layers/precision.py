"""Loops with a backward pass of their own, under autocast: computed in float32, as PyTorch's own layers ask for it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import torch
from torch import Tensor

Loop = TypeVar("Loop", bound=Callable[..., Any])


def outside_autocast(loop: Loop) -> Loop:
    """`forward` or `backward` of an autograd function: under autocast its tensors are float32, and stay so.

    Autocast chooses a type for each operation; a loop that writes into tensors made before needs one type for all.
    """

    @wraps(loop)
    def steady(ctx: Any, *tensors: Any) -> Any:
        device = tensors[0].device.type
        if device == "meta" or not torch.is_autocast_enabled(device):
            return loop(ctx, *tensors)
        with torch.autocast(device, enabled=False):
            return loop(ctx, *map(widened, tensors))

    return cast(Loop, steady)


HALVING = {"cuda"}  # the kinds of device on which PyTorch's recurrent layers take float16 under any autocast


def in_single(forward: Loop) -> Loop:
    """`forward` of one of PyTorch's recurrent layers, which has one type on a GPU too: float32, whatever autocast's."""

    @wraps(forward)
    def steady(layer: Any, inputs: Any, state: Any = None) -> Any:
        kind = inputs.device.type if isinstance(inputs, Tensor) else ""
        if kind not in HALVING or not torch.is_autocast_enabled(kind):
            return forward(layer, inputs, state)
        with torch.autocast(kind, enabled=False):
            state = tuple(map(widened, state)) if isinstance(state, tuple) else widened(state)
            return forward(layer, widened(inputs), state)

    return cast(Loop, steady)


def widened(value: Any) -> Any:
    """A tensor of half precision in single precision, for sums of many numbers; all else as it is."""
    narrow = isinstance(value, Tensor) and value.dtype in (torch.float16, torch.bfloat16)
    return value.float() if narrow else value
