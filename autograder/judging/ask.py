"""Asks a learner's answers, which stay in the sandbox: plain data goes there, and plain data comes back.

A task sends its cases and reads what was observed in each; the plain ``assert`` of an instructor calls an answer as if
it were here, and looks at the attributes of what it returns.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from autograder.checking.observation import Observation
from autograder.checking.play import raised
from autograder.checking.program import messages, observations_in
from autograder.finding import CheckFailed
from autograder.judging.answer_client import AnswerClient
from autograder.judging.sanitise import alter, printable
from autograder.sandbox.wire import Handle, Name, Opaque
from autograder.tracebacks import AnswerError

PLAIN = (type(None), bool, int, float, complex, str, bytes, numpy.ndarray)
SEQUENCES = (list, tuple, set, frozenset)
NO_GRADIENT = "no gradient flows into an answer from here: give it `x.detach()`, or write a task"
STAYS = "the {0} stays in the learner's process: call its methods, and compare the data that they return"
OPERATORS = "lt le gt ge bool len iter next contains getitem setitem delitem int float index abs neg invert"
BINARY = "add sub mul matmul truediv floordiv mod pow and or xor"


class RemoteAnswer:
    """A learner's function, class, object or method, as a check sees it."""

    def __init__(self, caller: "Caller", target: Name | Handle, name: str, path: str = "") -> None:
        vars(self).update(_caller=caller, _target=target, _path=path, __name__=name)
        if isinstance(target, Handle):
            vars(self)["type_name"] = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._caller.call(self._target, self._path, self.__name__, args, kwargs)

    def observe_remotely(self, cases: Sequence[dict[str, Any]], brief: bool = True) -> Iterator[list[Observation]]:
        """Runs each case in the learner's process and yields what was observed."""
        return self._caller.observe(self._target, cases, self.__name__, brief)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        path, subject = f"{self._path}.{name}".lstrip("."), f"{self.__name__}.{name}"
        is_method, value = self._caller.look(self._target, path, subject)
        return RemoteAnswer(self._caller, self._target, subject, path) if is_method else value

    def __eq__(self, other: object) -> bool:
        """Whether it is the same object; none may claim to equal a value of ours."""
        if not isinstance(other, RemoteAnswer):
            raise TypeError(STAYS.format(self.__name__))
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        return getattr(self._target, "key", None), getattr(self._target, "name", None), self._path

    def __repr__(self) -> str:
        return f"<your {self.__name__}>"


def _refused(self: RemoteAnswer, *others: Any) -> Any:
    raise TypeError(STAYS.format(self.__name__))


# An object that claimed to be equal to everything, or a difference of 0, would pass.
for _name in (*OPERATORS.split(), *(side + name for name in BINARY.split() for side in ("", "r"))):
    setattr(RemoteAnswer, f"__{_name}__", _refused)


class Caller:
    """Calls one submission's answers over one client."""

    def __init__(self, client: AnswerClient) -> None:
        self.client = client
        # Type and name of the object, and path of each attribute that can be called.
        self.methods: set[tuple[str, str, str]] = set()

    def fetch(self, name: str) -> Any:
        """The value of an exported name: data as is, anything else to be called there."""
        reply = self.client.request(name, op="fetch", name=name)
        if reply.get("callable"):
            return RemoteAnswer(self, Name(name), name)
        return self.received(reply.get("result"), name)

    def look(self, target: Name | Handle, path: str, subject: str) -> tuple[bool, Any]:
        """Whether an attribute can be called, asked once per kind of object; and otherwise its value.

        Raises:
            AnswerError: there is no such attribute; the error is also an AttributeError.
        """
        kind = ("" if isinstance(target, Name) else target.type_name, getattr(target, "name", ""), path)
        if kind in self.methods:
            return True, None
        reply = self.client.request(subject, op="look", target=target, path=path)
        if reply.get("callable"):
            self.methods.add(kind)
            return True, None
        return False, self.received(reply.get("result"), subject)

    def observe(
        self, target: Name | Handle, cases: Sequence[dict[str, Any]], subject: str, brief: bool
    ) -> Iterator[list[Observation]]:
        """Runs cases in the learner's process and yields what was observed in each.

        All replies to a message are read before any is compared.
        """
        for some in messages(cases):
            self.client.post(subject, op="observe", target=target, cases=list(some), brief=brief)
            yield from [self._observations(subject, case["labels"][0]) for case in some]

    def _observations(self, subject: str, label: str) -> list[Observation]:
        try:
            reply = self.client.reply(subject)
            if "unsent" in reply:
                return [Observation("unfit", label, CheckFailed(label, f"not sent: {printable(reply['unsent'])}"))]
            return observations_in(self.received(reply.get("seen"), subject))
        except AnswerError as error:
            return [Observation("raised", label, raised(error))]
        except ValueError as error:
            raise self.client.tampered(subject, str(error)) from None

    def call(self, target: Any, path: str, subject: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls an answer and returns its result; its in-place changes of arguments are repeated on ours.

        Raises:
            AnswerError: the answer raised, or gave an argument another shape or dtype.
            AnswerLost: there is no valid reply.
            TypeError: an argument is no data.
        """
        given, named = [self.sent(value) for value in args], {key: self.sent(value) for key, value in kwargs.items()}
        reply = self.client.request(subject, op="call", target=target, path=path, args=given, kwargs=named)
        if "unsent" in reply:
            raise AnswerError("ValueError", f"what it returned was not sent: {printable(reply['unsent'])}")
        if "result" not in reply or type(changed := reply.get("changed")) is not list:
            raise self.client.tampered(subject, "an incomplete reply")
        for entry in changed:
            match entry:
                case [int(index), new] if 0 <= index < len(args) and isinstance(args[index], Tensor | list | dict):
                    alter(args[index], self.received(new, subject))
                case _:
                    raise self.client.tampered(subject, "a change to something it was not given")
        return self.received(reply["result"], subject)

    def received(self, value: Any, subject: str) -> Any:
        """A value from the wire as checks see it."""
        if type(value) in SEQUENCES:
            return type(value)(self.received(item, subject) for item in value)
        if type(value) is dict:
            return {self.received(key, subject): self.received(item, subject) for key, item in value.items()}
        if isinstance(value, Handle):
            handle = Handle(value.key, printable(value.type_name, 80) or "object")
            return RemoteAnswer(self, handle, handle.type_name)
        if isinstance(value, Opaque):
            return Opaque(printable(value.type_name, 80))
        if isinstance(value, Tensor) or type(value) in PLAIN:
            return value
        raise self.client.tampered(subject, "a name where a value should be")

    def sent(self, value: Any) -> Any:
        """A value as sent over the wire; raises TypeError if it is no data."""
        if isinstance(value, Tensor) and value.requires_grad and torch.is_grad_enabled():
            raise TypeError(NO_GRADIENT)
        if isinstance(value, RemoteAnswer) and not value._path:
            return value._target
        if type(value) in SEQUENCES:
            return type(value)(map(self.sent, value))
        if type(value) is dict:
            return {key: self.sent(item) for key, item in value.items()}
        if isinstance(value, Tensor) or type(value) in PLAIN:
            return value
        raise TypeError(f"a {type(value).__name__} does not reach an answer: give it numbers, texts, lists or tensors")
