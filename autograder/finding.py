"""What a check found: fields from the check to the page, made into one sentence at the end."""

from dataclasses import asdict, dataclass, fields
from typing import Any

UNWRITTEN = "not_written"


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

    def __str__(self) -> str:
        """The sentence."""
        label = f"{self.what} ({self.case})" if self.case and self.what else self.what or self.case
        expected = f", expected {self.expected}" if self.expected else ""
        why = f"; {self.why}" if self.why else ""
        text = f"{label}: {self.got}{expected}{why}" if label else f"{self.got}{expected}{why}"
        return text if not text or text[-1] in ".?!…" else text + "."

    def record(self) -> dict[str, str]:
        return asdict(self)

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Finding":
        """The finding of a stored record; raises ValueError where it is none."""
        names = {one.name for one in fields(cls)}
        if set(record) - names or not all(isinstance(value, str) for value in record.values()):
            raise ValueError(f"no finding: {sorted(record)}, expected texts under {sorted(names)}.")
        return cls(**record)
