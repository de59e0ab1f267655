"""Answers in the sandbox, as checks see them: proxies for the learner's functions, classes, objects and modules."""

import operator
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from autograder.checking.observe import Seen
from autograder.sandbox.wire import Handle, Name
from autograder.tracebacks import AnswerError


class Caller(Protocol):
    """How an answer is reached: see :mod:`autograder.judging.calls`."""

    def call(self, target: Any, method: str, subject: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...
    def look(self, target: Name | Handle, path: str, subject: str) -> tuple[bool, Any]: ...
    def operate(self, name: str, *operands: Any) -> Any: ...
    def observe(
        self, target: Name | Handle, cases: Sequence[dict[str, Any]], subject: str, brief: bool
    ) -> Iterator[Any]: ...


class RemoteAnswer:
    """A learner's function, class or object."""

    def __init__(self, caller: Caller, target: Name | Handle, name: str, method: str = "") -> None:
        vars(self).update(_caller=caller, _target=target, _method=method, __name__=name)
        if isinstance(target, Handle):
            vars(self)["type_name"] = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._caller.call(self._target, self._method, self.__name__, args, kwargs)

    def observe_remotely(self, cases: Sequence[dict[str, Any]], brief: bool = True) -> Iterator[list[Seen] | None]:
        """Runs each case in the learner's process and yields what was observed; None if that cannot be sent back."""
        return self._caller.observe(self._target, cases, self.__name__, brief)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        path, subject = f"{self._method}.{name}".lstrip("."), f"{self.__name__}.{name}"
        is_part, value = self._caller.look(self._target, path, subject)
        return RemoteAnswer(self._caller, self._target, subject, path) if is_part else value

    def __setattr__(self, name: str, value: Any) -> None:
        self._caller.operate("setattr", self, name, value)

    def __repr__(self) -> str:
        return f"<your {self.__name__}>"

    def __hash__(self) -> int:
        return hash((getattr(self._target, "key", None), getattr(self._target, "name", None), self._method))

    def __eq__(self, other: object) -> Any:
        """Two of the learner's objects compare by their own ``==``; none may claim to equal a value of ours."""
        if not isinstance(other, RemoteAnswer):
            held = self._held()
            return not isinstance(held, RemoteAnswer) and held == other
        if type(self._target) is type(other._target) and hash(self) == hash(other):
            return True
        return self._caller.operate("eq", self, other) is True

    def _held(self) -> Any:
        """The content of a learner's subclass of list, dictionary or set; for other objects, the object itself."""
        return self if isinstance(self._target, Name) else self._caller.operate("content", self)

    def __next__(self) -> Any:
        try:
            return self._caller.operate("next", self)
        except AnswerError as error:
            if error.kind == "StopIteration":
                raise StopIteration from None
            raise


def _forwarded(name: str, kind: type = object) -> Any:
    def forward(self: RemoteAnswer, *operands: Any) -> Any:
        result = self._caller.operate(name, self, *operands)
        if not isinstance(result, kind):
            raise TypeError(f"`{name}` of {self!r} returned no {kind.__name__}")
        return result

    return forward


def _computed(name: str, reflected: bool = False) -> Any:
    """A binary operator: between learner's objects, or with a value of ours only if the result is again an object.

    Otherwise an object that claims a difference of 0 to any value would pass.
    """

    def compute(self: RemoteAnswer, *others: Any) -> Any:
        operands = (*others, self) if reflected else (self, *others)
        if all(isinstance(one, RemoteAnswer) for one in operands):
            return self._caller.operate(name, *operands)
        held = [one._held() if isinstance(one, RemoteAnswer) else one for one in operands]
        if not any(isinstance(one, RemoteAnswer) for one in held):
            return getattr(operator, name)(*held)
        result = self._caller.operate(name, *operands)
        if not isinstance(result, RemoteAnswer):
            raise TypeError(f"`{name}` of {self!r} and a value returned no object of its kind")
        return result

    return compute


for _name, _kind in {
    **{"len": int, "bool": bool, "str": str, "int": int, "float": float, "contains": bool, "iter": object},
    **{"getitem": object, "setitem": object, "delitem": object, "abs": object, "neg": object},
}.items():
    setattr(RemoteAnswer, f"__{_name}__", _forwarded(_name, _kind))
for _name in ("lt", "le", "gt", "ge"):
    setattr(RemoteAnswer, f"__{_name}__", _computed(_name))
for _name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor"):
    setattr(RemoteAnswer, f"__{_name.rstrip('_')}__", _computed(_name))
    setattr(RemoteAnswer, f"__r{_name.rstrip('_')}__", _computed(_name, reflected=True))


class RemoteModule:
    """A learner's module; its parameters and buffers are the judge's own tensors."""

    def __init__(self, caller: Caller, handle: Handle) -> None:
        self._caller, self._key, self._type_name = caller, handle.key, handle.type_name
        self._state: dict[str, Tensor] = {
            name: nn.Parameter(tensor.detach()) if tensor.requires_grad else tensor
            for name, tensor in (handle.state or {}).items()
        }

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._caller.call(self, "", self._type_name, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._part(name)

    def _part(self, path: str) -> Any:
        if path in self._state:
            return self._state[path]
        subject = f"{self._type_name}.{path}"
        is_part, value = self._caller.look(Handle(self._key, self._type_name), path, subject)
        return RemoteAttribute(self, path) if is_part else value

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
        self._caller.call(self, "train", self._type_name, (mode,), {})
        return self

    def eval(self) -> "RemoteModule":
        return self.train(False)


class RemoteAttribute:
    """A method or submodule of a module, to call or to look up attributes on."""

    def __init__(self, module: RemoteModule, path: str) -> None:
        self._module, self._path = module, path

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        module = self._module
        return module._caller.call(module, self._path, f"{module._type_name}.{self._path}", args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._module._part(f"{self._path}.{name}")
