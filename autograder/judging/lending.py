"""Objects, other than data, that a check passes to an answer: they stay in the judge and are called over the wire.

So a toy step that counts its calls counts where no learner's code can reach it. The answer may only call functions
and methods, read plain values, and use the submodules of a module.
"""

import inspect
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import torch
from torch import Tensor, nn

from autograder.sandbox.kinds import taken_apart, tensors
from autograder.sandbox.wire import Lent
from autograder.tracebacks import AnswerError
from autograder.vjp import pullback

TICKETS = 256
OF_TORCH = {"forward", "train", "eval"}  # the methods of nn.Module that may be called
DATA = (type(None), bool, int, float, str, bytes, Tensor, list, tuple, dict)


class Lender:
    """The objects lent to one submission, until :meth:`take_back`."""

    def __init__(self, received: Callable[[Any, str], Any], sent: Callable[[Any, list[Tensor]], Any]) -> None:
        self.received, self.sent = received, sent  # from and to what the wire carries: see autograder.judging.calls
        self.lent = self.calls = 0
        self.take_back()

    def lend(self, thing: Any, inputs: list[Tensor]) -> Lent:
        """The reference that is sent instead of the object; its parameters are appended to ``inputs``."""
        if id(thing) not in self.keys:
            self.keys[id(thing)] = self.lent
            self.things[self.lent] = thing
            self.lent += 1
        state: dict[str, Tensor] | None = dict(thing.named_parameters()) if isinstance(thing, nn.Module) else None
        inputs.extend((state or {}).values())
        return Lent(self.keys[id(thing)], getattr(thing, "__name__", type(thing).__name__), state)

    def take_back(self) -> None:
        """Ends the loans when a check is over, so that later code cannot query them."""
        self.things: dict[int, Any] = {}
        self.keys: dict[int, int] = {}  # id of an object → its key
        self.tickets: dict[int, tuple[list[Tensor], list[Tensor]]] = {}

    def serve(self, message: dict[str, Any]) -> dict[str, Any]:
        """Answers a request of the learner's process; errors of the lent object are raised there."""
        try:
            match message:
                case {"ask": "call", "key": int(key), "path": str(path), "args": list() | tuple() as args}:
                    return self.call(key, path, args, **{name: message[name] for name in ("kwargs", "state", "wanted")})
                case {"ask": "look", "key": int(key), "path": str(path)}:
                    return self.look(key, path)
                case {"ask": "pull", "ticket": int(ticket), "gradients": list(gradients)}:
                    outputs, inputs = self.tickets[ticket]
                    return {"gradients": pullback(outputs, inputs, gradients)}
            raise LookupError("unknown request")
        except AnswerError as error:
            return {"raised": {"kind": error.kind, "detail": error.detail}}
        except Exception as error:
            return {"raised": {"kind": type(error).__name__, "detail": str(error)[:500]}}

    def call(self, key: int, path: str, args: Any, kwargs: Any, state: Any, wanted: Any) -> dict[str, Any]:
        """``wanted``: the parameters that need gradients; None if gradients are switched off."""
        if not (isinstance(kwargs, dict) and isinstance(state, dict) and isinstance(wanted, list | None)):
            raise TypeError("an incomplete call")
        whole = self.thing(key)
        own = dict(whole.named_parameters()) if isinstance(whole, nn.Module) else {}
        for name, value in state.items():
            if own[name].shape != value.shape or not value.is_floating_point():
                raise ValueError(f"the parameter {name} has a different shape")
            own[name].data = value.detach()
        inputs = [one for one in tensors([args, kwargs]) if one.requires_grad] + [own[name] for name in wanted or ()]
        function = self.at(key, path)
        ours, theirs = (self.received(one, path) for one in (args, kwargs))
        with torch.set_grad_enabled(wanted is not None):
            result = self.sent(function(*ours, **theirs), [])
        outputs = [one for one in tensors(result) if one.requires_grad]
        self.calls += 1
        if outputs and inputs:
            self.tickets[self.calls] = (outputs, inputs)
            self.tickets.pop(self.calls - TICKETS, None)
        return {"result": result, "ticket": self.calls}

    def look(self, key: int, path: str) -> dict[str, Any]:
        found = self.at(key, path)
        if isinstance(found, nn.Module):
            return {"is": "module"}
        if isinstance(found, DATA) or taken_apart(found) is not None:
            return {"is": "value", "result": self.sent(found, [])}
        return {"is": "method"}

    def thing(self, key: int) -> Any:
        if key not in self.things:
            raise LookupError("it was lent for one check only, which is over")
        return self.things[key]

    def at(self, key: int, path: str) -> Any:
        found = self.thing(key)
        for name in filter(None, path.split(".")):
            found = attribute(found, name)
        return found


def attribute(owner: Any, name: str) -> Any:
    """A method, plain value or submodule of a lent object; nothing that gives access to other Python modules."""
    known = inspect.getattr_static(owner, name, None)
    if name.startswith("_") or isinstance(owner, FunctionType | BuiltinFunctionType):
        raise AttributeError(name)
    if isinstance(owner, nn.Module):
        parts = owner._modules | owner._parameters | owner._buffers
        if name in parts:
            part = parts[name]
            return part.detach().clone() if isinstance(part, Tensor) else part
        if known is not None and known is getattr(nn.Module, name, None) and name not in OF_TORCH:
            raise AttributeError(name)
    if known is None:
        raise AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}")
    found = getattr(owner, name)
    is_method = name not in getattr(owner, "__dict__", ()) and callable(found) and not isinstance(found, type)
    if not (is_method or isinstance(found, DATA) or taken_apart(found) is not None):
        raise AttributeError(f"{name!r} is not lent")
    return found
