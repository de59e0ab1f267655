"""When two values are equal: one function, with a rule for each kind of what is expected."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from autograder.checking.observation import Observation, Raised
from autograder.checking.values import has_values, is_data, is_number
from autograder.finding import CheckFailed

# Relative and absolute tolerance. In float64, what was computed in float32 differs by 6e-8 of itself; a usual small
# constant such as 1e-9 may stand.
NUMBERS, TENSORS, DOUBLES = (1e-4, 1e-6), (2e-4, 2e-5), (1e-8, 1e-8)
EXACT = 0.0  # a tolerance of tensors: to the last digit


def equal(expected: Any, got: Any, tolerance: float | None = None) -> bool:
    """Whether ``got`` equals ``expected`` up to rounding; both have passed through :func:`values.plain`.

    ``tolerance``: in place of the usual one, in float64 too only if it is EXACT.
    """
    rule = next(rule for kinds, rule in RULES if isinstance(expected, kinds))
    return rule(expected, got, tolerance)


def _tensors(expected: Tensor, got: Any, tolerance: float | None) -> bool:
    if not isinstance(got, Tensor) or mismatch(expected, got):
        return False
    if not has_values(expected):  # the answer's own result, compared with its earlier one
        return True
    same_kind = got.dtype == expected.dtype and got.device == expected.device
    if same_kind and torch.equal(got, expected):
        return True  # shortcut: the next lines are ten times slower
    if tolerance == EXACT:
        return same_kind and not got.is_complex() and torch.equal(expected.nan_to_num(), got.nan_to_num())
    relative, absolute = TENSORS if tolerance is None else (10 * tolerance, tolerance)
    if expected.dtype == torch.float64:
        relative, absolute = DOUBLES
    wide = torch.complex128 if got.is_complex() else torch.float64
    left, right = (tensor.detach().cpu().to(wide) for tensor in (got, expected))
    scale = max(1.0, float(right.abs().nan_to_num(0, 0, 0).max()) if right.numel() else 1.0)
    return torch.allclose(left, right, rtol=relative, atol=absolute * math.sqrt(scale), equal_nan=True)


def _truths(expected: bool, got: Any, tolerance: float | None) -> bool:
    is_single = isinstance(got, Tensor) and got.numel() == 1 and got.dtype == torch.bool and has_values(got)
    return (bool(got) if is_single else got) is expected


def _numbers(expected: float, got: Any, tolerance: float | None) -> bool:
    if not is_number(got) or (isinstance(expected, int) and not _is_whole(got)):
        return False
    relative, absolute = (tolerance, tolerance) if tolerance else NUMBERS
    right, number = float(expected), float(got)
    both_nan = math.isnan(right) and math.isnan(number)
    return both_nan or math.isclose(number, right, rel_tol=relative, abs_tol=absolute)


def _sequences(expected: Any, got: Any, tolerance: float | None) -> bool:
    items = got.tolist() if isinstance(got, Tensor) and got.dim() and has_values(got) else got
    if not isinstance(items, list | tuple) or len(items) != len(expected):
        return False
    return all(equal(right, item, tolerance) for right, item in zip(expected, items, strict=True))


def _mappings(expected: Mapping[Any, Any], got: Any, tolerance: float | None) -> bool:
    if not isinstance(got, dict) or sorted(map(str, expected)) != sorted(map(str, got)):
        return False
    return all(key in got and equal(right, got[key], tolerance) for key, right in expected.items())


def _observations(expected: Observation, got: Any, tolerance: float | None) -> bool:
    if got is None or (expected.kind, expected.phase) != (got.kind, got.phase):
        return False
    if expected.ends:
        return equal(expected.value, got.value)
    if expected.label != got.label:
        return False
    if expected.kind == "gradient":
        return _gradients(expected.value, got.value, tolerance)
    return equal(expected.value, got.value, tolerance)


def _gradients(expected: Any, got: Any, tolerance: float | None) -> bool:
    """Compares one result's gradients (input name → gradient, or None if the result depends on no input)."""
    if expected is None or (got is None and not any(map(_arrives, expected.values()))):
        return True  # no gradient is required: such a result may or may not have a graph
    return isinstance(got, dict) and wrong_gradient(expected, got, tolerance) is None


def wrong_gradient(expected: Mapping[str, Any], got: Mapping[str, Any], tolerance: float | None) -> str | None:
    """The first input with a wrong gradient."""
    for name, right in expected.items():
        gradient = got.get(name)
        if right is None or gradient is None:
            is_wrong = _arrives(gradient if right is None else right)
        else:
            is_wrong = not equal(right, gradient, tolerance)
        if is_wrong:
            return name
    return None


def _arrives(gradient: Any) -> bool:
    """Whether something of it does: none, and one of zeros, are the same."""
    return isinstance(gradient, Tensor) and bool(gradient.detach().any())


Rule = Callable[[Any, Any, float | None], bool]
RULES: tuple[tuple[Any, Rule], ...] = (  # the first that fits counts: a truth value is a number, too
    (Tensor, _tensors),
    (bool, _truths),
    (int | float, _numbers),
    (list | tuple, _sequences),
    (dict, _mappings),
    (Observation, _observations),
    (Raised, lambda expected, got, _: not got.unwritten and expected.kind in (got.kind, *got.kinds)),
    (CheckFailed, lambda expected, got, _: str(expected) == str(got)),
    # texts and None; of objects only the types
    (object, lambda expected, got, _: type(got) is type(expected) and (not is_data(expected) or got == expected)),
)


def mismatch(expected: Tensor, got: Tensor) -> str:
    """How two tensors differ apart from their values: "layout", "device", "dtype", "shape" or ""."""
    if got.layout is not torch.strided:
        return "layout"
    if got.device.type != expected.device.type:
        return "device"
    if got.dtype != expected.dtype and not (_counts(got.dtype) and _counts(expected.dtype)):
        return "dtype"
    return "shape" if got.shape != expected.shape else ""


def where_wrong(expected: Tensor, got: Tensor) -> Tensor:
    """Of two tensors of one shape, True where a number of the one is not that of the other."""
    relative, absolute = NUMBERS
    return ~torch.isclose(expected.double(), got.double(), relative, absolute)


def _counts(dtype: torch.dtype) -> bool:
    """Whether it is an integer type of any width."""
    return not dtype.is_floating_point and not dtype.is_complex and dtype != torch.bool


def _is_whole(value: Any) -> bool:
    return _counts(value.dtype) if isinstance(value, Tensor) else isinstance(value, int)
