"""How a check reports a wrong answer, its seed, and when a value equals the reference."""

import hashlib
import math
import textwrap
from collections.abc import Callable

import torch
from torch import Tensor

from autograder.finding import Finding

CUT = "does a `.detach()`, `.data`, `.item()`, `torch.no_grad()`, `torch.tensor(…)` or a change in place cut the graph?"

# Called after each check, with its name and whether it passed. A learner's notebook uses them to show progress; the
# judge has none.
listeners: list[Callable[[str, bool], None]] = []

LINE = 96  # characters that fit into a cell of JupyterLab

seed = 0  # chooses the inputs of this grading run; a notebook's is 0


class CheckFailed(AssertionError):
    """A wrong answer: ``what: got, expected …; why``; ``finding`` has the same in separate fields."""

    def __init__(self, what: str, got: str, expected: str = "", why: str = "", mistake: str = "") -> None:
        super().__init__(what, got, expected, why)
        self.finding = Finding(what=what, got=got, expected=expected, why=why, mistake=mistake)

    @classmethod
    def of(cls, finding: Finding) -> "CheckFailed":
        failure = cls(finding.what, finding.got, finding.expected, finding.why, finding.mistake)
        failure.finding = finding
        return failure

    def __str__(self) -> str:
        return str(self.finding)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback; wrapped, because JupyterLab breaks lines within words."""
        return textwrap.wrap(f"✗ {self}", LINE, break_long_words=False, break_on_hyphens=False)


def generator(name: str) -> torch.Generator:
    """Fresh random numbers for one purpose: the same for the same seed and name, whatever ran before."""
    digest = hashlib.sha256(f"{seed} {name}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


def tell(name: str, passed: bool) -> None:
    for listener in listeners:
        listener(name, passed)


def same(got: object, expected: Tensor, tolerance: float | None = None, equal_nan: bool = False) -> bool:
    """Equal shapes, and equal values up to rounding (or a given tolerance)."""
    if not isinstance(got, Tensor) or got.shape != expected.shape or got.is_complex() != expected.is_complex():
        return False
    if got.dtype == expected.dtype and got.device == expected.device and torch.equal(got, expected):
        return True  # shortcut: the next lines are ten times slower
    is_double = tolerance is None and got.dtype == expected.dtype == torch.float64
    tolerance = tolerance or (1e-8 if is_double else 2e-5)
    # In float64, what was computed in float32 differs by 6e-8 of itself; a usual small constant such as 1e-9 may stand.
    relative = tolerance if is_double else 10 * tolerance
    wide = torch.complex128 if got.is_complex() else torch.float64
    left, right = (tensor.detach().cpu().to(wide) for tensor in (got, expected))
    scale = max(1.0, float(right.abs().nan_to_num(0, 0, 0).max()) if right.numel() else 1.0)
    return torch.allclose(left, right, rtol=relative, atol=tolerance * math.sqrt(scale), equal_nan=equal_nan)
