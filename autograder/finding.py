"""What a check found: fields from the check to the page, made into one sentence at the end."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

UNWRITTEN = "not_written"

# General kinds of mistakes, as a class report names them; those of a task's own have words of their own.
KINDS = {
    UNWRITTEN: "not written yet",
    "nothing": "nothing is returned",
    "missing": "a result is missing",
    "results": "not as many results as asked for",
    "kind": "another kind of value",
    "not_a_tensor": "no tensor",
    "layout": "no dense tensor",
    "device": "on another device",
    "dtype": "another dtype",
    "shape": "another shape",
    "squeezed": "an axis of size 1 was lost",
    "not_finite": "NaN or infinity",
    "values": "wrong values",
    "parameters": "other parameters than given",
    "not_a_module": "no module",
    "error_missing": "an error that was asked for does not come",
    "error_wrong": "another error than asked for",
    "changed_in_place": "an argument is changed in place",
    "remembers": "something is kept from one call to the next",
    "no_gradient": "no gradient",
    "gradient": "wrong gradient",
    "gradient_not_finite": "NaN or infinity in the gradient",
    "not_defined": "not defined",
    "assertion": "an assertion does not hold",
}


@dataclass(frozen=True)
class Finding:
    """``what (case): got, expected …; why``, in its parts.

    mistake: the id of what is wrong, the same for all who made the mistake: that of a task's own list ("no_tanh"), of a
    general kind ("shape", "raised.RuntimeError", "not_written"), or "" where only the difference is known.
    sure: "values" where the answer's results are those of the mistake on every case; "property" where a property of
    every right answer is broken; "" where nothing is claimed beyond what was got.
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
        """What was looked at, and in which case."""
        return f"{self.what} ({self.case})" if self.case and self.what else self.what or self.case

    @property
    def diagnosis(self) -> str:
        """What is wrong, without what differs from one learner to the next."""
        if self.mistake.startswith("raised."):
            return f"raised {self.mistake.removeprefix('raised.')}"
        if self.mistake in KINDS:
            return f"{self.what}: {KINDS[self.mistake]}" if self.what else KINDS[self.mistake]
        return self.why or str(self).rstrip(".")

    @property
    def key(self) -> tuple[str, ...]:
        """The same for all who made this mistake in this task."""
        return (self.task, self.mistake) if self.mistake else (self.task, self.diagnosis)

    def mapped(self, change: Callable[[str], str]) -> "Finding":
        """Every text of it changed."""
        return Finding(**{name: change(text) for name, text in asdict(self).items()})

    def __bool__(self) -> bool:
        return self != Finding()

    def __str__(self) -> str:
        """The sentence; a finding that has ``got`` alone is one already."""
        if not (self.what or self.case or self.expected or self.why):
            return self.got
        label = self.label
        expected = f", expected {self.expected}" if self.expected else ""
        why = f"; {self.why}" if self.why else ""
        text = f"{label}: {self.got}{expected}{why}" if label else f"{self.got}{expected}{why}"
        return text if text[-1] in ".?!…" else text + "."

    @classmethod
    def of(cls, record: Any) -> "Finding":
        """The finding of a stored record; raises ValueError where it is none."""
        names = {one.name for one in fields(cls)}
        if not isinstance(record, dict):
            raise ValueError(f"no finding: {type(record).__name__}, expected fields with texts.")
        if set(record) - names or not all(isinstance(value, str) for value in record.values()):
            raise ValueError(f"no finding: {sorted(record)}, expected texts under {sorted(names)}.")
        return cls(**record)


NOTHING = Finding()
