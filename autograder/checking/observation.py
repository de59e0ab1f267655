"""What is observed of an answer in one case, and what it is played with: data, without any task or reference."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

Arguments = dict[str, Any]
Play = Callable[..., Any]
Reading = Callable[[SimpleNamespace, Any], Iterator[tuple[str, Any]]]  # of the inputs and the answer's result

FIRST, SECOND, REPEATED = "the first call", "a second call", "the first call repeated"  # on one object
REWEIGHTED = "a call after the weights have changed, a module in eval mode"
CHANGED = "a call after the contents of the arguments have changed, a module's weights and mode too"
LATER = (REWEIGHTED, CHANGED)
ENDS = ("raised", "unfit")  # kinds of observations after which nothing follows
OTHER_DRAW = "second"  # the key of other inputs of the same sizes; the first ones have ""


@dataclass(frozen=True)
class Raised:
    """An exception raised by the answer."""

    kind: str
    detail: str = ""
    line: str = ""
    kinds: tuple[str, ...] = ()  # its class and its base classes

    @property
    def unwritten(self) -> bool:
        return self.kind == "NotImplementedError" and self.detail in ("", "not written yet")


@dataclass(frozen=True)
class Observation:
    """One of those made in a case; a check does not distinguish two answers whose observations are all equal."""

    kind: str  # "value", "arguments", "gradient", "raised" or "unfit"
    label: str
    value: Any
    phase: str = ""  # "" for the first call, else which of the repeated ones

    @property
    def ends(self) -> bool:
        """Whether nothing follows."""
        return self.kind in ENDS


@dataclass(frozen=True)
class Candidate:
    """An answer, the reference, or the reference with a change, with the tools it is used with."""

    answer: Callable[..., Any]
    tools: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Constructor:
    """How to build an object of the answer's class, and its weights; None if it is not a module."""

    name: str
    arguments: tuple[Any, ...] = ()
    weights: Mapping[str, Tensor] | None = None
    double: bool = False


@dataclass(frozen=True)
class Usage:
    """How an answer is used in one case, apart from its inputs."""

    labels: tuple[str, ...]  # of its results
    again: bool  # repeat calls
    gradients: bool
    unchanged: bool  # arguments must stay unchanged
    pull: Callable[[str], torch.Generator]  # draws the upstream gradient of a result for the backward pass
    play: Play | None = None  # uses the answer and yields (label, result); None: call the answer with all inputs
    constructor: Constructor | None = None  # if the answer is a class
    tools: tuple[Constructor | None, ...] = field(default=())  # the same for each tool
    reading: Reading | None = None  # what the check makes of the one result, in the process of the check

    @property
    def returned(self) -> tuple[str, ...]:
        """The labels of what the answer itself returns."""
        return self.labels if self.reading is None else self.labels[:1]

    @property
    def once(self) -> "Usage":
        """The results of one call, and nothing more."""
        return replace(self, again=False, gradients=False, unchanged=False)
