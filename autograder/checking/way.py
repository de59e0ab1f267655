"""How an answer computes what it returns, where the task asks for a way: by hand, or for everything at once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode

from autograder.finding import CheckFailed


class _Refused(Exception):
    """Autograd was asked for gradients, backwards or forwards."""

    @staticmethod
    def make_dual(*args: Any, **kwargs: Any) -> None:
        raise _Refused

    run_backward = make_dual


def by_hand(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of a call in which autograd gives no gradients.

    Raises:
        CheckFailed: the function asks autograd for gradients.
    """
    with (
        mock.patch.object(torch.autograd.Variable, "_execution_engine", _Refused),  # of grad, backward, func.grad, vjp
        mock.patch.object(torch.autograd.forward_ad, "make_dual", _Refused.make_dual),  # of jvp and jacfwd
    ):
        try:
            return function(*args, **kwargs)
        except _Refused:
            why = "write down what the derivation on paper gives; autograd is there to compare it with"
            raise CheckFailed("the answer", "computed by autograd", "computed by hand", why, "autograd") from None


@dataclass(frozen=True)
class Cost:
    """The result of a call, and what it took to compute it."""

    result: Any
    operations: int  # of torch: as many for long inputs as for short ones, if there is no loop
    numbers: int  # that the operations store


class _Counting(TorchFunctionMode):
    """Counts operations, and the numbers that they store anew: a view stores none."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.numbers = 0
        self.results: dict[int, Any] = {}  # by address, which stays taken as long as they are here

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        self.calls += 1
        self._store(*args)
        self.numbers += self._store(*(result if isinstance(result, tuple) else [result]))
        return result

    def _store(self, *values: Any) -> int:
        stored = 0
        with torch._C.DisableTorchFunction():
            for value in values:
                if isinstance(value, torch.Tensor) and (address := _address(value)) not in self.results:
                    self.results[address] = value
                    stored += value.untyped_storage().nbytes() // value.element_size() if address else value.numel()
        return stored


def _address(value: torch.Tensor) -> int:
    """Where its numbers are; 0 for one without a place of its own, as within ``vmap`` or if it is sparse."""
    try:
        return value.untyped_storage().data_ptr()
    except RuntimeError:
        return 0


@contextmanager
def _counted() -> Iterator[_Counting]:
    """Counts what a call does, in the threads that it starts as well."""
    counting, begin = _Counting(), threading.Thread._bootstrap_inner  # type: ignore[attr-defined]

    def begin_counted(thread: threading.Thread) -> None:
        with counting:  # a mode holds for one thread alone
            begin(thread)

    with mock.patch.object(threading.Thread, "_bootstrap_inner", begin_counted), counting:
        yield counting


def noted(module: torch.nn.Module, method: str) -> list[int]:
    """Makes a method note how many rows its first argument has, call by call, in the list that is returned."""
    rows: list[int] = []
    called = getattr(module, method)

    def call(*args: Any, **kwargs: Any) -> Any:
        rows.append(len((*args, *kwargs.values())[0]))
        return called(*args, **kwargs)

    setattr(module, method, call)
    return rows


def cost(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Cost:
    """Calls the function, and counts what that costs."""
    with _counted() as counting:
        result = function(*args, **kwargs)
    return Cost(result, counting.calls, counting.numbers)
