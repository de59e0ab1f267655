"""The judge's side of the wire: an answer in the sandbox, called as if it were local.

Remote functions and modules behave like local ones, and gradients flow through a call in both directions. The judge
owns a module's parameters and sends them with every call, so that loading weights, optimisers and ``gradcheck`` work
on plain local tensors.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import BuiltinFunctionType
from typing import Any

import torch
from torch import Tensor

from autograder.checking.observe import Seen
from autograder.checking.program import messages, read_seen
from autograder.judging.answer_client import AnswerClient
from autograder.judging.lending import Lender
from autograder.judging.remote import RemoteAnswer, RemoteModule
from autograder.judging.sanitise import alter, change, printable
from autograder.sandbox.kinds import put_together, swapped, taken_apart, tensors
from autograder.sandbox.wire import Handle, Kind, Name, Opaque
from autograder.tracebacks import AnswerError

PLAIN = (type(None), bool, int, float, str, bytes)


class Caller:
    """Calls one submission's answers over one client.

    ``known``: the judge's own values by name, such as the classes that the exercise gives.
    """

    def __init__(self, client: AnswerClient, known: Mapping[str, Any]) -> None:
        self.client, self.known = client, known
        self.lender = Lender(self.received, self.sent)
        self.client.serve = self.lender.serve
        # Type and name of the object, and path of each attribute that can be called.
        self.methods: set[tuple[str, str, str]] = set()

    def fetch(self, name: str) -> Any:
        """The value of an exported name: data as is, anything else as a callable proxy."""
        reply = self.client.request(name, op="fetch", name=name)
        if reply.get("callable"):
            return RemoteAnswer(self, Name(name), name)
        return self.received(reply.get("result"), name)

    def look(self, target: Name | Handle, path: str, subject: str) -> tuple[bool, Any]:
        """Whether an attribute is a method or a submodule, asked once per kind of object; and otherwise its value.

        Raises:
            AnswerError: there is no such attribute; the error is also an AttributeError.
        """
        kind = ("" if isinstance(target, Name) else target.type_name, getattr(target, "name", ""), path)
        if kind in self.methods:
            return True, None
        reply = self.client.request(subject, op="look", target=target, path=path)
        result = reply.get("result")
        if reply.get("callable") or (isinstance(result, Handle) and result.state is not None):
            self.methods.add(kind)
            return True, None
        return False, self.received(result, subject)

    def observe(
        self, target: Name | Handle, cases: Sequence[dict[str, Any]], subject: str, brief: bool
    ) -> Iterator[Any]:
        """Runs cases in the learner's process and yields what was observed in each; None if that cannot be sent back.

        All replies to a message are read before any is compared: comparing may query the learner's objects over the
        same wire.
        """
        for some in messages(cases):
            self.client.post(subject, op="observe", target=target, cases=list(some), brief=brief)
            yield from [self._seen(subject) for _ in some]

    def _seen(self, subject: str) -> list[Seen] | None:
        try:
            return read_seen(self.received(self.client.reply(subject).get("seen"), subject))
        except AnswerError:
            return None
        except ValueError as error:
            raise self.client.tampered(subject, str(error)) from None

    def operate(self, name: str, *operands: Any) -> Any:
        """Applies a Python operator to the operands in the learner's process."""
        return self.call(name, "", f"`{name}` of your object", operands, {})

    def call(self, target: Any, method: str, subject: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls an answer and returns its result; its in-place changes of arguments are repeated on ours.

        Raises:
            AnswerError: the answer raised, or changed an argument in a way that PyTorch forbids.
            AnswerLost: there is no valid reply.
        """
        client = self.client
        inputs: list[Tensor] = []
        message = {
            "target": self.sent(target, inputs),
            "method": method,
            "args": [self.sent(item, inputs) for item in args],
            "kwargs": {key: self.sent(item, inputs) for key, item in kwargs.items()},
        }
        reply = client.request(subject, op="call", grad=torch.is_grad_enabled(), **message)
        result, ticket, changed, altered = (reply.get(name) for name in ("result", "ticket", "changed", "altered"))
        if "result" not in reply or type(ticket) is not int or type(changed) is not list or type(altered) is not list:
            raise client.tampered(subject, "an incomplete reply")
        owned = {id(tensor) for tensor in state_of([target, args, kwargs])}
        for entry in changed:
            match entry:
                case [int(index), Tensor() as value] if type(index) is int and 0 <= index < len(inputs):
                    change(inputs[index], value, owned)
                case [int(), Opaque()]:
                    raise AnswerError("ValueError", "an argument was turned into another kind of tensor in place")
                case _:
                    raise client.tampered(subject, "a change to something it was not given")
        for entry in altered:
            match entry:
                case [int(index), list() | dict() as new] if 0 <= index < len(args) and type(args[index]) is type(new):
                    alter(args[index], self.received(new, subject))
                case _:
                    raise client.tampered(subject, "a change to something it was not given")
        match reply.get("argument"):  # an argument returned as is must be the same object here: it may be changed later
            case None:
                pass
            case int(index) if type(index) is int and 0 <= index < len(inputs):
                return inputs[index]
            case _:
                raise client.tampered(subject, "an argument that it was not given")
        outputs = [tensor for tensor in tensors(result) if tensor.requires_grad]
        ours = [tensor.detach() for tensor in outputs]
        if outputs and any(tensor.requires_grad for tensor in inputs):
            ours = Linked.apply(client, ticket, subject, ours, *inputs)
        return self.received(swapped(result, dict(zip(map(id, outputs), ours, strict=True))), subject)

    def received(self, value: Any, subject: str) -> Any:
        """A value from the wire as checks see it."""
        if type(value) in (list, tuple):
            return type(value)(self.received(item, subject) for item in value)
        if type(value) is dict:
            return {key: self.received(item, subject) for key, item in value.items()}
        if isinstance(value, Handle):
            handle = Handle(value.key, printable(value.type_name, 80) or "object", value.state)
            return RemoteAnswer(self, handle, handle.type_name) if handle.state is None else RemoteModule(self, handle)
        if isinstance(value, Kind):
            try:
                return self.built(value.name, self.received(value.parts, subject))
            except (ValueError, MemoryError, RecursionError):
                return Opaque(printable(value.name, 80))  # a wrong answer at most, and no accusation
        if isinstance(value, Opaque):
            return Opaque(printable(value.type_name, 80))
        if isinstance(value, Tensor) or value is None or type(value) in PLAIN:
            return value
        raise self.client.tampered(subject, "a name where a value should be")

    def built(self, name: str, parts: Any) -> Any:
        """Builds a value from its parts; for a class that the exercise gives, an instance of our class."""
        match name, parts:
            case "fields", (str(kind), dict(held), RemoteAnswer() as other):
                given = self.known.get(kind)
                if not (
                    isinstance(given, type) and is_dataclass(given) and {f.name for f in fields(given)} == set(held)
                ):
                    return other
                made = object.__new__(given)
                for field, value in held.items():
                    object.__setattr__(made, field, value)
                return made
            case "member", (str(kind), str(member), other):
                given = self.known.get(kind)
                if isinstance(given, type) and issubclass(given, Enum) and member in given.__members__:
                    return given[member]
                return other
        return put_together(name, parts)

    def sent(self, value: Any, inputs: list[Tensor]) -> Any:
        """A value as sent over the wire; its arrays are appended to ``inputs`` in the worker's order."""
        kind = type(value)
        if isinstance(value, Tensor):
            inputs.append(value)
            return value
        if kind in PLAIN or isinstance(value, Handle | Name):
            return value
        if kind in (list, tuple):
            return kind([self.sent(item, inputs) for item in value])
        if kind is dict and all(type(key) is str for key in value):
            return {key: self.sent(item, inputs) for key, item in value.items()}
        if isinstance(value, RemoteAnswer):
            return value._target if not value._method else self.handle(value)
        if isinstance(value, RemoteModule):
            inputs.extend(value._state.values())
            return Handle(value._key, value._type_name, dict(value._state))
        apart = taken_apart(value)
        if apart is not None:
            return Kind(apart.name, self.sent(apart.parts, inputs))
        if isinstance(value, BuiltinFunctionType) and value.__module__ in ("builtins", "math", "_operator", "torch"):
            return Kind("function", (value.__module__, value.__name__))
        if self.known.get(kind.__name__) is kind and isinstance(value, Enum):
            return Kind("member", (kind.__name__, value.name))
        if self.known.get(kind.__name__) is kind and is_dataclass(value):
            held = {one.name: self.sent(getattr(value, one.name), inputs) for one in fields(value)}
            return Kind("fields", (kind.__name__, held))
        return self.lender.lend(value, inputs)

    def handle(self, method: RemoteAnswer) -> Handle:
        """A method as an object that can be passed as an argument."""
        reply = self.client.request(method.__name__, op="hold", target=method._target, path=method._method)
        match reply.get("result"):
            case Handle() as held:
                return held
        raise self.client.tampered(method.__name__, "the reply is not an object")


class Linked(torch.autograd.Function):
    """Joins the judge's autograd graph to the learner's: the gradients of a call are fetched over the wire."""

    @staticmethod
    def forward(
        ctx: Any, client: AnswerClient, ticket: int, subject: str, outputs: list[Tensor], *inputs: Tensor
    ) -> Any:
        ctx.client, ctx.ticket, ctx.subject = client, ticket, subject
        ctx.kinds = [(tensor.shape, tensor.dtype) for tensor in inputs]
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        reply = ctx.client.request(ctx.subject, op="backward", ticket=ctx.ticket, gradients=list(gradients))
        found = reply.get("gradients")
        if not isinstance(found, list) or len(found) != len(ctx.kinds):
            raise ctx.client.tampered(ctx.subject, "gradients are missing")
        for gradient, kind in zip(found, ctx.kinds, strict=True):
            if gradient is not None and not (isinstance(gradient, Tensor) and (gradient.shape, gradient.dtype) == kind):
                raise AnswerError("ValueError", "a gradient is no ordinary dense tensor like the input it belongs to")
        return None, None, None, None, *(None if gradient is None else gradient.detach() for gradient in found)


def state_of(value: Any) -> list[Tensor]:
    """The parameters and buffers that :meth:`Caller.sent` sends with a value."""
    if isinstance(value, RemoteModule):
        return list(value._state.values())
    if isinstance(value, torch.nn.Module):
        return list(value.parameters())
    if isinstance(value, list | tuple):
        return [tensor for item in value for tensor in state_of(item)]
    if isinstance(value, dict):
        return state_of(list(value.values()))
    return []
