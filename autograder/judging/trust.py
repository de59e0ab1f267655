"""How far the judge trusts what comes out of the sandbox: how much of it, which signs, and which changes."""

import builtins
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from autograder.expect import AnswerError

MAX_RECEIVED = 256 * 2**20  # bytes that one examination takes in: room for every honest answer many times over
SILENT = ("Cc", "Cf", "Cs")  # control characters, marks that turn the direction of writing, half characters


def spoken(value: Any, length: int = 500) -> str:
    """A text of the learner's process as it may be printed: of bounded length, without what steers a terminal."""
    text = value[: 4 * length] if isinstance(value, str) else ""
    return "".join(sign for sign in text if sign in "\n\t" or unicodedata.category(sign) not in SILENT)[:length]


def answer_error(kind: str, detail: str, line: str, kinds: Sequence[str]) -> AnswerError:
    """What an answer raised, to be caught by a check as the exception of Python's that it is, or derives from."""
    for name in (kind, *kinds):
        known = getattr(builtins, name, None)
        if isinstance(known, type) and issubclass(known, Exception) and known not in UNLIKE:
            return _mirrored(known)(kind, detail, line, tuple(kinds))
    return AnswerError(kind, detail, line, tuple(kinds))


# A check that is a generator may let no StopIteration out; a text error is made of other parts.
UNLIKE = (Exception, StopIteration, StopAsyncIteration, UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError)


@lru_cache
def _mirrored(kind: type[Exception]) -> type[AnswerError]:
    return type(kind.__name__, (AnswerError, kind), {})


class Allowance:
    """How much one examination may still take in, over all its links."""

    def __init__(self, size: int = MAX_RECEIVED) -> None:
        self.left = size

    def take(self, size: int) -> None:
        self.left -= size


def alter(ours: list[Any] | dict[str, Any], theirs: Any) -> None:
    """Does to our list or dictionary what the answer did to its own; a check gives each answer one of its own."""
    ours.clear()
    ours.extend(theirs) if isinstance(ours, list) else ours.update(theirs)


def change(ours: Tensor, theirs: Tensor, owned: set[int]) -> None:
    """Does to our argument what the answer did to its own.

    A parameter of the answer's own may change. An argument that gradients flow through may not, unless they are
    switched off: PyTorch forbids it, and a reference that is computed from it afterwards would agree with whatever
    the answer wrote there.
    """
    if (theirs.shape, theirs.dtype) != (ours.shape, ours.dtype):
        raise AnswerError("ValueError", "an argument was given another shape or dtype in place")
    if ours.requires_grad and torch.is_grad_enabled() and id(ours) not in owned:
        raise AnswerError("RuntimeError", "an argument that gradients flow through was changed in place")
    ours.data.copy_(theirs.detach())
