"""``check("task", answer)``: runs any task's check, in a learner's notebook and in the judge."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import torch

from autograder.checking.borrowed import package_used, reference_used
from autograder.checking.definition import Answer
from autograder.checking.equal import equal
from autograder.checking.explain import FIRST_RIGHT, explain, last_cause, without_search
from autograder.checking.observation import LATER, REPEATED, SECOND, Candidate
from autograder.checking.surroundings import as_installed
from autograder.checking.task import PLAIN, Task
from autograder.checking.trial import (
    Prepare,
    Trial,
    calls,
    first_wrong,
    full_trials,
    is_elsewhere,
    prepare,
    tried_alone,
)
from autograder.finding import UNWRITTEN, CheckFailed, Finding, tell

EARLIER = "it calls your `{}`, whose own check fails: fix that first"
CONTRADICTS = (
    "later, for the same arguments, the result was right: it must depend on the arguments alone, not on a counter, "
    "a global variable, the time or random numbers"
)
OF_A_PACKAGE = "it is not there when your work is graded, and without it this right answer could not run"
OF_THE_LIBRARY = "it is the solution itself, which is not there when your work is graded"
# What a wrong earlier answer may show as in an answer that calls it.
PASSED_ON = {UNWRITTEN, "values", "shape", "squeezed", "dtype", "not_finite"}
PASSED_ON |= {"gradient", "no_gradient", "gradient_not_finite"}
EXPLAINED = PASSED_ON | {"error_missing", "error_wrong", "changed_in_place", "remembers", "kind", "missing"}
EXPLAINED |= {"not_a_tensor", "device"}


class Checker:
    """The tasks of one file; called with a task's name, the answer, and the tools that the exercise provides."""

    def __init__(self, module: str, tasks: Mapping[str, Task]) -> None:
        short = module.rpartition(".")[2]
        self.tasks = {name: replace(task, id=f"{short}.{name}") for name, task in tasks.items()}
        self.failing: dict[Answer, Task] = {}  # by their references: tasks whose last check failed, in this process

    def __call__(self, name: str, *answers: Any, hidden: bool = False, key: str = "") -> None:
        """Prints a line if the answer is right; ``key`` selects the variant.

        Raises:
            CheckFailed: the answer is wrong; ``finding`` has the details as fields.
            ValueError: there is no such task.
        """
        if name not in self.tasks:
            raise ValueError(f"no task {name!r}, expected one of: {', '.join(self.tasks)}.")
        task = self.tasks[name].chosen_by(key)
        if hidden and not any(cases_in_words(task)):
            raise ValueError(f"the hidden cases of {name!r} are not here: they run when your work is graded.")
        if isinstance(answers[0], Prepare):
            with torch.random.fork_rng(devices=[]):
                prepare(task, hidden, answers[0])
            return
        # Where an answer is elsewhere, nothing here can have been replaced; to look would copy each page of a fork that
        # is looked at.
        installed = nullcontext() if is_elsewhere(answers[0]) else as_installed()
        with torch.random.fork_rng(devices=[]), torch.enable_grad(), installed:
            earlier = [self.failing[reference] for reference in task.earlier if reference in self.failing]
            finding = examine(task, Candidate(answers[0], answers[1:]), hidden, earlier)
        if finding is None and not is_elsewhere(answers[0]):
            finding = borrows(task, answers[0])
        if finding is None:
            self.failing.pop(task.reference, None)
        else:
            self.failing[task.reference] = task
        tell(f"check_{name}{'_hidden' if hidden else ''}", finding is None)
        if finding is not None:
            raise CheckFailed.of(finding).with_traceback(None) from None
        print(f"✓ {announced(task, hidden)}")


def borrows(task: Task, answer: Answer) -> Finding | None:
    """The finding for an answer that is right only where the library's solution or a further package is; else None."""
    if name := reference_used(answer, task.reference):
        got, expected = f"`{name}` of the library is called", "code of your own"
        return Finding(task.id, "", "library", "your answer", got, expected, OF_THE_LIBRARY)
    if package := package_used(answer):
        got, expected = f"`{package}` is used", "what Python, PyTorch and NumPy have"
        return Finding(task.id, "", "package", "your answer", got, expected, OF_A_PACKAGE)
    return None


def announced(task: Task, hidden: bool) -> str:
    name, _, words = task.title.partition(": ")
    if hidden:
        return f"{name}, other cases: {', '.join(cases_in_words(task))}"
    return f"{name}: as your variant asks" if task.variant not in ("", PLAIN) else f"{name}: {words}" if words else name


def cases_in_words(task: Task) -> list[str]:
    """What the hidden cases test, without duplicates."""
    return list(dict.fromkeys(case.words for case in task.cases if case.hidden))


def examine(task: Task, candidate: Candidate, hidden: bool, earlier: Sequence[Task] = ()) -> Finding | None:
    """What is wrong with the answer, or None.

    The first look decides: an answer that then differs is wrong, even if it never differs again.
    ``earlier``: failing tasks whose answers this one may call. Mistakes in them that are known cost nothing here; if
    it calls one, no cause is searched for that is not listed.
    """
    causes = {other.definition.name: cause.candidate.answer for other in earlier if (cause := last_cause(other))}
    look = first_wrong(task, candidate, hidden, causes)
    if look is None:
        return None
    trials, wrong = _until_final(full_trials(task, candidate, hidden, together=not look.ended))
    if wrong is None:  # it was right when all was played again
        return replace(look.described(), mistake="contradicts", why=CONTRADICTS, sure="property")
    if _was_right(look, wrong):  # until it had been called before: what it keeps is the mistake
        return replace(look.described(), mistake="remembers", why=FIRST_RIGHT)
    trials = [tried_alone(candidate, trial) for trial in trials]
    wrong = next(trial for trial in trials if trial.difference)
    finding = wrong.described()
    if finding.mistake == "values" and len({task.words.get(label) for label in _wrong_labels(wrong)}) > 1:
        finding = replace(finding, why="")  # one result's hint helps little if others, with another, are wrong too
    has_raised = finding.mistake.startswith("raised.")
    if finding.mistake in PASSED_ON or has_raised:
        names = (other.definition.name for other in earlier)
        if called := next((name for name in names if calls(candidate, name, look)), ""):
            explanation = without_search(task, candidate, trials)
            return replace(finding, **(explanation or {"mistake": "earlier", "why": EARLIER.format(called)}))
    if wrong.is_final or not (finding.mistake in EXPLAINED or has_raised):
        return finding
    if hidden:  # use the visible cases too, so that the two checks do not contradict each other
        trials += full_trials(task, candidate, hidden=False)
    return explain(task, candidate, trials, finding)


def _until_final(played: Iterable[Trial]) -> tuple[list[Trial], Trial | None]:
    """The trials up to a difference after which nothing is to be learnt, and the first that differs."""
    trials: list[Trial] = []
    for trial in played:
        trials.append(trial)
        if trial.is_final:
            break
    return trials, next((trial for trial in trials if trial.difference), None)


def _was_right(look: Trial, wrong: Trial) -> bool:
    """Whether the first look went wrong in a later call of the case in which now the very first call is wrong."""
    before, now = (trial.difference.got if trial.difference else None for trial in (look, wrong))
    if before is None or now is None or look.case != wrong.case:
        return False
    return now.phase == "" and before.phase in (SECOND, REPEATED, *LATER)


def _wrong_labels(trial: Trial) -> set[str]:
    """The results that differ in the first call of a case."""
    pairs = zip(trial.expected, trial.got, strict=False)
    labels = (got.label for expected, got in pairs if not equal(expected, got, trial.task.tolerance))
    return {label for label in labels if label in trial.task.results}
