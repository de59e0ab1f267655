"""What a check finds: separate fields, one sentence only for display; and the exception that carries it."""

import re
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass

CUT = "does a `.detach()`, `.data`, `.item()`, `torch.no_grad()`, `torch.tensor(…)` or a change in place cut the graph?"
UNWRITTEN = "not_written"
UNDEFINED = re.compile(r"name '(\w{1,60})' is not defined")  # what a NameError says; a hidden case leaves out the name

# Called after each check, with its name and whether it passed. A learner's notebook uses them to show progress; the
# judge has none.
listeners: list[Callable[[str, bool], None]] = []

LINE = 96  # characters that fit into a cell of JupyterLab

# General kinds of mistakes, as named in a class report; mistakes specific to a task have their own texts.
KINDS = {
    UNWRITTEN: "not written yet",
    "nothing": "nothing is returned",
    "missing": "a result is missing",
    "results": "wrong number of results",
    "kind": "wrong kind of value",
    "not_a_tensor": "not a tensor",
    "layout": "not a dense tensor",
    "device": "wrong device",
    "dtype": "wrong dtype",
    "shape": "wrong shape",
    "squeezed": "an axis of size 1 was lost",
    "not_finite": "NaN or infinity",
    "values": "wrong values",
    "parameters": "parameters differ from those given",
    "not_a_module": "not a module",
    "error_missing": "a required error is not raised",
    "error_wrong": "wrong error raised",
    "changed_in_place": "an argument is changed in place",
    "remembers": "state is kept between calls",
    "contradicts": "the same call gives different results",
    "earlier": "an earlier answer that it may call is wrong",
    "no_gradient": "no gradient",
    "gradient": "wrong gradient",
    "gradient_not_finite": "NaN or infinity in the gradient",
    "not_defined": "not defined",
    "library": "the library's solution is called",
    "package": "a package is used that is not there when it is graded",
    "assertion": "an assertion failed",
}


@dataclass(frozen=True)
class Finding:
    """``what (case): got, expected …; why``, in its parts.

    mistake: the mistake's id, the same for all who made it: from a task's own list ("no_tanh"), of a general kind
    ("shape", "raised.RuntimeError", "not_written"), or "" if only the difference is known.
    sure: "values" if the answer's results are those of the mistake on every case; "property" if a property of every
    right answer is violated; "" if nothing is claimed beyond what was got.
    """

    task: str = ""
    case: str = ""
    mistake: str = ""
    what: str = ""
    got: str = ""
    expected: str = ""
    why: str = ""
    sure: str = ""

    @property
    def label(self) -> str:
        """What was examined, and in which case."""
        return f"{self.what} ({self.case})" if self.case and self.what else self.what or self.case

    @property
    def diagnosis(self) -> str:
        """What is wrong, without details that differ between learners."""
        if self.mistake.startswith("raised."):
            return f"raised {self.mistake.removeprefix('raised.')}"
        if self.mistake in KINDS:
            return f"{self.what}: {KINDS[self.mistake]}" if self.what else KINDS[self.mistake]
        return self.why or str(self).rstrip(".")

    @property
    def key(self) -> tuple[str, str]:
        """The same for all who made this mistake in this task; without a task the words tell mistakes apart."""
        return self.task, (self.task and self.mistake) or self.diagnosis

    def mapped(self, change: Callable[[str], str]) -> "Finding":
        """A copy with ``change`` applied to every text."""
        return Finding(**{name: change(text) for name, text in asdict(self).items()})

    def __bool__(self) -> bool:
        return self != Finding()

    def __str__(self) -> str:
        """The sentence; a finding with only ``got`` is one already."""
        if not (self.what or self.case or self.expected or self.why):
            return self.got
        label = f"{self.label}: " if self.label else ""
        expected = f", expected {self.expected}" if self.expected else ""
        why = f"; {self.why}" if self.why else ""
        text = f"{label}{self.got}{expected}{why}"
        return text if text[-1] in ".?!…" else text + "."


NOTHING = Finding()


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


def tell(name: str, passed: bool) -> None:
    for listener in listeners:
        listener(name, passed)
