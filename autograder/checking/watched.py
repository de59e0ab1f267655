"""The modules that a function is called with, such as a decoder that an exercise gives, before and after the call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class GivenModule:
    """A module that an answer was called with, or that is the answer, and what it held then."""

    name: str
    module: nn.Module
    before: Mapping[str, Tensor]
    learning: Mapping[str, bool]  # parameter → whether it requires gradients

    @classmethod
    def of(cls, module: nn.Module, name: str = "") -> "GivenModule":
        state = {key: value.detach().clone() for key, value in module.state_dict().items()}
        return cls(name or type(module).__name__, module, state, _learning(module))

    def changed(self) -> list[str]:
        """The parameters and buffers that are new or gone, or have another value or ``requires_grad`` now."""
        before, after = self.before, self.module.state_dict()
        other = {name for name, value in after.items() if name in before and not _is_same(before[name], value)}
        other |= {name for name, learns in _learning(self.module).items() if self.learning.get(name, learns) != learns}
        return sorted(other | (before.keys() ^ after.keys()))


def _learning(module: nn.Module) -> dict[str, bool]:
    return {name: parameter.requires_grad for name, parameter in module.named_parameters()}


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
                self.modules.append(GivenModule.of(module))
        return self.function(*args, **kwargs)

    def parameters(self) -> dict[str, Tensor]:
        return {
            f"{one.name}.{name}": parameter
            for one in self.modules
            for name, parameter in one.module.named_parameters()
            if parameter.requires_grad
        }
