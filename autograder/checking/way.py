"""How an answer computes what it returns, where the task asks for a way: by hand, or for everything at once."""

from collections.abc import Callable
from typing import Any
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode

from autograder.finding import CheckFailed


class _Refused(Exception):
    """Autograd was asked for gradients, backwards or forwards."""

    @staticmethod
    def run_backward(*args: Any, **kwargs: Any) -> None:
        raise _Refused

    @staticmethod
    def make_dual(*args: Any, **kwargs: Any) -> None:
        raise _Refused


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


class _Counting(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls += 1
        return function(*args, **(kwargs or {}))


def noted(module: torch.nn.Module, method: str) -> list[int]:
    """Makes a method note how many rows its first argument has, call by call, in the list that is returned."""
    rows: list[int] = []
    called = getattr(module, method)

    def call(*args: Any, **kwargs: Any) -> Any:
        rows.append(len((*args, *kwargs.values())[0]))
        return called(*args, **kwargs)

    setattr(module, method, call)
    return rows


def operations(function: Callable[..., Any], *args: Any, **kwargs: Any) -> int:
    """How many operations of torch a call makes: as many for long inputs as for short ones, if there is no loop."""
    with _Counting() as counting:
        function(*args, **kwargs)
    return counting.calls
