"""What became of the mutants of a task."""

from dataclasses import dataclass, field
from functools import cache

from tests.catalogue.lesson import lesson

from .argued import arguments
from .mutants import Mutant, mutants, plain
from .trial import BROKE, SURVIVED, verdicts


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
