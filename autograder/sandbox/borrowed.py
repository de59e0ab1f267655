"""What a check lends to an answer: a function or a module of the judge's, which is called over the wire.

It runs where the learner's code cannot reach it, so that what it counts, keeps or knows stays as it is. Gradients flow
through a call in both directions, as they do through a call of the judge's.
"""

from typing import Any, Protocol

import torch
from torch import Tensor, nn

from autograder.sandbox.wire import Lent


class Ask(Protocol):
    """The way to the judge; ``tensors`` of what is received are those that ask for gradients."""

    def call(self, key: int, path: str, args: Any, kwargs: Any, state: dict[str, Tensor]) -> Any: ...
    def look(self, key: int, path: str, kind: str) -> Any: ...
    def pull(self, ticket: int, gradients: list[Tensor]) -> list[Tensor | None]: ...


def borrowed(lent: Lent, ask: Ask, inputs: list[Tensor]) -> Any:
    """What stands for it here; its parameters are appended to ``inputs``."""
    if lent.state is None:
        return Borrowed(ask, lent.key, lent.type_name)
    module = BorrowedModule(ask, lent.key, lent.type_name)
    for name, value in lent.state.items():
        place, parts = module, name.split(".")
        for number in range(1, len(parts)):  # not by add_module and the like, which ask whether the name is there
            inner = BorrowedModule(ask, lent.key, lent.type_name, ".".join(parts[:number]), module)
            place = place._modules.setdefault(parts[number - 1], inner)
        parameter = nn.Parameter(value.detach(), requires_grad=value.requires_grad)
        place._parameters[parts[-1]] = parameter
        inputs.append(parameter)
    return module


class Borrowed:
    """A function, or an object with methods."""

    def __init__(self, ask: Ask, key: int, name: str, path: str = "") -> None:
        self._ask, self._key, self._path, self.__name__ = ask, key, path, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask.call(self._key, self._path, args, kwargs, {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        path = f"{self._path}.{name}".lstrip(".")
        found = self._ask.look(self._key, path, self.__name__)
        return Borrowed(self._ask, self._key, name, path) if found is METHOD else found


class BorrowedModule(nn.Module):
    """A module, or one within it: its parameters are here, and travel with every call."""

    def __init__(self, ask: Ask, key: int, kind: str, path: str = "", whole: "BorrowedModule | None" = None) -> None:
        super().__init__()
        # past nn.Module's own way, which would make the whole a part of its parts
        self.__dict__.update(_ask=ask, _key=key, _kind=kind, _path=path, _whole=whole)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._called(self._path, args, kwargs)

    def _called(self, path: str, args: Any, kwargs: Any) -> Any:
        whole = self._whole or self
        return self._ask.call(self._key, path, args, kwargs, dict(whole.named_parameters()))

    def train(self, mode: bool = True) -> "BorrowedModule":
        for module in self.modules():
            module.training = mode
        self._called(f"{self._path}.train".lstrip("."), (mode,), {})
        return self

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("_"):
                raise
        path = f"{self._path}.{name}".lstrip(".")
        found = self._ask.look(self._key, path, self._kind)
        if found is MODULE:
            return BorrowedModule(self._ask, self._key, self._kind, path, self._whole or self)
        return (lambda *args, **kwargs: self._called(path, args, kwargs)) if found is METHOD else found


METHOD, MODULE = object(), object()  # what an attribute is that is no value


class Joined(torch.autograd.Function):
    """Joins the learner's graph to the judge's: the gradients of a call come over the wire."""

    @staticmethod
    def forward(ctx: Any, ask: Ask, ticket: int, outputs: list[Tensor], *inputs: Tensor) -> Any:
        ctx.ask, ctx.ticket = ask, ticket
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        return None, None, None, *ctx.ask.pull(ctx.ticket, list(gradients))
