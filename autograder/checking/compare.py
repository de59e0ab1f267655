"""The first difference between an answer and the reference in one case, and its description."""

import builtins
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.equal import equal, mismatch, wrong_gradient
from autograder.checking.observation import FIRST, LATER, REPEATED, SECOND, Observation, Raised
from autograder.checking.task import Case, Task
from autograder.checking.values import BITS, bits, has_values, is_data, is_number, most
from autograder.checking.wording import (
    ASKED,
    SQUEEZED,
    axis_names,
    brief,
    difference,
    listed,
    shape_reason,
    singular,
    with_article,
)
from autograder.finding import CUT, UNWRITTEN, Finding

IN_PLACE = (
    "the caller still needs it: work on a new object (no `+=`, no `masked_fill_`, no `requires_grad_`, no assignment "
    "to a slice)"
)
NOT_FINITE = "exp of a large number, ln 0 and 0 / 0 are not finite: mend what goes into them, not what comes out"
LIBRARY = "of the library only what the notebook itself imports is there when your work is graded"
SHORT = 60  # characters: a longer list is not shown whole
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|\d{5,}")  # as inputs have them; sizes and indices are shorter
REPEATEDLY = (
    "objects and functions are called repeatedly: nothing may be kept from one call to the next, and no result "
    "may change after its call"
)
MODE = (
    "the call before was in training mode, with other contents and weights: is something kept, or the mode asked for?"
)


@dataclass(frozen=True)
class Difference:
    expected: Observation | None
    got: Observation | None

    @property
    def is_final(self) -> bool:
        """Whether a search for the mistake behind this difference is pointless."""
        got = self.got
        if got is None or got.kind == "unfit" or (got.kind == "raised" and got.value.unwritten):
            return True
        right = self.expected.value if self.expected else None
        return isinstance(got.value, Tensor) and got.value.numel() > most(right)


def first_difference(
    expected: Iterable[Observation], got: Iterable[Observation], tolerance: float | None = None
) -> Difference | None:
    """None if all observations are equal."""
    theirs = iter(got)
    for right in expected:
        other = next(theirs, None)
        if not equal(right, other, tolerance):
            return Difference(right, other)
    other = next(theirs, None)
    return None if other is None else Difference(None, other)


def describe(
    task: Task, case: Case, differs: Difference, inputs: dict[str, Any], everything: Sequence[Observation]
) -> Finding:
    """The difference in words, with only those causes that are obvious from it.

    ``everything``: all observations of the answer in this case.
    """
    got, right = differs.got, differs.expected
    base = Finding(task.id, case.words)
    if got is None:
        return _finding(base, "missing", right.label if right else "", "nothing", "a result")
    if got.kind == "unfit":
        unfit: Finding = got.value.finding
        return _finding(base, unfit.mistake or "unfit", unfit.what, unfit.got, unfit.expected, unfit.why)
    if got.kind == "raised":
        return _raised(base, case, got, right, inputs)
    if got.kind == "arguments" and (more := changed_more(right, got)):
        name, names = next(iter(more.items()))
        what, why = "changed in place", IN_PLACE
        if names:
            what, why = f"changed during a call: {listed(names)}", "only an optimiser changes a module"
        return _finding(base, "changed_in_place", name, what, "the argument left as it was", why)
    if right is None or right.kind == "raised":
        kind = right.value.kind if right else "nothing more"
        why = "silence here becomes a wrong result later"
        return _finding(base, "error_missing", got.label, "returned as if nothing were wrong", with_article(kind), why)
    if got.kind == "gradient":
        return _gradient(base, got, right, case.words if case.hidden else "")
    finding = _value(base, task, got, right, case)
    if finding.mistake == "values" and remembers(got, everything):
        wanted, why = (
            "what the arguments of that call give",
            MODE if task.is_class and got.phase in LATER else REPEATEDLY,
        )
        return _finding(base, "remembers", got.label, f"wrong in {got.phase}", wanted, why)
    return finding


def changed_more(expected: Observation | None, got: Observation) -> dict[str, Any]:
    """The arguments in which the answer has changed more than the reference, which may train a model, and what."""
    usual = expected.value if expected is not None and expected.kind == "arguments" else {}
    more = {name: [part for part in parts if part not in usual.get(name, ())] for name, parts in got.value.items()}
    return {name: parts for name, parts in more.items() if parts or name not in usual}


def remembers(wrong: Observation, everything: Sequence[Observation]) -> bool:
    """Whether a wrong result in one of the repeated calls is caused by an earlier call.

    If the second call is wrong only because of its own inputs, the repeated first call gives its old result.
    """
    if wrong.phase not in (FIRST, SECOND, REPEATED):
        return wrong.phase in LATER
    first, second, repeated = (
        [other.value for other in everything if (other.phase, other.label, other.kind) == (phase, wrong.label, "value")]
        for phase in (FIRST, SECOND, REPEATED)
    )
    repeats = equal(first, second) and sum(map(bits, first)) >= BITS
    return wrong.phase != SECOND or not equal(first, repeated) or repeats


def _finding(
    base: Finding, mistake: str, what: str, got: str, expected: str = "", why: str = "", sure: str = ""
) -> Finding:
    return Finding(base.task, base.case, mistake, what, got, expected, why, sure or ("property" if why else ""))


def _raised(
    base: Finding, case: Case, failure: Observation, expected: Observation | None, inputs: dict[str, Any]
) -> Finding:
    error: Raised = failure.value
    if error.unwritten:
        return _finding(base, UNWRITTEN, failure.label, "not written yet")
    at = f", at your line `{error.line}`" if error.line else ""
    if case.hidden:  # an answer may raise what it was given, in any form, and by a class of its own
        kind = next((name for name in error.kinds if hasattr(builtins, name)), error.kind)
        says = "" if error.line.startswith("raise") or kind != error.kind else NUMBER.sub("…", error.detail)
        error = replace(error, kind=kind, detail=QUOTED.sub("…", says))
    got = f"raised {error.kind}: {error.detail}{at}" if error.detail else f"raised {error.kind}{at}"
    if expected is not None and expected.kind == "raised":
        return _finding(base, "error_wrong", failure.label, got, expected.value.kind, "", "property")
    shown = {
        name: value for name, value in inputs.items() if not case.hidden or isinstance(value, Tensor | list | tuple)
    }
    handed = ", ".join(f"{name} {brief(value)}" for name, value in shown.items())
    why = f"it was given {handed}" if handed else ""
    if error.kind == "ModuleNotFoundError" and "'seq2seq" in failure.value.detail:
        why = LIBRARY
    return replace(base, mistake=f"raised.{error.kind}", what=failure.label, got=got, why=why)


def _gradient(base: Finding, result: Observation, expected: Observation, hides: str) -> Finding:
    why = f"is it used at all, and if so: {CUT}"
    if result.value is None:
        return _finding(base, "no_gradient", result.label, "cut off from autograd", "a result with a gradient", CUT)
    name = wrong_gradient(expected.value, result.value, None) or next(iter(expected.value))
    got, wanted = result.value.get(name), expected.value[name]
    cut_off = not isinstance(got, Tensor) or not got.any()  # through another answer it is 0 rather than None
    if cut_off and wanted is not None:
        return _finding(base, "no_gradient", result.label, f"no gradient reaches {name}", "one", why)
    what = f"the gradient of {result.label} at {name}"
    if wanted is None:
        return _finding(base, "gradient", what, "a gradient", "none", f"{result.label} does not depend on {name}")
    if not got.isfinite().all() and wanted.isfinite().all():
        return _finding(base, "gradient_not_finite", what, "NaN or infinity", "finite numbers", "0 · ∞ gives NaN")
    why = f"the values are right, the way to them is not: {CUT}"
    size = float(wanted.abs().max()) or 1.0
    if equal((wanted / size).float(), (got / size).float(), 1e-3):
        why = "it is nearly right: is something merely small that should be 0, or rounded?"
    return _finding(base, "gradient", what, *difference(got, wanted, hides), why)


def _value(base: Finding, task: Task, result: Observation, expected: Observation, case: Case) -> Finding:
    label, got, wanted, hides = expected.label, result.value, expected.value, case.words if case.hidden else ""
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
            return _finding(base, "not_finite", label, repr(float(got)), "a finite number", NOT_FINITE)
    elif isinstance(wanted, list | tuple) and not isinstance(got, list | tuple | Tensor):
        return _finding(base, "kind", label, _kind(got, hides), "a list" if isinstance(wanted, list) else "a tuple")
    elif type(got) is not type(wanted) and not isinstance(wanted, list | tuple):
        right = with_article(type(wanted).__name__) if hides else brief(wanted)
        return _finding(base, "kind", label, _kind(got, hides), right)
    why = task.words.get(label, "")
    if hides:
        return _finding(base, "values", label, "another value", ASKED, why)
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        return _finding(base, "values", label, f"{float(got):.4g}", f"{float(wanted):.4g}", why)
    place, got, wanted = _entry(got, wanted, task.tolerance)
    return _finding(base, "values", label, f"{_listed(got)}{place}", f"{_listed(wanted)}", why)


def _entry(got: Any, wanted: Any, tolerance: float | None) -> tuple[str, Any, Any]:
    """Of two long lists of one length the first entry that differs, and its place; else the two as they are."""
    place = ""
    while type(got) is type(wanted) in (list, tuple) and len(got) == len(wanted) and len(repr(wanted)) > SHORT:
        pairs = enumerate(zip(got, wanted, strict=True))
        differing = ((index, pair) for index, pair in pairs if not equal(pair[1], pair[0], tolerance))
        index, (got, wanted) = next(differing, (0, (got[0], wanted[0])))
        place += f"[{index}]"
    return f" at {place}" if place else "", got, wanted


def _kind(value: Any, hides: str) -> str:
    """The value in a few words; in a hidden case its kind alone, as an answer may return what it was given."""
    if not hides or value is None or isinstance(value, Tensor | list | tuple):
        return brief(value)
    return with_article(type(value).__name__) if type(value).__module__ == "builtins" else "an object"


def _listed(value: Any) -> str:
    if not is_data(value) and not (isinstance(value, Tensor) and has_values(value)):
        return brief(value)
    text = f"{value:.6g}" if type(value) is float else repr(value.tolist() if isinstance(value, Tensor) else value)
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
        where = f"{wanted.device.type}, as the inputs are"
        return _finding(base, "device", label, f"device {got.device.type}", where, why)
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
        return _finding(base, "not_finite", label, f"{kind}{where}", "finite numbers", NOT_FINITE)
    return _finding(base, "values", label, *difference(got, wanted, hides), task.words.get(label, ""))


def _shape(base: Finding, task: Task, label: str, got: Tensor, wanted: Tensor) -> Finding:
    names = axis_names(task.results.get(label, ""), wanted.dim())
    shape, expected = tuple(got.shape), tuple(wanted.shape)
    squeezed = 1 in expected and shape == tuple(size for size in expected if size != 1)
    axes = dict(zip(names, expected, strict=True)) if len(set(names)) == len(names) else {}
    why = SQUEEZED if squeezed else shape_reason(shape, axes) if axes else ""
    named = ", ".join(f"{name}={size}" for name, size in zip(names, expected, strict=True))
    text = f"({named})" if any(map(singular, names)) else f"{expected}"
    return _finding(base, "squeezed" if squeezed else "shape", label, f"shape {shape}", text, why)
