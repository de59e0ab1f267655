"""How an answer uses what a check has lent to it: calls, attributes and gradients, over the same wire."""

import builtins
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.sandbox.borrowed import METHOD, MODULE, BorrowedModule, Joined
from autograder.sandbox.kinds import swapped, tensors
from autograder.sandbox.objects import Objects
from autograder.sandbox.wire import Wire


class Asking:
    """Sends requests for borrowed objects to the judge that lent them; see :mod:`autograder.sandbox.borrowed`."""

    def __init__(self, wire: Wire, objects: Objects, answer: Callable[[dict[str, Any]], None]) -> None:
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

    def synchronised(self, thing: Any) -> None:
        if isinstance(thing, BorrowedModule):
            self.sent[thing._key] = signature(dict(thing.named_parameters()))

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

    def pull(self, ticket: int, gradients: list[Tensor]) -> list[Tensor | None]:
        return self.request(ask="pull", ticket=ticket, gradients=gradients)["gradients"]


def signature(state: dict[str, Tensor]) -> list[tuple[str, int, int, int]]:
    """Changes when a parameter does."""
    return [(name, id(one), one._version, one.data_ptr()) for name, one in state.items()]
