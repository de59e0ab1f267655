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
        if not autocasts(device):
            return loop(ctx, *tensors)
        with torch.autocast(device, enabled=False):
            return loop(ctx, *map(widened, tensors))

    return cast(Loop, steady)


def in_type_of_weights(forward: Loop) -> Loop:
    """`forward` of one of PyTorch's recurrent layers, computed in the type of its weights, whatever autocast's.

    Autocast would take float16 on a GPU even where bfloat16 is asked for, and an LSTM in bfloat16 on a CPU, which fails
    on one without AVX-512.
    """

    @wraps(forward)
    def steady(layer: Any, inputs: Any, state: Any = None) -> Any:
        device = inputs.data.device.type  # a packed sequence has `data`, too
        if not autocasts(device):
            return forward(layer, inputs, state)
        dtype = layer.weight_ih_l0.dtype
        with torch.autocast(device, enabled=False):
            if state is not None:
                state = tuple(part.to(dtype) for part in state) if isinstance(state, tuple) else state.to(dtype)
            return forward(layer, inputs.to(dtype), state)

    return cast(Loop, steady)


def autocasts(device: str) -> bool:
    return device != "meta" and torch.is_autocast_enabled(device)


def widened(value: Any) -> Any:
    """A tensor of half precision in single precision, for sums of many numbers; all else as it is."""
    narrow = isinstance(value, Tensor) and value.dtype in (torch.float16, torch.bfloat16)
    return value.float() if narrow else value
