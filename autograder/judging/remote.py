"""The judge's side of the wire: an answer that lives in the sandbox, called as if it were here.

Functions and modules look like functions and modules; gradients flow through a call in both directions. A
module's parameters are owned by the judge and travel with every call, so that loading weights, optimisers and
``gradcheck`` work on plain local tensors.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from autograder.judging.link import Link
from autograder.judging.trust import alter, change, spoken
from autograder.sandbox.wire import Handle, Name, Opaque


def fetch(link: Link, name: str) -> Any:
    """The value of an exported name: data as it is, everything else as an object that can be called."""
    reply = link.request(name, op="fetch", name=name)
    value = reply.get("result")
    return RemoteAnswer(link, Name(name), name) if reply.get("callable") else received(link, value, name)


def call(link: Link, target: Any, method: str, subject: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the answer returns; what it did to its arguments is done to ours, unless gradients flow through them.

    Raises:
        AnswerError: the answer raised, or changed an argument as PyTorch would not let it.
        LinkBroken: the reply is none.
    """
    inputs: list[Tensor] = []
    message = {
        "target": sent(target, inputs),
        "method": method,
        "args": [sent(item, inputs) for item in args],
        "kwargs": {key: sent(item, inputs) for key, item in kwargs.items()},
    }
    reply = link.request(subject, op="call", grad=torch.is_grad_enabled(), **message)
    ticket, changed, altered = (reply.get(name) for name in ("ticket", "changed", "altered"))
    if (
        type(ticket) is not int
        or "result" not in reply
        or not (isinstance(changed, list) and isinstance(altered, list))
    ):
        raise link.tampered(subject, "a reply without its parts")
    owned = {id(tensor) for value in (target, *args, *kwargs.values()) for tensor in state_of(value)}
    for entry in changed:
        match entry:
            case [int(index), Tensor() as value] if type(index) is int and 0 <= index < len(inputs):
                change(inputs[index], value, owned)
            case _:
                raise link.tampered(subject, "a change of what it was not given")
    for entry in altered:
        match entry:
            case [int(index), list() | dict() as value] if 0 <= index < len(args) and type(args[index]) is type(value):
                alter(args[index], received(link, value, subject))
            case _:
                raise link.tampered(subject, "a change of what it was not given")
    outputs: list[Tensor] = []
    result = received(link, reply["result"], subject, outputs)
    if outputs and any(tensor.requires_grad for tensor in inputs):
        linked = iter(Linked.apply(link, ticket, subject, [tensor.detach() for tensor in outputs], *inputs))
        return replaced(result, {id(tensor): next(linked) for tensor in outputs})
    return replaced(result, {id(tensor): tensor.detach() for tensor in outputs})


def received(link: Link, value: Any, subject: str, outputs: list[Tensor] | None = None) -> Any:
    """A value of the wire as checks see it; arrays that ask for gradients are appended to ``outputs``."""
    if isinstance(value, Tensor):
        if outputs is not None and value.requires_grad:
            outputs.append(value)
        return value
    if type(value) in (list, tuple):
        return type(value)(received(link, item, subject, outputs) for item in value)
    if type(value) is dict:
        return {key: received(link, item, subject, outputs) for key, item in value.items()}
    if isinstance(value, Handle):
        handle = Handle(value.key, spoken(value.type_name, 80) or "object", value.state)
        return RemoteAnswer(link, handle, handle.type_name) if handle.state is None else RemoteModule(link, handle)
    if isinstance(value, Opaque):
        return Opaque(spoken(value.type_name, 80))
    if isinstance(value, Name):
        raise link.tampered(subject, "a name where a value should be")
    return value


class Linked(torch.autograd.Function):
    """Joins the judge's graph to the learner's: the gradients of a call come over the wire."""

    @staticmethod
    def forward(ctx: Any, link: Link, ticket: int, subject: str, outputs: list[Tensor], *inputs: Tensor) -> Any:
        ctx.link, ctx.ticket, ctx.subject = link, ticket, subject
        ctx.kinds = [(tensor.shape, tensor.dtype) for tensor in inputs]
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        reply = ctx.link.request(ctx.subject, op="backward", ticket=ctx.ticket, gradients=list(gradients))
        found = reply.get("gradients")
        if not isinstance(found, list) or len(found) != len(ctx.kinds):
            raise ctx.link.tampered(ctx.subject, "gradients are missing")
        for gradient, kind in zip(found, ctx.kinds, strict=True):
            if gradient is not None and not (isinstance(gradient, Tensor) and (gradient.shape, gradient.dtype) == kind):
                raise ctx.link.tampered(ctx.subject, "a gradient has the wrong shape or dtype")
        return None, None, None, None, *(None if gradient is None else gradient.detach() for gradient in found)


def sent(value: Any, inputs: list[Tensor]) -> Any:
    """An argument as the wire carries it; its arrays are appended to ``inputs`` in the worker's order."""
    if isinstance(value, Tensor):
        inputs.append(value)
        return value
    if isinstance(value, list | tuple):
        return type(value)(sent(item, inputs) for item in value)
    if isinstance(value, dict):
        return {key: sent(item, inputs) for key, item in value.items()}
    if isinstance(value, RemoteAnswer):
        return value._target
    if isinstance(value, RemoteModule):
        inputs.extend(value._state.values())
        return Handle(value._key, value._type_name, dict(value._state))
    if isinstance(value, Handle | Name) or value is None or type(value) in (bool, int, float, str):
        return value
    raise TypeError(
        f"a check passes a {type(value).__name__} to an answer; only tensors, numbers, texts, None, lists, tuples, "
        "dictionaries and the answer's own objects reach the sandbox."
    )


def state_of(value: Any) -> list[Tensor]:
    """The parameters and buffers that travel with a value of :func:`sent`."""
    if isinstance(value, RemoteModule):
        return list(value._state.values())
    if isinstance(value, list | tuple):
        return [tensor for item in value for tensor in state_of(item)]
    if isinstance(value, dict):
        return state_of(list(value.values()))
    return []


def replaced(value: Any, tensors: dict[int, Tensor]) -> Any:
    if isinstance(value, Tensor):
        return tensors.get(id(value), value)
    if type(value) in (list, tuple):
        return type(value)(replaced(item, tensors) for item in value)
    if type(value) is dict:
        return {key: replaced(item, tensors) for key, item in value.items()}
    return value


class RemoteAnswer:
    """A function, class or object of the learner's."""

    def __init__(self, link: Link, target: Name | Handle, name: str, method: str = "") -> None:
        self._link, self._target, self._method, self.__name__ = link, target, method, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call(self._link, self._target, self._method, self.__name__, args, kwargs)

    def replace_parts(self, sources: dict[str, str]) -> None:
        """Earlier answers replaced, in the learner's process, by the reference's; without any, as they were."""
        self._link.request(self.__name__, op="replace", parts=sources)

    def __getattr__(self, name: str) -> "RemoteAnswer":
        if name.startswith("_"):
            raise AttributeError(name)
        path = f"{self._method}.{name}".lstrip(".")
        return RemoteAnswer(self._link, self._target, f"{self.__name__}.{name}", path)

    def __repr__(self) -> str:
        return f"<your {self.__name__}>"


class RemoteModule:
    """A module of the learner's; its parameters and buffers are the judge's own tensors."""

    def __init__(self, link: Link, handle: Handle) -> None:
        self._link, self._key, self._type_name = link, handle.key, handle.type_name
        self._state: dict[str, Tensor] = {
            name: nn.Parameter(tensor.detach()) if tensor.requires_grad else tensor
            for name, tensor in (handle.state or {}).items()
        }

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call(self._link, self, "", self._type_name, args, kwargs)

    def __getattr__(self, name: str) -> "Tensor | RemoteAttribute":
        if name.startswith("_"):
            raise AttributeError(name)
        return self._state[name] if name in self._state else RemoteAttribute(self, name)

    def __repr__(self) -> str:
        return f"<your {self._type_name}>"

    def named_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        return ((name, tensor) for name, tensor in self._state.items() if isinstance(tensor, nn.Parameter))

    def parameters(self) -> Iterator[nn.Parameter]:
        return (parameter for _, parameter in self.named_parameters())

    def state_dict(self) -> dict[str, Tensor]:
        return {name: tensor.detach() for name, tensor in self._state.items()}

    def load_state_dict(self, state: dict[str, Tensor], strict: bool = True) -> None:
        """As in PyTorch: names and shapes must agree."""
        if strict and (wrong := set(state) ^ set(self._state)):
            raise RuntimeError(f"{self._type_name}: parameters {sorted(wrong)} are missing or unexpected.")
        for name, value in state.items():
            if name in self._state:
                if value.shape != self._state[name].shape:
                    raise RuntimeError(
                        f"{self._type_name}: parameter {name} has shape {tuple(self._state[name].shape)}, "
                        f"expected {tuple(value.shape)}."
                    )
                self._state[name].data.copy_(value)

    def to(self, dtype: torch.dtype) -> "RemoteModule":
        for tensor in self._state.values():
            if tensor.is_floating_point():
                tensor.data = tensor.data.to(dtype)
        return self

    def double(self) -> "RemoteModule":
        return self.to(torch.float64)

    def float(self) -> "RemoteModule":
        return self.to(torch.float32)

    def zero_grad(self) -> None:
        for parameter in self.parameters():
            parameter.grad = None

    def requires_grad_(self, requires_grad: bool = True) -> "RemoteModule":
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def train(self, mode: bool = True) -> "RemoteModule":
        call(self._link, self, "train", self._type_name, (mode,), {})
        return self

    def eval(self) -> "RemoteModule":
        return self.train(False)


class RemoteAttribute:
    """``module.name``: a parameter where there is one, else a method or a submodule to call."""

    def __init__(self, module: RemoteModule, path: str) -> None:
        self._module, self._path = module, path

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        module = self._module
        return call(module._link, module, self._path, f"{module._type_name}.{self._path}", args, kwargs)

    def __getattr__(self, name: str) -> "Tensor | RemoteAttribute":
        if name.startswith("_"):
            raise AttributeError(name)
        path = f"{self._path}.{name}"
        state = self._module._state
        return state[path] if path in state else RemoteAttribute(self._module, path)
