"""Select and reorder the rows of a decoder's state and memory.

Both are opaque: tensors, None, or tuples of these.
"""

from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor


def reorder(state: Any, rows: Tensor) -> Any:
    """A decoder state with the hypotheses at `rows`, in that order; for tensors in tuples of any depth.

    A decoder state has its hypotheses on the last axis but one, (..., batch, size), or is a vector (batch,).
    """
    if isinstance(state, Tensor):
        return state.index_select(max(state.dim() - 2, 0), rows)
    return _map(state, lambda part: reorder(part, rows))


def select_memory(memory: Any, rows: Tensor) -> Any:
    """The same for a memory, whose tensors have the batch first."""
    if isinstance(memory, Tensor):
        return memory.index_select(0, rows)
    return _map(memory, lambda part: select_memory(part, rows))


def tensors(state: Any) -> list[Tensor]:
    """The tensors of a state, in order."""
    if isinstance(state, Tensor):
        return [state]
    return [tensor for part in state or () for tensor in tensors(part)]


def with_tensors(state: Any, others: Iterable[Tensor]) -> Any:
    """A state of the same form with other tensors, in order."""
    rest = iter(others)
    return next(rest) if isinstance(state, Tensor) else _map(state, lambda part: with_tensors(part, rest))


def _map(parts: Any, select: Callable[[Any], Any]) -> Any:
    if parts is None:
        return None
    if not isinstance(parts, tuple):
        raise TypeError(f"state: got {type(parts).__name__}, expected a tensor, None, or a tuple of these.")
    selected = [select(part) for part in parts]
    return type(parts)(*selected) if hasattr(parts, "_fields") else tuple(selected)
