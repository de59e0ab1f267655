"""The libraries as they are installed: what a notebook has replaced in them is put back while an answer is judged.

An answer that is right only because ``Tensor.detach`` was replaced is wrong wherever else it is used.
"""

import builtins
import inspect
import math
import operator
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import torch
from torch import nn
from torch.nn.modules.rnn import RNNBase

LIBRARIES = (builtins, math, torch, nn, nn.functional, torch.linalg, torch.special)


def _classes() -> Iterator[type]:
    """Those that answers use most; subclasses of these look up what they do not define in them."""
    yield from (torch.Tensor, torch.Generator, torch.no_grad, torch.enable_grad, torch.set_grad_enabled, RNNBase)
    yield from (one for one in vars(nn).values() if inspect.isclass(one) and issubclass(one, nn.Module))


Installed = tuple[Any, tuple[str, ...], tuple[Any, ...]]  # an owner, names and what they stood for

INSTALLED: list[Installed] = [(one, tuple(vars(one)), tuple(vars(one).values())) for one in (*LIBRARIES, *_classes())]
GONE = object()


@contextmanager
def as_installed() -> Iterator[None]:
    """Undoes what has been replaced in the libraries, and does it again afterwards."""
    replaced: list[tuple[Any, str, Any]] = []
    for owner, names, values in INSTALLED:
        current = vars(owner)
        if all(map(operator.is_, map(current.get, names), values)):  # never by ==, which a replacement may define
            continue
        for name, value in zip(names, values, strict=True):
            if (other := current.get(name, GONE)) is not value:
                with suppress(AttributeError, TypeError):  # what Python itself protects cannot have been replaced
                    setattr(owner, name, value)
                    replaced.append((owner, name, other))
    try:
        yield
    finally:
        for owner, name, other in replaced:
            delattr(owner, name) if other is GONE else setattr(owner, name, other)
