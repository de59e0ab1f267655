"""Tries out a task while it is written: which mistakes are reported, which small changes go unnoticed, how fast."""

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from autograder.checking import draw
from autograder.checking.checker import examine
from autograder.checking.definition import Answer
from autograder.checking.hypotheses import singles
from autograder.checking.observation import Candidate
from autograder.checking.task import PLAIN, Task
from autograder.finding import Finding

SEEDS = (0, 1)


@dataclass(frozen=True)
class Trial:
    """What the two checks of a task report on one answer."""

    name: str
    wanted: str  # id of the mistake that should be reported
    caught: str  # the check that should report it
    visible: Finding | None
    hidden: Finding | None
    seconds: float  # of the slower check

    @property
    def problem(self) -> str:
        """What the author has to fix; "" if nothing."""
        reported = {"visible": self.visible, "hidden": self.hidden}
        if reported[self.caught] is None:
            return "passes" if self.visible is None and self.hidden is None else f"the {self.caught} check passes"
        if self.caught == "hidden" and self.visible is not None:
            return "the visible check reports it too, so it is not `hidden`"
        mistakes = {finding.mistake for finding in reported.values() if finding is not None}
        others = mistakes - {self.wanted}
        return f"reported as {', '.join(sorted(others))}" if others else ""


def tried(task: Task, name: str, answer: Answer, wanted: str, caught: str = "visible") -> Trial:
    findings, slowest = [], 0.0
    for hidden in (False, True):
        start = time.perf_counter()
        findings.append(examine(task, Candidate(answer, task.tools), hidden))
        slowest = max(slowest, time.perf_counter() - start)
    return Trial(name, wanted, caught, findings[0], findings[1], slowest)


def mistakes(task: Task) -> Iterator[Trial]:
    for mistake, answer in task.fitting():
        yield tried(task, mistake.id, answer, mistake.id, mistake.caught)


def variants(task: Task) -> Iterator[Trial]:
    """Each variant's answer, tried against the checks of every other."""
    for name in (PLAIN, *(variant.id for variant in task.variants)):
        for other in task.of(name).others():
            yield tried(task.of(name), f"{other.variant} for {name}", other.definition.compiled(), "other_variant")


def survivors(task: Task) -> Iterator[str]:
    """The small changes to the reference that pass both checks at every seed, as removed and added lines."""
    whole = task.definition.printed()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for candidate, source in singles(task.definition):
            if not any(_caught(task, candidate, seed) for seed in SEEDS):
                lines = list(unified_diff(whole.split("\n"), source().split("\n"), lineterm="", n=0))[2:]
                yield "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines if line[0] in "+-")


def _caught(task: Task, answer: Answer, seed: int) -> bool:
    draw.seed = seed
    try:
        return any(examine(task, Candidate(answer, task.tools), hidden) is not None for hidden in (False, True))
    finally:
        draw.seed = 0
