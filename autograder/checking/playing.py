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
from autograder.checking.observe import ENDS, Inputs, Seen, Subject, Use, observe, observe_briefly, read
from autograder.checking.program import sendable
from autograder.checking.search import Played
from autograder.checking.task import Case, Task
from autograder.checking.use import Draws, use_of


@dataclass(frozen=True)
class FirstLook:
    """Whether an answer was right in all cases, each played once; else the first difference and where it was seen."""

    is_right: bool = True
    difference: Difference | None = None  # None although not right: a result could not be sent as data
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
    if what is Prepare.ACCEPT and task.lent == "once":
        expected_of(task, reference, _counted(task, hidden), observe_briefly)
    if what is Prepare.DIAGNOSE:
        list(task.fitting())


def first_look(
    task: Task, reference: Subject, subject: Subject, hidden: bool, causes: Mapping[str, Answer] = MappingProxyType({})
) -> FirstLook:
    """Whether the answer is right in all cases; all sendable ones are played, in the notebook as in the sandbox.

    ``causes``: by name, functions that do what the learner's earlier answers do wrong; see :func:`is_excused`.
    """
    cases = [(case, *expected_of(task, reference, case, observe_briefly)) for case in task.chosen(hidden)]
    sent = [(case, data) for case in cases if (data := sent_of(task, *case)) is not None]
    others = [case for case in cases if sent_of(task, *case) is None]
    if task.lent == "once":
        others.append((counted := _counted(task, hidden), *expected_of(task, reference, counted, observe_briefly)))
    seen = _seen_in(subject, sent)
    raised = bool(seen) and any(one.kind in ENDS for one in seen[0] or ())
    is_right = all(got is not None for got in seen)
    looks: list[Look] = [(case, got) for (case, _), got in zip(sent, seen, strict=True) if got is not None]
    wrong = next(filter(None, (_wrong(task, look, raised) for look in looks)), None)
    for case, use, draws, expected in others if is_right else ():
        if wrong and not causes:
            break
        looks.append(((case, use, draws, expected), list(observe_briefly(use, subject, draws, theirs=True))))
        wrong = wrong or _wrong(task, looks[-1], raised)

    def with_halves() -> list[Look]:
        halves = _seen_in(subject, sent, tuple(causes))
        return [(case, got or []) for (case, _), got in zip(sent, halves, strict=True)]

    if wrong and is_right and causes and is_excused(task, causes, looks, with_halves):
        return FirstLook()
    return wrong or FirstLook(is_right)


def _seen_in(
    subject: Subject, sent: Sequence[tuple[tuple[Case, *Expected], dict[str, Any]]], halved: Sequence[str] = ()
) -> list[list[Seen] | None]:
    """What the answer does in these cases, each played once; None if that could not be sent back.

    ``halved``: the names of earlier answers that give half of what they give.
    """
    there = getattr(type(subject.answer), "observe_remotely", None)  # if the answer is in another process
    if there is not None:
        seen = there(subject.answer, [data | {"halved": halved} for _, data in sent]) if sent else ()
        return [
            got if got is None else list(read(use, draws, got))
            for ((_, use, draws, _), _), got in zip(sent, seen, strict=True)
        ]
    with calling_halved(subject.answer, halved):
        return [list(observe_briefly(use, subject, draws, theirs=True)) for (_, use, draws, _), _ in sent]


def _wrong(task: Task, look: Look, raised: bool) -> FirstLook | None:
    (case, _, draws, expected), got = look
    difference = first_difference(case, expected, got, task.tolerance)
    return FirstLook(False, difference, draws[""], got, raised) if difference else None


def _counted(task: Task, hidden: bool) -> Case:
    """The first case for tools that count calls; repeated calls and gradients are observed where the answer is."""
    return replace(task.chosen(hidden)[0], again=False, gradients=False)


def sent_of(task: Task, case: Case, use: Use, draws: Draws, expected: list[Seen]) -> dict[str, Any] | None:
    key = ("sent", *_key(case))
    if key not in task.observed:
        task.observed[key] = sendable(use, draws, expected, task.tools)
    return task.observed[key]


def play_all(task: Task, reference: Subject, subject: Subject, hidden: bool, together: bool = True) -> Iterator[Played]:
    """All cases with all observations.

    ``together``: sends all sendable cases at once; otherwise cases are played lazily, one after the other.
    """
    if not together:
        for case in task.chosen(hidden):
            use, draws, expected = expected_of(task, reference, case, observe)
            yield Played(case, use, draws, expected, list(observe(use, subject, draws, theirs=True)))
        return
    cases = [(case, *expected_of(task, reference, case, observe)) for case in task.chosen(hidden)]
    sent = [sent_of(task, *case) for case in cases]
    if task.lent == "once":
        sent[0] = None  # played through the judge, so that its tools count
    there = getattr(type(subject.answer), "observe_remotely", None)
    seen: Iterator[list[Seen] | None] = iter(())
    if there is not None and any(sent):
        seen = iter(list(there(subject.answer, [one for one in sent if one is not None], brief=False)))
    for (case, use, draws, expected), one in zip(cases, sent, strict=True):
        got = None if one is None else next(seen, None)
        got = got if got is None else list(read(use, draws, got))
        if got is None:
            got = list(observe(use, subject, draws, theirs=True))
        yield Played(case, use, draws, expected, got)


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
