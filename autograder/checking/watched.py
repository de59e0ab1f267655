"""The modules that a function is called with, such as a decoder that an exercise gives, before and after the call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class GivenModule:
    """A module that an answer was called with, and what it held then."""

    module: nn.Module
    before: Mapping[str, Tensor]

    @property
    def name(self) -> str:
        return type(self.module).__name__

    def changed(self) -> list[str]:
        """The parameters and buffers that have another value now."""
        before, after = self.before, self.module.state_dict()
        other = {name for name, value in after.items() if name in before and not _is_same(before[name], value)}
        return sorted(other | (before.keys() ^ after.keys()))


def _is_same(before: Tensor, after: Tensor) -> bool:
    return before.dtype == after.dtype and before.device == after.device and torch.equal(before, after)


class Watched:
    """A function that notes which modules it is called with, such as the decoder that an exercise gives."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.modules: list[GivenModule] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for module in (*args, *kwargs.values()):
            if isinstance(module, nn.Module) and all(module is not one.module for one in self.modules):
                state = {name: value.detach().clone() for name, value in module.state_dict().items()}
                self.modules.append(GivenModule(module, state))
        return self.function(*args, **kwargs)

    def parameters(self) -> dict[str, Tensor]:
        return {
            f"{one.name}.{name}": parameter
            for one in self.modules
            for name, parameter in one.module.named_parameters()
            if parameter.requires_grad
        }
