"""Plays the cases of a check with an answer; the reference is played once for all answers.

A first look decides with as few calls as possible whether the answer is right; a full play shows why it is wrong.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any

from autograder import expect
from autograder.checking.compare import Difference, first_difference
from autograder.checking.definition import Answer
from autograder.checking.excuse import Expected, Look, is_excused
from autograder.checking.halved import calling_halved
from autograder.checking.observe import ENDS, Inputs, Seen, Subject, Use, observe, observe_briefly, observe_with, read
from autograder.checking.program import sendable
from autograder.checking.search import Played
from autograder.checking.task import Case, Task
from autograder.checking.use import Draws, use_of


@dataclass(frozen=True)
class FirstLook:
    """Whether an answer was right in all cases, each played once; else the first difference and where it was seen."""

    is_right: bool = True
    difference: Difference | None = None
    inputs: Inputs = field(default_factory=dict)
    got: Sequence[Seen] = ()
    raised: bool = False  # in the very first case


class Prepare(Enum):
    """Passed in place of an answer: prepares what the check will compare later answers with."""

    ACCEPT = "what tells a right answer"
    DIAGNOSE = "what tells why one is wrong"


class TaskError(Exception):
    """A task is defective; the learner is not to blame."""


def prepare(task: Task, hidden: bool, what: Prepare) -> None:
    """Observes the reference in a check's cases and, for DIAGNOSE, compiles mistakes; call it before a fork."""
    reference = Subject(task.definition.compiled(), task.tools)
    for case in task.chosen(hidden):
        if what is Prepare.ACCEPT:
            sent_of(task, case, *expected_of(task, reference, case, observe_briefly))
        else:
            expected_of(task, reference, case, observe)
    if what is Prepare.DIAGNOSE:
        list(task.fitting())


def first_look(
    task: Task, reference: Subject, subject: Subject, hidden: bool, causes: Mapping[str, Answer] = MappingProxyType({})
) -> FirstLook:
    """Whether the answer is right in all cases.

    ``causes``: by name, functions that do what the learner's earlier answers do wrong; see :func:`is_excused`.
    """
    cases = [(case, *expected_of(task, reference, case, observe_briefly)) for case in task.chosen(hidden)]
    looks = list(zip(cases, _seen_in(task, subject, cases), strict=True))
    raised = any(seen.kind in ENDS for seen in looks[0][1])
    wrong = next(filter(None, (_wrong(task, look, raised) for look in looks)), None)

    def with_halves() -> list[Look]:
        return list(zip(cases, _seen_in(task, subject, cases, halved=tuple(causes)), strict=True))

    if wrong and causes and is_excused(task, causes, looks, with_halves):
        return FirstLook()
    return wrong or FirstLook()


def _seen_in(
    task: Task,
    subject: Subject,
    cases: Sequence[tuple[Case, Use, Draws, list[Seen]]],
    brief: bool = True,
    halved: Sequence[str] = (),
) -> Iterator[list[Seen]]:
    """What the answer does in these cases, each played once where the answer is: here, or in another process.

    ``halved``: the names of earlier answers that give half of what they give.
    """
    there = getattr(type(subject.answer), "observe_remotely", None)
    if there is None:
        for _, use, draws, _ in cases:
            with calling_halved(subject.answer, halved):
                got = list((observe_briefly if brief else observe)(use, subject, draws, theirs=True))
            yield got
    else:
        sent = [sent_of(task, *case) | {"halved": halved} for case in cases]
        for (_, use, draws, _), seen in zip(cases, there(subject.answer, sent, brief), strict=True):
            yield list(read(use, draws, seen))


def _wrong(task: Task, look: Look, raised: bool) -> FirstLook | None:
    (case, _, draws, expected), got = look
    difference = first_difference(case, expected, got, task.tolerance)
    return FirstLook(False, difference, draws[""], got, raised) if difference else None


def sent_of(task: Task, case: Case, use: Use, draws: Draws, expected: list[Seen]) -> dict[str, Any]:
    """The case as data, made once for all answers."""
    key = ("sent", *_key(case))
    if key not in task.observed:
        task.observed[key] = sendable(use, draws, expected, task.tools)
    return task.observed[key]


def play_all(task: Task, reference: Subject, subject: Subject, hidden: bool, together: bool = True) -> Iterator[Played]:
    """All cases with all observations, played ``together`` or lazily, one after the other."""
    chosen = task.chosen(hidden)
    for part in [chosen] if together else [[case] for case in chosen]:
        cases = [(case, *expected_of(task, reference, case, observe)) for case in part]
        for case, got in zip(cases, _seen_in(task, subject, cases, brief=False), strict=True):
            yield Played(*case, got)


def results_for(task: Task, subject: Subject, case: Case, inputs: Inputs) -> list[Seen]:
    """What an answer gives for these inputs in place of the case's own."""
    use = use_of(task, replace(case, gradients=False, again=False))
    there = getattr(type(subject.answer), "observe_remotely", None)
    if there is None:
        return list(observe_with(use, subject, inputs, theirs=True))
    draws = {"": inputs}
    (seen,) = there(subject.answer, [sendable(use, draws, tools=task.tools)], brief=False)
    return list(read(use, draws, seen))


Observing = Callable[[Use, Subject, Mapping[str, Inputs]], Iterator[Seen]]


def expected_of(task: Task, reference: Subject, case: Case, observing: Observing) -> Expected:
    """What the reference does in a case, observed once for all answers."""
    key = (observing, *_key(case))
    if key not in task.observed:
        task.observed[key] = _observed(task, reference, case, observing)
    return task.observed[key]


def _key(case: Case) -> tuple[Any, ...]:
    """Everything that determines a case's inputs and observations."""
    given = repr(sorted(case.given.items()))
    return expect.seed, case.words, given, case.dtype, case.hidden, case.again, case.gradients, case.raises


def _observed(task: Task, reference: Subject, case: Case, observing: Observing) -> Expected:
    use, draws = use_of(task, case), Draws(task, case)
    expected = list(observing(use, reference, draws))
    errors = [one.value for one in expected if one.kind in ENDS]
    if bool(errors) != bool(case.raises) or (errors and case.raises not in getattr(errors[0], "kinds", ())):
        raise TaskError(
            f"{task.id}, case {case.words!r}: the reference gives {errors}, expected {case.raises or 'none'}"
        )
    return use, draws, expected
