"""``check("task", answer)``: runs any task's check, in a learner's notebook and in the judge."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from autograder.checking.compare import Difference, describe, first_difference, matches
from autograder.checking.definition import Answer
from autograder.checking.installed import as_installed
from autograder.checking.observe import CHANGED, REPEATED, SECOND, Subject
from autograder.checking.places import only_zero_rows, place
from autograder.checking.playing import FirstLook, Prepare, first_look, play_all, prepare
from autograder.checking.probes import probed
from autograder.checking.relations import relation
from autograder.checking.search import Played, explanation, last_cause, listed_cause
from autograder.checking.task import PLAIN, Task
from autograder.expect import CheckFailed, tell
from autograder.finding import Finding
from autograder.wording import axis_names

EARLIER = "it may call your `{}`, whose own check fails: fix that first"
CONTRADICTS = (
    "later, for the same arguments, the result was right: it must depend on the arguments alone, not on a counter, "
    "a global variable, the time or random numbers"
)
FIRST_RIGHT = "a first call, with other inputs, was right: is something kept from it, or does this fit only its inputs?"
PROBED = 3  # failing cases to probe: a case with one sentence, for example, cannot show every property
# What a wrong earlier answer may show as in an answer that calls it.
PASSED_ON = {"values", "shape", "squeezed", "dtype", "not_finite", "gradient", "no_gradient", "gradient_not_finite"}
SEARCHED = PASSED_ON | {
    "error_missing",
    "error_wrong",
    "changed_in_place",
    "remembers",
    "kind",
    "missing",
    "not_a_tensor",
    "device",
}


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
        with torch.random.fork_rng(devices=[]), torch.enable_grad(), as_installed():
            earlier = [self.failing[one] for one in task.earlier if one in self.failing]
            finding = found(task, Subject(answers[0], answers[1:]), hidden, earlier)
        if finding is None:
            self.failing.pop(task.reference, None)
        else:
            self.failing[task.reference] = task
        tell(f"check_{name}{'_hidden' if hidden else ''}", finding is None)
        if finding is not None:
            if earlier and (finding.mistake in PASSED_ON or finding.mistake.startswith("raised.")):
                finding = replace(finding, mistake="earlier", why=EARLIER.format(earlier[0].definition.name))
            raise CheckFailed.of(finding).with_traceback(None) from None
        print(f"✓ {announced(task, hidden)}")


def announced(task: Task, hidden: bool) -> str:
    name, _, words = task.title.partition(": ")
    if hidden:
        return f"{name}, other cases: {', '.join(cases_in_words(task))}"
    return f"{name}: as your variant asks" if task.variant not in ("", PLAIN) else f"{name}: {words}" if words else name


def cases_in_words(task: Task) -> list[str]:
    """What the hidden cases test, without duplicates."""
    return list(dict.fromkeys(case.words for case in task.cases if case.hidden))


def found(task: Task, subject: Subject, hidden: bool, earlier: Sequence[Task] = ()) -> Finding | None:
    """What is wrong with the answer, or None.

    The first look decides: an answer that then differs is wrong, even if it never differs again.
    ``earlier``: failing tasks whose answers this one may call. Mistakes in them that are known cost nothing here;
    otherwise no cause is searched for, as it may well be in them.
    """
    reference = Subject(task.definition.compiled(), task.tools)
    causes = {one.definition.name: cause.answer for one in earlier if (cause := last_cause(one))}
    look = first_look(task, reference, subject, hidden, causes)
    if look.is_right:
        return None
    played: list[Played] = []
    first: Difference | None = None
    for one in play_all(task, reference, subject, hidden, together=not look.raised):
        played.append(one)
        difference = first_difference(one.case, one.expected, one.got, task.tolerance)
        first = first or difference
        if difference is not None and difference.is_final:
            break
    if first is None:
        assert look.difference is not None  # it was right when all was played again
        finding = describe(task, look.difference, look.inputs, look.got)
        return replace(finding, mistake="contradicts", why=CONTRADICTS, sure="property")
    if _was_right(look, first):  # until it had been called before: what it keeps is the mistake
        assert look.difference is not None
        return replace(describe(task, look.difference, look.inputs, look.got), mistake="remembers", why=FIRST_RIGHT)
    at = next(one for one in played if one.case == first.case)
    finding = describe(task, first, at.draws[""], at.got)
    if finding.mistake == "values" and len(_wrong_labels(task, at)) > 1:
        finding = replace(finding, why="")  # one result's hint helps little if others are wrong too
    if earlier or first.is_final or not (finding.mistake in SEARCHED or finding.mistake.startswith("raised.")):
        return finding
    if hidden:  # use the visible cases too, so that the two checks do not contradict each other
        played += play_all(task, reference, subject, hidden=False)
    return _diagnosed(task, subject, played, first, finding)


def _was_right(look: FirstLook, first: Difference) -> bool:
    """Whether the first look went wrong in a later call of the case in which now the very first call is wrong."""
    before = look.difference
    if before is None or before.got is None or first.got is None or before.case != first.case:
        return False
    return first.got.phase == "" and before.got.phase in (SECOND, REPEATED, CHANGED)


def _diagnosed(task: Task, subject: Subject, played: list[Played], first: Difference, finding: Finding) -> Finding:
    if finding.mistake.startswith("raised.") and not _wrong_values(task, played) and not _is_expected(task, finding):
        cause = listed_cause(task, played)  # of any other the exception's own message says more than a search could
        if cause is None:
            return finding
        got = f"{finding.got} ({finding.why})" if finding.why else finding.got  # what it was given
        return replace(finding, mistake=cause.mistake, got=got, why=cause.why, sure=cause.sure)
    candidate = explanation(task, played)
    if candidate is not None:
        return replace(finding, mistake=candidate.mistake, why=candidate.why, sure=candidate.sure)
    if finding.mistake not in ("values", "not_finite", "shape"):
        return finding
    differences = _first_differences(task, played)
    failing = [one.case for one in differences]
    phases = {one.got.phase for one in differences if one.got is not None}
    if phases == {SECOND}:
        return replace(finding, mistake="remembers", why=FIRST_RIGHT)
    noticed = next(filter(None, (probed(task, subject, case) for case in failing[:PROBED])), None)
    wrong = _wrong_values(task, played)
    if noticed is None or noticed[0] == "positions_mixed":
        noticed = only_zero_rows(wrong) or noticed
    noticed = noticed or relation([one[:3] for one in wrong])
    if noticed is None and (changed := _changed_in_place(task, played)):
        return changed
    noticed = noticed or place(wrong)
    if noticed is None or (finding.mistake == "shape" and noticed[0] != "random"):
        return finding
    asked = finding.why if finding.mistake == "values" else ""  # what the task asks of the result
    return replace(finding, mistake=noticed[0], why="; ".join(filter(None, (noticed[1], asked))), sure="property")


def _first_differences(task: Task, played: list[Played]) -> list[Difference]:
    differences = (first_difference(one.case, one.expected, one.got, task.tolerance) for one in played)
    return [difference for difference in differences if difference]


def _is_expected(task: Task, finding: Finding) -> bool:
    """Whether some other case expects the exception that was raised."""
    return finding.mistake.removeprefix("raised.") in {case.raises for case in task.cases}


def _changed_in_place(task: Task, played: list[Played]) -> Finding | None:
    """The first argument changed in a case with wrong values: the change may well be the cause."""
    for one in played:
        kept = {seen.label: seen for seen in one.expected if seen.kind == "argument"}
        for seen in one.got:
            if seen.kind == "argument" and not matches(kept.get(seen.label, seen), seen, one.case):
                return describe(task, Difference(one.case, kept[seen.label], seen), one.draws[""], one.got)
    return None


def _wrong_labels(task: Task, one: Played) -> set[str]:
    """The results that differ in the first call of a case."""
    pairs = zip(one.expected, one.got, strict=False)
    wrong = (got.label for expected, got in pairs if not matches(expected, got, one.case, task.tolerance))
    return {label for label in wrong if label in task.results}


def _wrong_values(task: Task, played: list[Played]) -> list[tuple[Any, Any, list[str], dict[str, Any]]]:
    """(right, wrong, axes, inputs) of the first wrong result in each case that has one."""
    pairs = []
    for one in played:
        difference = first_difference(one.case, one.expected, one.got, task.tolerance)
        if difference and difference.expected and difference.got and difference.got.kind == "value":
            right = difference.expected.value
            dims = right.dim() if isinstance(right, torch.Tensor) else 0
            axes = axis_names(task.results.get(difference.got.label, ""), dims)
            pairs.append((right, difference.got.value, axes, one.draws[""]))
    return pairs
