"""A number as an answer returns it: Python's own, or a tensor of one element."""

import math
from collections.abc import Mapping

from torch import Tensor

from autograder.expect import CheckFailed


def is_number(value: object) -> bool:
    if isinstance(value, Tensor):
        return value.numel() == 1
    return isinstance(value, int | float) and not isinstance(value, bool)


def number(value: object) -> float:
    return float(value.detach().cpu()) if isinstance(value, Tensor) else float(value)


def close(ours: float, theirs: float) -> bool:
    """Equal up to rounding in float32."""
    return math.isfinite(ours) and math.isclose(ours, theirs, rel_tol=1e-4, abs_tol=1e-6)


def expect_lists_unchanged(what: str, now: Mapping[str, object], before: Mapping[str, list]) -> None:
    """Lists that the answer has left as they were."""
    for name, value in before.items():
        if now[name] != value:
            raise CheckFailed(what, f"{name} was changed in place", "the argument left as it was")
