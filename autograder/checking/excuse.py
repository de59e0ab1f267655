"""Whether an answer is wrong only in an earlier answer that it calls, whose mistake has cost its own points."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor

from autograder.checking.compare import first_difference
from autograder.checking.definition import Answer
from autograder.checking.halved import halved
from autograder.checking.observe import ENDS, Seen, Subject, Use, observe_briefly
from autograder.checking.task import Case, Task
from autograder.checking.use import Draws
from autograder.checking.values import bits

TELLING = 64  # bits: four different numbers

Expected = tuple[Use, Draws, list[Seen]]
Look = tuple[tuple[Case, *Expected], list[Seen]]  # a case, how it is played and what is right; what the answer does


def is_excused(
    task: Task, causes: Mapping[str, Answer], looks: Sequence[Look], with_halves: Callable[[], Sequence[Look]]
) -> bool:
    """Whether it does what the reference does when this calls the causes, and also when each gives half as much.

    The second shows that it does call them: with the same mistake in code of its own nothing would be halved.

    Args:
        causes: by name, functions that do what the learner's earlier answers do wrong.
        looks: what the answer does.
        with_halves: what it does while the earlier answers give half of what they give.
    """
    halves = {name: halved(cause) for name, cause in causes.items()}
    return _does_as(task, causes, looks) and _does_as(task, halves, with_halves())


def _does_as(task: Task, called: Mapping[str, Answer], looks: Sequence[Look]) -> bool:
    """Whether the answer does what the reference does when this calls these functions, and that this tells much."""
    subject = Subject(task.definition.calling(called), task.tools)
    results: dict[str, Any] = {}  # different ones: a mistake that leaves nothing but zeros excuses nothing
    for (case, use, draws, _), got in looks:
        expected = list(observe_briefly(use, subject, draws))
        if first_difference(case, expected, got, task.tolerance):
            return False
        if any(seen.kind in ENDS for seen in expected) and not case.raises:
            return False
        values = (seen.value for seen in expected if seen.kind == "value")
        results |= {repr(value): value for value in (v.unique() if isinstance(v, Tensor) else v for v in values)}
    return bits(list(results.values())) >= TELLING
