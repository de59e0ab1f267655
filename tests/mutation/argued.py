"""Mutants that no check needs to kill, and why: one file per assignment under ``equivalent/``.

Each entry names its ``task``, says ``why`` in words, and says which mutants it is about: by ``diff``, the lines that
go and come as ``python -m tests.mutation`` prints them; or by ``guard``, a line ``if …:`` before a lone ``raise``, for
whatever happens to that guard, where the exercise says that an error is good manners.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from .mutants import Mutant

FOLDER = Path(__file__).parent / "equivalent"


@dataclass(frozen=True)
class Argument:
    task: str
    why: str
    diff: str = ""
    guard: str = ""

    def covers(self, mutant: Mutant) -> bool:
        return mutant.guard == self.guard if self.guard else mutant.diff == self.diff


def arguments(assignment: str) -> list[Argument]:
    path = FOLDER / f"{assignment}.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"] if path.exists() else []
    found = [Argument(**{name: text.strip() for name, text in entry.items()}) for entry in entries]
    for one in found:
        is_whole = len(one.why.split()) >= 4 and bool(one.diff) != bool(one.guard)
        assert is_whole, f"{path.name}: an entry needs a task, a why in words, and either diff or guard: {one}"
    return found
