"""What became of the mutants of a task."""

from dataclasses import dataclass, field
from functools import cache

from tests.catalogue.lesson import lesson

from .argued import arguments
from .mutants import Mutant, mutants, plain
from .trial import BROKE, SURVIVED, verdicts


@dataclass
class Report:
    assignment: str
    task: str
    count: int
    killed: list[tuple[str, str]] = field(default_factory=list)  # diff, what killed it
    survivors: list[str] = field(default_factory=list)  # diffs
    argued: list[str] = field(default_factory=list)  # diffs
    broken: list[tuple[str, str]] = field(default_factory=list)  # diff, what the check raised

    def __str__(self) -> str:
        told = f"{self.count} mutants, {len(self.killed)} killed, {len(self.argued)} argued"
        lines = [f"{self.assignment} {self.task}: {told}, {len(self.survivors)} survivors, {len(self.broken)} broken"]
        lines += [f"\nsurvives:\n{diff}" for diff in self.survivors]
        lines += [f"\n{what}:\n{diff}" for diff, what in self.broken]
        return "\n".join(lines)


@cache
def report(assignment: str, task: str) -> Report:
    """Raises ValueError where the checks reject the answer as it stands."""
    judged = lesson(assignment)
    cell = judged.assignment.cells[task].source
    changed, known = mutants(cell), arguments(assignment)
    result = Report(assignment, task, len(changed))
    answer, *ends = verdicts(judged, task, [Mutant(plain(cell), ""), *changed])
    if answer != SURVIVED:
        raise ValueError(f"{assignment} {task}: the answer itself does not pass: {answer}")
    for mutant, verdict in zip(changed, ends, strict=True):
        if verdict.startswith(BROKE):
            result.broken.append((mutant.diff, verdict))
        elif verdict != SURVIVED:
            result.killed.append((mutant.diff, verdict))
        elif any(argument.covers(task, mutant) for argument in known):
            result.argued.append(mutant.diff)
        else:
            result.survivors.append(mutant.diff)
    return result


def stale(assignment: str, task: str) -> list[str]:
    """Arguments about mutants that do not survive, or that are not made, any more."""
    cell, argued = lesson(assignment).assignment.cells[task].source, report(assignment, task).argued
    survivors = [mutant for mutant in mutants(cell) if mutant.diff in argued]
    known = [argument for argument in arguments(assignment) if argument.task == task]
    return [about.diff or about.guard for about in known if not any(about.covers(task, mutant) for mutant in survivors)]
