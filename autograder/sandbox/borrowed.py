"""What a check lends to an answer: a function or module of the judge, called over the wire.

It runs where the learner's code cannot reach it, so its state cannot be tampered with. Gradients flow
through a call in both directions, as they do through a call by the judge.
"""

import builtins
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from autograder.sandbox.kinds import swapped, tensors
from autograder.sandbox.wire import Lent, Wire

METHOD, MODULE = object(), object()  # kinds of attributes that are not values


def borrowed(lent: Lent, ask: "Asking", inputs: list[Tensor]) -> Any:
    """The local stand-in for a lent object; its parameters are appended to ``inputs``."""
    if lent.state is None:
        return Borrowed(ask, lent.key, lent.type_name)
    module = BorrowedModule(ask, lent.key, lent.type_name)
    for name, value in lent.state.items():
        place, parts = module, name.split(".")
        for number in range(1, len(parts)):  # not by add_module and the like, which call hasattr
            inner = BorrowedModule(ask, lent.key, lent.type_name, ".".join(parts[:number]), module)
            place = place._modules.setdefault(parts[number - 1], inner)  # type: ignore[assignment]
        parameter = nn.Parameter(value.detach(), requires_grad=value.requires_grad)
        place._parameters[parts[-1]] = parameter
        inputs.append(parameter)
    ask.sent[lent.key] = signature(dict(module.named_parameters()))
    return module


class Borrowed:
    """A lent function, or a lent object with methods."""

    def __init__(self, ask: "Asking", key: int, name: str, path: str = "") -> None:
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
    """A lent module or submodule: its parameters are kept here and passed with every call."""

    def __init__(
        self, ask: "Asking", key: int, kind: str, path: str = "", whole: "BorrowedModule | None" = None
    ) -> None:
        super().__init__()
        # bypasses nn.Module.__setattr__, which would register the whole as a child of its part
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


class Joined(torch.autograd.Function):
    """Joins the learner's graph to the judge's: the gradients of a call come over the wire."""

    @staticmethod
    def forward(ctx: Any, ask: "Asking", ticket: int, outputs: list[Tensor], *inputs: Tensor) -> Any:
        ctx.ask, ctx.ticket = ask, ticket
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        reply = ctx.ask.request(ask="pull", ticket=ctx.ticket, gradients=list(gradients))
        return None, None, None, *reply["gradients"]


class Asking:
    """Sends requests for borrowed objects to the judge that lent them."""

    def __init__(self, wire: Wire, objects: Any, answer: Callable[[dict[str, Any]], None]) -> None:
        self.wire, self.objects, self.answer = wire, objects, answer
        self.known: dict[tuple[str, str], object] = {}  # kind of object and attribute → METHOD or MODULE
        self.sent: dict[int, list[tuple[str, int, int, int]]] = {}  # key → parameters that the judge has

    def __deepcopy__(self, memo: object) -> "Asking":
        return self

    def request(self, **message: Any) -> dict[str, Any]:
        self.wire.send(message)
        while "op" in (reply := self.wire.receive()):  # a lent object may call the learner's code
            self.answer(reply)
        raised = reply.get("raised")
        if raised is not None:
            kind = getattr(builtins, raised["kind"], None)
            known = kind if isinstance(kind, type) and issubclass(kind, Exception) else RuntimeError
            raise known(raised["detail"])
        return reply

    def call(self, key: int, path: str, args: Any, kwargs: Any, state: dict[str, Tensor]) -> Any:
        objects = self.objects
        inputs: list[Tensor] = []
        message = {"args": objects.portable(args, inputs), "kwargs": objects.portable(kwargs, inputs)}
        grad = torch.is_grad_enabled()
        wanted = [name for name, parameter in state.items() if parameter.requires_grad] if grad else None
        inputs += [state[name] for name in wanted or ()]
        now = signature(state)
        changed = state if self.sent.get(key, now) != now else {}
        self.sent[key] = now
        reply = self.request(ask="call", key=key, path=path, state=changed, wanted=wanted, **message)
        outputs = [one for one in tensors(reply["result"]) if one.requires_grad]
        plain = [one.detach() for one in outputs]
        joined = Joined.apply(self, reply["ticket"], plain, *inputs) if inputs and outputs else plain
        return objects.materialise(swapped(reply["result"], dict(zip(map(id, outputs), joined, strict=True))), [])

    def look(self, key: int, path: str, kind: str) -> Any:
        """An attribute; whether it is callable is asked only once for each kind of object."""
        if (kind, path) in self.known:
            return self.known[kind, path]
        reply = self.request(ask="look", key=key, path=path)
        if reply["is"] == "value":
            return self.objects.materialise(reply["result"], [])
        self.known[kind, path] = MODULE if reply["is"] == "module" else METHOD
        return self.known[kind, path]


def signature(state: dict[str, Tensor]) -> list[tuple[str, int, int, int]]:
    """Changes when a parameter does."""
    return [(name, id(one), one._version, one.data_ptr()) for name, one in state.items()]
