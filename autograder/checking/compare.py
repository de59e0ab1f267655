"""The first difference between an answer and the reference in one case, and its description."""

import builtins
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.observe import CHANGED, FIRST, REPEATED, SECOND, Raised, Seen
from autograder.checking.task import Case, Task
from autograder.checking.values import BITS, alike, bits, has_values, is_data, is_number, mismatch, most
from autograder.expect import CUT, same
from autograder.finding import UNWRITTEN, Finding
from autograder.wording import SQUEEZED, axis_names, brief, difference, listed, shape_reason

IN_PLACE = (
    "the caller still needs it: work on a new object (no `+=`, no `masked_fill_`, no `requires_grad_`, no assignment "
    "to a slice)"
)
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|\d{5,}")  # as inputs have them; sizes and indices are shorter
KEPT = (
    "objects and functions are called repeatedly: nothing may be kept from one call to the next, and no result "
    "may change after its call"
)
MODE = (
    "the call before was in training mode, with other contents and weights: is something kept, or the mode asked for?"
)


@dataclass(frozen=True)
class Difference:
    case: Case
    expected: Seen | None
    got: Seen | None

    @property
    def is_final(self) -> bool:
        """Whether a search for the mistake behind this difference is pointless."""
        seen = self.got
        if seen is None or seen.kind == "unfit" or (seen.kind == "raised" and seen.value.unwritten):
            return True
        right = self.expected.value if self.expected else None
        return isinstance(seen.value, Tensor) and seen.value.numel() > most(right)


def first_difference(
    case: Case, expected: Iterable[Seen], got: Iterable[Seen], tolerance: float | None = None
) -> Difference | None:
    """None if all observations match."""
    theirs = iter(got)
    for one in expected:
        other = next(theirs, None)
        if other is None or not matches(one, other, case, tolerance):
            return Difference(case, one, other)
    other = next(theirs, None)
    return None if other is None else Difference(case, None, other)


def matches(expected: Seen, got: Seen, case: Case, tolerance: float | None = None) -> bool:
    if expected.kind != got.kind or expected.phase != got.phase:
        return False
    if expected.kind == "raised":
        return _same_error(expected.value, got.value)
    if expected.kind == "unfit":
        return str(expected.value) == str(got.value)
    if expected.label != got.label:
        return False
    if expected.kind == "gradient":
        return _same_gradient(expected.value, got.value, tolerance)
    if expected.kind == "argument" and isinstance(expected.value, Tensor) and isinstance(got.value, Tensor):
        # to the last digit: nothing computes it
        return torch.equal(expected.value.nan_to_num(), got.value.nan_to_num())
    return alike(expected.value, got.value, tolerance)


def _same_error(expected: Raised, got: Raised) -> bool:
    if got.unwritten:
        return False
    return expected.kind == got.kind or expected.kind in got.kinds


def _same_gradient(expected: Any, got: Any, tolerance: float | None) -> bool:
    """Compares one result's gradients (input name → gradient, or None if the result depends on no input)."""
    if expected is None or (got is None and not any(map(_is_some, expected.values()))):
        return True  # no gradient is required: such a result may or may not have a graph
    return isinstance(got, dict) and _wrong_gradient(expected, got, tolerance) is None


def _wrong_gradient(expected: dict[str, Any], got: dict[str, Any], tolerance: float | None) -> str | None:
    """The first input with a wrong gradient."""
    for name, one in expected.items():
        other = got.get(name)
        if one is None:
            if _is_some(other):
                return name
        elif other is None and not _is_some(one):
            continue
        elif not isinstance(other, Tensor) or not alike(one, other, tolerance):
            return name
    return None


def _is_some(gradient: Any) -> bool:
    """Whether something of it arrives: none, and one of zeros, are the same."""
    return isinstance(gradient, Tensor) and bool(gradient.detach().any())


def describe(task: Task, one: Difference, inputs: dict[str, Any], everything: Sequence[Seen]) -> Finding:
    """The difference in words, with only those causes that are obvious from it.

    ``everything``: all observations of the answer in this case.
    """
    case, seen, hides = one.case, one.got, one.case.words if one.case.hidden else ""
    base = Finding(task.id, one.case.words)
    if seen is None:
        return _finding(base, "missing", one.expected.label if one.expected else "", "nothing", "a result")
    if seen.kind == "unfit":
        said: Finding = seen.value.finding
        return _finding(base, said.mistake or "unfit", said.what, said.got, said.expected, said.why)
    if seen.kind == "raised":
        return _raised(base, case, seen, one.expected, inputs)
    if one.expected is None or one.expected.kind == "raised":
        kind = one.expected.value.kind if one.expected else "nothing more"
        article = "an" if kind[:1] in "AEIOU" else "a"
        why = "silence here becomes a wrong result later"
        return _finding(
            base, "error_missing", seen.label, "returned as if nothing were wrong", f"{article} {kind}", why
        )
    if seen.kind == "argument":
        got, why = "changed in place", IN_PLACE
        if seen.label not in inputs:  # the names of what has changed in a module
            got, why = f"changed during a call: {listed(seen.value)}", "only an optimiser changes a module"
        return _finding(base, "changed_in_place", seen.label, got, "the argument left as it was", why)
    if seen.kind == "gradient":
        return _gradient(base, seen, one.expected, hides)
    finding = _value(base, task, seen, one.expected, case)
    if finding.mistake == "values" and remembers(seen, everything):
        got, expected = f"wrong in {seen.phase}", "what the arguments of that call give"
        return _finding(base, "remembers", seen.label, got, expected, MODE if seen.phase == CHANGED else KEPT)
    return finding


def remembers(seen: Seen, everything: Sequence[Seen]) -> bool:
    """Whether a wrong result in one of the repeated calls is caused by an earlier call.

    If the second call is wrong only because of its own inputs, the repeated first call gives its old result.
    """
    if seen.phase not in (FIRST, SECOND, REPEATED):
        return seen.phase == CHANGED
    first, second, repeated = (
        [one.value for one in everything if (one.phase, one.label, one.kind) == (phase, seen.label, "value")]
        for phase in (FIRST, SECOND, REPEATED)
    )
    repeats = alike(first, second) and sum(map(bits, first)) >= BITS
    return seen.phase != SECOND or not alike(first, repeated) or repeats


def _finding(
    base: Finding, mistake: str, what: str, got: str, expected: str = "", why: str = "", sure: str = ""
) -> Finding:
    return Finding(base.task, base.case, mistake, what, got, expected, why, sure or ("property" if why else ""))


def _raised(base: Finding, case: Case, seen: Seen, expected: Seen | None, inputs: dict[str, Any]) -> Finding:
    error: Raised = seen.value
    if error.unwritten:
        return _finding(base, UNWRITTEN, seen.label, "not written yet")
    at = f", at your line `{error.line}`" if error.line else ""
    if case.hidden:  # an answer may raise what it was given, in any form, and by a class of its own
        kind = next((name for name in error.kinds if hasattr(builtins, name)), error.kind)
        says = "" if error.line.startswith("raise") or kind != error.kind else NUMBER.sub("…", error.detail)
        error = replace(error, kind=kind, detail=QUOTED.sub("…", says))
    got = f"raised {error.kind}: {error.detail}{at}" if error.detail else f"raised {error.kind}{at}"
    if expected is not None and expected.kind == "raised":
        return _finding(base, "error_wrong", seen.label, got, expected.value.kind, "", "property")
    handed = ", ".join(f"{name} {brief(value)}" for name, value in inputs.items())
    why = f"it was given {handed}" if handed else ""
    return replace(base, mistake=f"raised.{error.kind}", what=seen.label, got=got, why=why)


def _gradient(base: Finding, seen: Seen, expected: Seen, hides: str) -> Finding:
    why = f"is it used at all, and if so: {CUT}"
    if seen.value is None:
        return _finding(base, "no_gradient", seen.label, "cut off from autograd", "a result with a gradient", CUT)
    name = _wrong_gradient(expected.value, seen.value, None) or next(iter(expected.value))
    got, wanted = seen.value.get(name), expected.value[name]
    cut_off = not isinstance(got, Tensor) or not got.any()  # through another answer it is 0 rather than None
    if cut_off and wanted is not None:
        return _finding(base, "no_gradient", seen.label, f"no gradient reaches {name}", "one", why)
    what = f"the gradient of {seen.label} at {name}"
    if wanted is None:
        return _finding(base, "gradient", what, "a gradient", "none", f"{seen.label} does not depend on {name}")
    if not got.isfinite().all() and wanted.isfinite().all():
        return _finding(base, "gradient_not_finite", what, "NaN or infinity", "finite numbers", "0 · ∞ gives NaN")
    why = f"the values are right, the way to them is not: {CUT}"
    size = float(wanted.abs().max()) or 1.0
    if same(got / size, wanted / size, 1e-3):
        why = "it is nearly right: is something merely small that should be 0, or rounded?"
    return _finding(base, "gradient", what, *difference(got, wanted, hides), why)


def _value(base: Finding, task: Task, seen: Seen, expected: Seen, case: Case) -> Finding:
    label, got, wanted, hides = expected.label, seen.value, expected.value, case.words if case.hidden else ""
    if isinstance(wanted, Tensor):
        return _tensor(base, task, label, got, wanted, case)
    if got is None:
        return _finding(base, "nothing", label, "nothing (None)", brief(wanted), "is the `return` missing?")
    if isinstance(wanted, bool):
        if not isinstance(got, bool | Tensor):
            return _finding(base, "kind", label, _kind(got, hides), "True or False")
    elif isinstance(wanted, int | float):
        if not is_number(got):
            return _finding(base, "kind", label, _kind(got, hides), "a number")
        if isinstance(wanted, int) and isinstance(got, float) and not hides and math.isclose(got, wanted):
            return _finding(base, "kind", label, repr(got), f"the whole number {wanted}")
        if not math.isfinite(float(got)) and math.isfinite(float(wanted)):
            return _finding(base, "not_finite", label, repr(float(got)), "a finite number")
    elif isinstance(wanted, list | tuple) and not isinstance(got, list | tuple | Tensor):
        return _finding(base, "kind", label, _kind(got, hides), "a list" if isinstance(wanted, list) else "a tuple")
    elif type(got) is not type(wanted) and not isinstance(wanted, list | tuple):
        return _finding(
            base, "kind", label, _kind(got, hides), brief(wanted) if not hides else f"a {type(wanted).__name__}"
        )
    why = task.words.get(label, "")
    if hides:
        return _finding(base, "values", label, "another value", "that of the definition", why)
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        return _finding(base, "values", label, f"{float(got):.4g}", f"{float(wanted):.4g}", why)
    return _finding(base, "values", label, f"{_listed(got)}", f"{_listed(wanted)}", why)


def _kind(value: Any, hides: str) -> str:
    """The value in a few words; in a hidden case its kind alone, as an answer may return what it was given."""
    if not hides or value is None or isinstance(value, Tensor | list | tuple):
        return brief(value)
    return f"a {type(value).__name__}" if type(value).__module__ == "builtins" else "an object"


def _listed(value: Any) -> str:
    if not is_data(value) and not (isinstance(value, Tensor) and has_values(value)):
        return brief(value)
    text = repr(value.tolist() if isinstance(value, Tensor) else value)
    return text if len(text) <= 160 else text[:159] + "…"


def _tensor(base: Finding, task: Task, label: str, got: Any, wanted: Tensor, case: Case) -> Finding:
    hides = case.words if case.hidden else ""
    if got is None:
        return _finding(base, "nothing", label, brief(got), "a tensor", "is the `return` missing?")
    if not isinstance(got, Tensor):
        return _finding(base, "not_a_tensor", label, _kind(got, hides), "a tensor", "keep to tensors from start to end")
    difference_in = mismatch(wanted, got)
    if difference_in == "layout":
        return _finding(base, "layout", label, f"a tensor of layout {got.layout}", "an ordinary dense tensor")
    if difference_in == "device":
        why = "make new tensors on the device of the inputs (`device=…`)"
        return _finding(base, "device", label, f"device {got.device.type}", "that of the inputs", why)
    if difference_in == "dtype":
        why = "a new tensor needs the `dtype` of the inputs" if got.dtype.is_floating_point else ""
        if not wanted.dtype.is_floating_point:
            why = "True and False are asked for" if wanted.dtype == torch.bool else "whole numbers are asked for"
        return _finding(base, "dtype", label, f"dtype {got.dtype}", str(wanted.dtype), why)
    if difference_in == "shape":
        return _shape(base, task, label, got, wanted)
    if not got.isfinite().all() and wanted.isfinite().all():
        bad = ~got.isfinite()
        kind = "NaN" if got.isnan().any() else "infinity"
        rows = sorted({int(row) for row in bad.flatten(1).any(1).nonzero()}) if got.dim() > 1 else []
        where = f" in batch {listed(rows)}" if rows and not hides else ""
        return _finding(base, "not_finite", label, f"{kind}{where}", "finite numbers")
    return _finding(base, "values", label, *difference(got, wanted, hides), task.words.get(label, ""))


def _shape(base: Finding, task: Task, label: str, got: Tensor, wanted: Tensor) -> Finding:
    names = axis_names(task.results.get(label, ""), wanted.dim())
    shape, expected = tuple(got.shape), tuple(wanted.shape)
    squeezed = 1 in expected and shape == tuple(size for size in expected if size != 1)
    axes = dict(zip(names, expected, strict=True)) if len(set(names)) == len(names) else {}
    why = SQUEEZED if squeezed else shape_reason(shape, axes) if axes else ""
    text = "(" + ", ".join(f"{name}={size}" for name, size in zip(names, expected, strict=True)) + ")"
    return _finding(base, "squeezed" if squeezed else "shape", label, f"shape {shape}", text, why)
