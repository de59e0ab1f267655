"""Tries an answer in the cases of a check; the reference is played once for all answers.

A first look decides with as few calls as possible whether the answer is right; a full play shows why it is wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from itertools import takewhile
from types import MappingProxyType
from typing import Any, cast

from torch import Tensor

from autograder.checking import draw
from autograder.checking.compare import Difference, describe, first_difference
from autograder.checking.definition import Answer
from autograder.checking.draw import Inputs, usage_of
from autograder.checking.equal import equal
from autograder.checking.observation import CHANGED, ENDS, OTHER_DRAW, SECOND, Arguments, Candidate, Observation, Usage
from autograder.checking.play import play, read
from autograder.checking.program import sendable
from autograder.checking.surroundings import halved, without
from autograder.checking.task import Case, Task
from autograder.checking.values import bits
from autograder.finding import Finding

TELLING = 64  # bits: four different numbers


class Prepare(Enum):
    """Passed in place of an answer: prepares what the check will compare later answers with."""

    ACCEPT = "what tells a right answer"
    DIAGNOSE = "what tells why one is wrong"


class TaskError(Exception):
    """A task is defective; the learner is not to blame."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A case: how an answer is used, with which inputs, what the reference does with them, and what the answer does."""

    task: Task
    case: Case
    usage: Usage
    draws: Mapping[str, Arguments]
    expected: Sequence[Observation] = ()
    got: Sequence[Observation] = ()
    results: dict[Candidate, list[Observation]] = field(default_factory=dict)  # of candidates, for all answers
    wrong_alone: bool = False  # what is wrong in its second call is as wrong without the first

    @property
    def inputs(self) -> Arguments:
        return self.draws[""]

    @cached_property
    def sent(self) -> dict[str, Any]:
        """As data, made once for all answers."""
        return sendable(self.usage, self.draws, self.expected, self.task.tools)

    @cached_property
    def difference(self) -> Difference | None:
        return first_difference(self.expected, self.got, self.task.tolerance)

    @property
    def ended(self) -> bool:
        """Whether the answer raised something, or could not be played."""
        return any(observation.ends for observation in self.got)

    @property
    def is_final(self) -> bool:
        """Whether it differs so that a search for the mistake is pointless."""
        return self.difference is not None and self.difference.is_final

    def described(self, difference: Difference | None = None) -> Finding:
        """The first difference in words, or another."""
        differs = difference or self.difference
        assert differs is not None
        case, inputs = self.case, self.inputs
        if isinstance(self.draws, Inputs) and differs.got and differs.got.phase in (SECOND, CHANGED):
            case, inputs = replace(case, words=self.draws.other_words), self.draws[OTHER_DRAW]
        return describe(self.task, case, differs, inputs, () if self.wrong_alone else self.got)

    def with_inputs(self, inputs: Arguments) -> "Trial":
        """One call with these inputs in place of the case's own, of which nothing is expected."""
        return Trial(self.task, self.case, self.usage.once, {"": inputs})

    def is_as(self, candidate: Candidate) -> bool:
        """Whether the answer does here what a candidate does."""
        others = play(self.usage, candidate, self.draws)
        return first_difference(others, self.got, self.task.tolerance) is None

    def first_results(self, candidate: Candidate) -> list[Observation]:
        """What a candidate's first call gives here, played once for all answers."""
        if candidate not in self.results:
            self.results[candidate] = list(play(self.usage.once, candidate, self.draws))
        return self.results[candidate]

    def gives_as(self, candidate: Candidate) -> bool:
        """Whether the answer's first call gives here what a candidate's does."""
        others = iter(self.first_results(candidate))
        results = takewhile(lambda result: result.kind in ("value", *ENDS) and not result.phase, self.got)
        return all(equal(next(others, None), result, self.task.tolerance) for result in results)


def prepare(task: Task, hidden: bool, what: Prepare) -> None:
    """Observes the reference in a check's cases and, for DIAGNOSE, compiles mistakes; call it before a fork."""
    for case in task.chosen(hidden):
        trial = trial_of(task, case, brief=what is Prepare.ACCEPT)
        if what is Prepare.ACCEPT:
            _ = trial.sent
    if what is Prepare.DIAGNOSE:
        list(task.fitting())


def trial_of(task: Task, case: Case, brief: bool) -> Trial:
    """The case with what the reference does in it, observed once for all answers."""
    key = brief, draw.seed, repr(case)
    if key not in task.prepared:
        task.prepared[key] = _observed(task, case, brief)
    return task.prepared[key]


def _observed(task: Task, case: Case, brief: bool) -> Trial:
    usage, inputs = usage_of(task, case), Inputs(task, case)
    expected = list(play(usage, task.right, inputs, brief=brief))
    errors = [observation.value for observation in expected if observation.ends]
    if bool(errors) != bool(case.raises) or (errors and case.raises not in getattr(errors[0], "kinds", ())):
        raise TaskError(
            f"{task.id}, case {case.words!r}: the reference gives {errors}, expected {case.raises or 'none'}"
        )
    return Trial(task, case, usage, inputs, expected)


def first_wrong(
    task: Task, candidate: Candidate, hidden: bool, causes: Mapping[str, Answer] = MappingProxyType({})
) -> Trial | None:
    """The first case in which a first look shows the answer to be wrong; None if it is right in all cases.

    ``causes``: by name, functions that do what the learner's earlier answers do wrong; see :func:`is_excused`.
    """
    looks = list(tried(candidate, [trial_of(task, case, brief=True) for case in task.chosen(hidden)], brief=True))
    wrong = next((trial for trial in looks if trial.difference), None)
    excused = wrong and causes and is_excused(task, candidate, causes, looks)
    return None if excused else wrong


def full_trials(task: Task, candidate: Candidate, hidden: bool, together: bool = True) -> Iterator[Trial]:
    """All cases with all observations, played ``together`` or lazily, one after the other."""
    cases = task.chosen(hidden)
    for part in [cases] if together else [[case] for case in cases]:
        yield from tried(candidate, [trial_of(task, case, brief=False) for case in part])


def tried(
    candidate: Candidate,
    trials: Sequence[Trial],
    brief: bool = False,
    taken: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Iterator[Trial]:
    """Plays each case once where the answer is: in this process, or in another.

    ``taken``: what it does not find meanwhile, see :func:`~autograder.checking.surroundings.without`.
    """
    if not is_elsewhere(candidate.answer):
        for trial in trials:
            with without(candidate.answer, taken):
                got = list(play(trial.usage, candidate, trial.draws, theirs=True, brief=brief))
            yield replace(trial, got=got)
        return
    sent, answer = [trial.sent | {"without": dict(taken)} for trial in trials], cast(Any, candidate.answer)
    for trial, observations in zip(trials, answer.observe_remotely(sent, brief), strict=True):
        yield replace(trial, got=list(read(trial.usage, trial.draws, observations)))


def is_elsewhere(answer: Any) -> bool:
    """Whether the answer runs in another process."""
    return hasattr(type(answer), "observe_remotely")


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
    return _does_as(task, halves, list(tried(candidate, looks, brief=True, taken={"halved": tuple(causes)})))


def tried_alone(candidate: Candidate, trial: Trial) -> Trial:
    """The trial, with a look at what the answer does with the inputs of a second call where there is no first."""
    got = trial.difference.got if trial.difference else None
    if got is None or (got.kind, got.phase) != ("value", SECOND) or trial.usage.constructor:
        return trial
    (alone,) = tried(candidate, [trial.with_inputs(trial.draws[OTHER_DRAW])])
    wrong_alone = any(equal(replace(result, phase=SECOND), got) for result in alone.got if result.label == got.label)
    return replace(trial, wrong_alone=wrong_alone)


def calls(candidate: Candidate, name: str, look: Trial) -> bool:
    """Whether an answer, in its first look at a case, called the learner's function of this name."""
    (refused,) = tried(candidate, [look], brief=True, taken={"refused": [name]})
    if look.ended and refused.ended:
        return str(look.got[-1].value) != str(refused.got[-1].value)
    if first_difference(look.got, refused.got, look.task.tolerance) is None:
        return False
    (again,) = tried(candidate, [look], brief=True)  # where chance changes it too, it does not show what it calls
    return first_difference(look.got, again.got, look.task.tolerance) is None


def _does_as(task: Task, called: Mapping[str, Answer], looks: Sequence[Trial]) -> bool:
    """Whether the answer does what the reference does when this calls these functions, and that this tells much."""
    reference = Candidate(task.definition.calling(called), task.tools)
    results: dict[str, Any] = {}  # different ones: a mistake that leaves nothing but zeros excuses nothing
    for look in looks:
        expected = list(play(look.usage, reference, look.draws, brief=True))
        if first_difference(expected, look.got, task.tolerance):
            return False
        if any(observation.ends for observation in expected) and not look.case.raises:
            return False
        values = (observation.value for observation in expected if observation.kind == "value")
        results |= {repr(value): value for value in (v.unique() if isinstance(v, Tensor) else v for v in values)}
    return bits(list(results.values())) >= TELLING
