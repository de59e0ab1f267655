"""What became of the mutants of a task; those that no check needs to kill, and why, are argued under ``equivalent/``.

Each entry of a file there names its ``task``, says ``why`` in words, and says which mutants it is about: by ``diff``,
the lines that go and come as ``python -m tests.mutation`` prints them; or by ``guard``, a line ``if …:`` before a lone
``raise``, for whatever happens to that guard, where the exercise says that an error is good manners.
"""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.catalogue.lesson import lesson
from tests.mutation.mutants import Mutant, mutants, plain
from tests.mutation.trial import BROKE, SURVIVED, verdicts

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
    listed = [Argument(**{name: text.strip() for name, text in entry.items()}) for entry in entries]
    for argument in listed:
        is_whole = len(argument.why.split()) >= 4 and bool(argument.diff) != bool(argument.guard)
        assert is_whole, f"{path.name}: an entry needs a task, a why in words, and either diff or guard: {argument}"
    return listed


@dataclass
class Report:
    name: str
    killed: list[tuple[str, str]] = field(default_factory=list)  # diff, what killed it
    argued: list[Mutant] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # survivors, what a check raised, arguments about no survivor

    def __str__(self) -> str:
        told = f"{len(self.killed)} killed, {len(self.argued)} argued, {len(self.faults)} faults"
        return "\n\n".join([f"{self.name}: {told}", *self.faults])


@cache
def report(assignment: str, task: str) -> Report:
    """Raises ValueError where the checks reject the answer as it stands."""
    judged, result = lesson(assignment), Report(f"{assignment} {task}")
    cell = judged.assignment.cells[task].source
    changed, known = mutants(cell), [argument for argument in arguments(assignment) if argument.task == task]
    answer, *ends = verdicts(judged, task, [Mutant(plain(cell), ""), *changed])
    if answer != SURVIVED:
        raise ValueError(f"{result.name}: the answer itself does not pass: {answer}")
    for mutant, verdict in zip(changed, ends, strict=True):
        if verdict.startswith(BROKE):
            result.faults.append(f"{verdict}:\n{mutant.diff}")
        elif verdict != SURVIVED:
            result.killed.append((mutant.diff, verdict))
        elif any(argument.covers(mutant) for argument in known):
            result.argued.append(mutant)
        else:
            result.faults.append(f"survives:\n{mutant.diff}")
    stale = (argument for argument in known if not any(map(argument.covers, result.argued)))
    result.faults += [f"argued, but no survivor:\n{argument.diff or argument.guard}" for argument in stale]
    return result
