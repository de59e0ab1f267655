"""Tries an answer in the cases of a check; the reference is played once for all answers.

A first look decides with as few calls as possible whether the answer is right; a full play shows why it is wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from torch import Tensor

from autograder.checking import draw
from autograder.checking.compare import Difference, first_difference
from autograder.checking.definition import Answer
from autograder.checking.draw import Inputs, usage_of
from autograder.checking.equal import equal
from autograder.checking.observation import ENDS, Arguments, Candidate, Observation, Usage
from autograder.checking.play import play, read
from autograder.checking.program import sendable
from autograder.checking.surroundings import calling_halved, halved
from autograder.checking.task import Case, Task
from autograder.checking.values import bits

TELLING = 64  # bits: four different numbers


class Prepare(Enum):
    """Passed in place of an answer: prepares what the check will compare later answers with."""

    ACCEPT = "what tells a right answer"
    DIAGNOSE = "what tells why one is wrong"


class TaskError(Exception):
    """A task is defective; the learner is not to blame."""


@dataclass(frozen=True, eq=False)
class Setup:
    """A case ready to be played: how an answer is used, with which inputs, and what the reference does with them."""

    task: Task
    case: Case
    usage: Usage
    draws: Mapping[str, Arguments]
    expected: Sequence[Observation] = ()
    observed: dict[Candidate, list[Observation]] = field(default_factory=dict)

    def results(self, candidate: Candidate) -> list[Observation]:
        """What a candidate gives for these inputs, computed once for all the answers that it may explain."""
        if candidate not in self.observed:
            self.observed[candidate] = list(play(self.usage.once, candidate, self.draws))
        return self.observed[candidate]

    @cached_property
    def sent(self) -> dict[str, Any]:
        """As data, made once for all answers."""
        return sendable(self.usage, self.draws, self.expected, self.task.tools)

    def with_inputs(self, inputs: Arguments) -> "Setup":
        """One call with these inputs in place of the case's own, of which nothing is expected."""
        return Setup(self.task, self.case, self.usage.once, {"": inputs})


@dataclass(frozen=True, eq=False)
class Trial:
    """One case, with what the reference and the answer do in it."""

    setup: Setup
    got: Sequence[Observation]

    @property
    def case(self) -> Case:
        return self.setup.case

    @property
    def expected(self) -> Sequence[Observation]:
        return self.setup.expected

    @property
    def inputs(self) -> Arguments:
        return self.setup.draws[""]

    @property
    def tolerance(self) -> float | None:
        return self.setup.task.tolerance

    @property
    def ended(self) -> bool:
        """Whether the answer raised something, or could not be played."""
        return any(observation.ends for observation in self.got)

    @cached_property
    def difference(self) -> Difference | None:
        return first_difference(self.case, self.expected, self.got, self.tolerance)

    def is_as(self, candidate: Candidate, brief: bool = False) -> bool:
        """Whether the answer does here what a candidate does."""
        others = play(self.setup.usage, candidate, self.setup.draws, brief=brief)
        return first_difference(self.case, others, self.got, self.tolerance) is None

    def gives_as(self, candidate: Candidate) -> bool:
        """Whether the answer's first call gives here what a candidate's does."""
        others = iter(self.setup.results(candidate))
        results = takewhile(lambda each: each.kind in ("value", *ENDS) and not each.phase, self.got)
        return all(equal(next(others, None), result, self.tolerance) for result in results)


def prepare(task: Task, hidden: bool, what: Prepare) -> None:
    """Observes the reference in a check's cases and, for DIAGNOSE, compiles mistakes; call it before a fork."""
    for case in task.chosen(hidden):
        setup = setup_of(task, case, brief=what is Prepare.ACCEPT)
        if what is Prepare.ACCEPT:
            _ = setup.sent
    if what is Prepare.DIAGNOSE:
        list(task.fitting())


def setup_of(task: Task, case: Case, brief: bool) -> Setup:
    """The case with what the reference does in it, observed once for all answers."""
    given = repr(sorted(case.given.items()))
    key = brief, draw.seed, case.words, given, case.dtype, case.hidden, case.again, case.gradients, case.raises
    if key not in task.prepared:
        task.prepared[key] = _observed(task, case, brief)
    return task.prepared[key]


def _observed(task: Task, case: Case, brief: bool) -> Setup:
    usage, inputs = usage_of(task, case), Inputs(task, case)
    expected = list(play(usage, task.right, inputs, brief=brief))
    errors = [observation.value for observation in expected if observation.ends]
    if bool(errors) != bool(case.raises) or (errors and case.raises not in getattr(errors[0], "kinds", ())):
        raise TaskError(
            f"{task.id}, case {case.words!r}: the reference gives {errors}, expected {case.raises or 'none'}"
        )
    return Setup(task, case, usage, inputs, expected)


def first_wrong(
    task: Task, candidate: Candidate, hidden: bool, causes: Mapping[str, Answer] = MappingProxyType({})
) -> Trial | None:
    """The first case in which a first look shows the answer to be wrong; None if it is right in all cases.

    ``causes``: by name, functions that do what the learner's earlier answers do wrong; see :func:`is_excused`.
    """
    setups = [setup_of(task, case, brief=True) for case in task.chosen(hidden)]
    looks = list(tried(candidate, setups, brief=True))
    wrong = next((trial for trial in looks if trial.difference), None)
    excused = wrong and causes and is_excused(task, candidate, causes, looks)
    return None if excused else wrong


def full_trials(task: Task, candidate: Candidate, hidden: bool, together: bool = True) -> Iterator[Trial]:
    """All cases with all observations, played ``together`` or lazily, one after the other."""
    cases = task.chosen(hidden)
    for part in [cases] if together else [[case] for case in cases]:
        yield from tried(candidate, [setup_of(task, case, brief=False) for case in part])


def tried(
    candidate: Candidate, setups: Sequence[Setup], brief: bool = False, halved: Sequence[str] = ()
) -> Iterator[Trial]:
    """Plays each case once where the answer is: in this process, or in another.

    ``halved``: the names of earlier answers that give half of what they give.
    """
    elsewhere = getattr(type(candidate.answer), "observe_remotely", None)
    if elsewhere is None:
        for setup in setups:
            with calling_halved(candidate.answer, halved):
                got = list(play(setup.usage, candidate, setup.draws, theirs=True, brief=brief))
            yield Trial(setup, got)
        return
    sent = [setup.sent | {"halved": halved} for setup in setups]
    for setup, observations in zip(setups, elsewhere(candidate.answer, sent, brief), strict=True):
        yield Trial(setup, list(read(setup.usage, setup.draws, observations)))


def is_excused(task: Task, candidate: Candidate, causes: Mapping[str, Answer], looks: Sequence[Trial]) -> bool:
    """Whether an answer is wrong only in an earlier one that it calls, whose mistake has cost its own points.

    It does what the reference does when this calls the causes, and also when each gives half as much. The second shows
    that it does call them: with the same mistake in code of its own nothing would be halved.

    Args:
        causes: by name, functions that do what the learner's earlier answers do wrong.
        looks: a first look at the answer in each case.
    """
    if not _does_as(task, causes, looks):
        return False
    halves = {name: halved(cause) for name, cause in causes.items()}
    with_halves = tried(candidate, [look.setup for look in looks], brief=True, halved=tuple(causes))
    return _does_as(task, halves, list(with_halves))


def _does_as(task: Task, called: Mapping[str, Answer], looks: Sequence[Trial]) -> bool:
    """Whether the answer does what the reference does when this calls these functions, and that this tells much."""
    reference = Candidate(task.definition.calling(called), task.tools)
    results: dict[str, Any] = {}  # different ones: a mistake that leaves nothing but zeros excuses nothing
    for look in looks:
        expected = list(play(look.setup.usage, reference, look.setup.draws, brief=True))
        if first_difference(look.case, expected, look.got, task.tolerance):
            return False
        if any(observation.ends for observation in expected) and not look.case.raises:
            return False
        values = (observation.value for observation in expected if observation.kind == "value")
        results |= {repr(value): value for value in (v.unique() if isinstance(v, Tensor) else v for v in values)}
    return bits(list(results.values())) >= TELLING
