"""What a check reports on an answer: what was examined, what it got, what was expected, and why.

A check is a function marked with :func:`check`.
It calls the learner's answer through :func:`ask` and compares the result with the reference by the ``expect_*``
functions; the first that fails raises :class:`CheckFailed`, whose text is all that a learner sees.
A ``case`` given to an expectation belongs to a hidden variant: the message then describes the case, not the data.
"""

import hashlib
import math
import textwrap
from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any

import torch
from torch import Tensor

from autograder.finding import UNWRITTEN, Finding
from autograder.tracebacks import AnswerError, is_theirs, line_of
from autograder.vjp import pullback
from autograder.wording import SQUEEZED, brief, difference, labelled, listed, shape_reason

__all__ = ["AnswerError", "CheckFailed", "Finding", "ask", "check", "generator", "set_seed"]

Mistakes = Callable[[], Mapping[str, Tensor]]  # why → the value that this mistake would give
Properties = Callable[[], None]  # raises CheckFailed if a property of every right answer is violated

CUT = "does a `.detach()`, `.data`, `.item()`, `torch.no_grad()`, `torch.tensor(…)` or a change in place cut the graph?"

# Called after each check, with its name and whether it passed. A learner's notebook uses them to show progress; the
# judge has none.
listeners: list[Callable[[str, bool], None]] = []

LINE = 96  # characters that fit into a cell of JupyterLab

_seed = 0


class CheckFailed(AssertionError):
    """A wrong answer: ``what: got, expected …; why``.

    An exception that the answer raised is kept in ``__context__``.
    """

    def __init__(self, what: str, got: str, expected: str = "", why: str = "", mistake: str = "") -> None:
        super().__init__(what, got, expected, why)
        self.what, self.got, self.expected, self.why, self.mistake = what, got, expected, why, mistake
        self._finding: Finding | None = None

    @classmethod
    def of(cls, finding: Finding) -> "CheckFailed":
        failure = cls(finding.what, finding.got, finding.expected, finding.why, finding.mistake)
        failure._finding = finding
        return failure

    @property
    def finding(self) -> Finding:
        """The failure as separate fields."""
        if self._finding is not None:
            return self._finding
        return Finding(what=self.what, got=self.got, expected=self.expected, why=self.why, mistake=self.mistake)

    def __str__(self) -> str:
        return str(self.finding)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback; wrapped, because JupyterLab breaks lines within words."""
        return textwrap.wrap(f"✗ {self}", LINE, break_long_words=False, break_on_hyphens=False)


def set_seed(seed: int) -> None:
    """Choose the inputs of this grading run; in a notebook the seed is 0."""
    global _seed
    _seed = seed


def current_seed() -> int:
    return _seed


def generator(name: str) -> torch.Generator:
    """Fresh random numbers for one purpose: the same for the same seed and name, whatever ran before."""
    digest = hashlib.sha256(f"{_seed} {name}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


def check(function: Callable[..., None]) -> Callable[..., None]:
    """Mark a function as a check: it prints one line if the answer passes, and raises only CheckFailed if not.

    The first line of its docstring is what it prints.
    An exception that comes out of the answer becomes a CheckFailed; one that comes out of the check itself
    is not the learner's fault and passes through unchanged.
    The learner's own random numbers are left as they were.
    """
    title = (function.__doc__ or function.__name__).strip().splitlines()[0].rstrip(".")

    @wraps(function)
    def checked(*answers: object, **options: object) -> None:
        try:
            with torch.random.fork_rng(devices=[]), torch.enable_grad():
                function(*answers, **options)
        except CheckFailed as error:
            failure = error
        except (Exception, SystemExit) as error:
            if not is_theirs(error):
                raise
            failure = _explain("your answer", error)
        else:
            print(f"✓ {title}")
            tell(function.__name__, True)
            return
        tell(function.__name__, False)
        raise failure.with_traceback(None) from None

    return checked


def tell(name: str, passed: bool) -> None:
    for listener in listeners:
        listener(name, passed)


def ask(what: str, answer: Callable[..., Any], /, *, case: str = "", **arguments: object) -> Any:
    """Call the answer with the arguments in order; their names are used in the message if the call fails."""
    try:
        return answer(*arguments.values())
    except (Exception, SystemExit) as error:
        if not is_theirs(error, inside=True):
            raise
        handed = ", ".join(f"{name} {brief(value)}" for name, value in arguments.items())
        failure = _explain(labelled(what, case), error, handed)
    raise failure


def expect_tensor(what: str, got: object, like: Tensor | None = None, case: str = "") -> None:
    """A dense tensor with the dtype, and on the device, of ``like``."""
    what = labelled(what, case)
    if not isinstance(got, Tensor):
        why = "is the `return` missing?" if got is None else "keep to tensors from start to end"
        raise CheckFailed(what, brief(got), "a tensor", why)
    if got.layout is not torch.strided:
        raise CheckFailed(what, f"a tensor of layout {got.layout}", "an ordinary dense tensor")
    if like is not None and got.device.type != like.device.type:
        why = "make new tensors on the device of the inputs (`device=…`)"
        raise CheckFailed(what, f"device {got.device.type}", f"{like.device.type}, that of the inputs", why)
    if like is not None and got.dtype != like.dtype:
        why = "a new tensor needs the `dtype` of the inputs" if got.dtype.is_floating_point else ""
        raise CheckFailed(what, f"dtype {got.dtype}", f"{like.dtype}, that of the inputs", why)


def expect_shape(
    what: str, got: Tensor, mistakes: Mapping[tuple[int, ...], str] | None = None, case: str = "", **axes: int
) -> None:
    """One size per axis, each named; ``mistakes`` explains known wrong shapes."""
    shape, expected = tuple(got.shape), tuple(axes.values())
    if shape == expected:
        return
    squeezed = 1 in expected and shape == tuple(size for size in expected if size != 1)
    why = SQUEEZED if squeezed else (mistakes or {}).get(shape) or shape_reason(shape, axes)
    wanted = "(" + ", ".join(f"{name}={size}" for name, size in axes.items()) + ")"
    raise CheckFailed(labelled(what, case), f"shape {shape}", wanted, why)


def expect_finite(what: str, got: Tensor, why: str = "", case: str = "") -> None:
    """Neither NaN nor infinity anywhere."""
    bad = ~torch.isfinite(got.detach())
    if bad.any():
        kind = "NaN" if got.detach().isnan().any() else "infinity"
        rows = bad.flatten(1).any(1).nonzero()[:5, 0].tolist() if got.dim() > 1 else []  # listed() shows four
        where = f" in batch {listed(rows)}" if rows else ""
        raise CheckFailed(labelled(what, case), f"{kind}{where}", "finite numbers", why)


def expect_close(
    what: str,
    got: Tensor,
    expected: Tensor,
    mistakes: Mistakes | None = None,
    properties: Properties | None = None,
    why: str = "",
    case: str = "",
    tolerance: float | None = None,
) -> None:
    """Equal to the reference; if not, reports the known mistake with this value, else the violated property."""
    if same(got, expected, tolerance):
        return
    for mistake, value in (mistakes() if mistakes else {}).items():
        if same(got, value):
            raise CheckFailed(labelled(what, case), *difference(got, expected, case), mistake)
    if properties:
        properties()
    raise CheckFailed(labelled(what, case), *difference(got, expected, case), why)


def expect_unchanged(what: str, now: Tensor, before: Tensor, case: str = "") -> None:
    """An argument that the answer has not changed."""
    if now.shape != before.shape or not torch.equal(now.detach().nan_to_num(), before.detach().nan_to_num()):
        why = "the caller still needs it: work on a new tensor (no `+=`, no `masked_fill_`, no assignment to a slice)"
        raise CheckFailed(labelled(what, case), "changed in place", "the argument left as it was", why)


def expect_gradients(
    what: str, got: Tensor, expected: Tensor, pairs: Mapping[str, tuple[Tensor, Tensor]], case: str = ""
) -> None:
    """Gradients reach each input, and are the reference's; ``pairs``: name → (the answer's input, the reference's)."""
    what = labelled(what, case)
    if not got.requires_grad:
        raise CheckFailed(what, "cut off from autograd", "a result that gradients flow through", CUT)
    pull = torch.randn(expected.shape, generator=generator("pull"), dtype=expected.dtype)
    theirs, ours = ([pair[side] for pair in pairs.values()] for side in (0, 1))
    reached = ask(f"the backward pass of {what}", partial(pullback, [got], theirs, [pull]))
    wanted = pullback([expected], ours, [pull])
    for name, gradient, reference in zip(pairs, reached, wanted, strict=True):
        if reference is None:
            continue
        if gradient is None:
            raise CheckFailed(what, f"no gradient reaches {name}", "one", f"is it used at all, and if so: {CUT}")
        expect_finite(f"gradient of {what} at {name}", gradient, "0 · ∞ in the backward pass gives NaN")
        if not same(gradient, reference):
            why = f"the values are right, the way to them is not: {CUT}"
            raise CheckFailed(f"gradient of {what} at {name}", *difference(gradient, reference, case), why)


def same(got: object, expected: Tensor, tolerance: float | None = None, equal_nan: bool = False) -> bool:
    """Equal shapes, and equal values up to rounding (or a given tolerance)."""
    if not isinstance(got, Tensor) or got.shape != expected.shape or got.is_complex() != expected.is_complex():
        return False
    if got.dtype == expected.dtype and got.device == expected.device and torch.equal(got, expected):
        return True  # shortcut: the next lines are ten times slower
    tolerance = tolerance or (1e-8 if got.dtype == expected.dtype == torch.float64 else 2e-5)
    wide = torch.complex128 if got.is_complex() else torch.float64
    left, right = (tensor.detach().cpu().to(wide) for tensor in (got, expected))
    scale = max(1.0, float(right.abs().nan_to_num(0, 0, 0).max()) if right.numel() else 1.0)
    return torch.allclose(left, right, rtol=10 * tolerance, atol=tolerance * math.sqrt(scale), equal_nan=equal_nan)


def _explain(what: str, error: BaseException, handed: str = "") -> CheckFailed:
    kind, detail, line = line_of(error)
    if kind == "NotImplementedError" and detail in ("", "not written yet"):  # torch raises it too, with another text
        failure = CheckFailed(what, "not written yet", mistake=UNWRITTEN)
    else:
        at = f", at your line `{line}`" if line else ""
        failure = CheckFailed(what, f"raised {kind}: {detail}{at}" if detail else f"raised {kind}{at}")
        failure.why = f"it was given {handed}" if handed else ""
        failure.mistake = f"raised.{kind}"
    failure.__context__ = error
    return failure
