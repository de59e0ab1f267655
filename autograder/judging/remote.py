"""Answers in the sandbox, as checks see them: functions, classes and objects that are called there, with data."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from autograder.checking.observation import Observation
from autograder.sandbox.wire import Handle, Name

STAYS = "the {0} stays in the learner's process: call its methods, and compare the data that they return"
OPERATORS = "lt le gt ge bool len iter next contains getitem setitem delitem int float index abs neg invert"
BINARY = "add sub mul matmul truediv floordiv mod pow and or xor"


class Caller(Protocol):
    """How an answer is reached: see :mod:`autograder.judging.calls`."""

    def call(self, target: Any, path: str, subject: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...
    def look(self, target: Name | Handle, path: str, subject: str) -> tuple[bool, Any]: ...
    def observe(
        self, target: Name | Handle, cases: Sequence[dict[str, Any]], subject: str, brief: bool
    ) -> Iterator[list[Observation]]: ...


class RemoteAnswer:
    """A learner's function, class, object or method."""

    def __init__(self, caller: Caller, target: Name | Handle, name: str, path: str = "") -> None:
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
