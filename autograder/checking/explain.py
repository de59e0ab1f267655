"""Explains a wrong answer: by the smallest change of the reference that behaves like it, or by what its values show.

Listed mistakes are tried first, then the task's other variants, every single small change, and pairs of listed
mistakes. A hypothesis counts only if it gives what the answer gives in every case played. The search is limited by a
number of hypotheses, not by time, so that a busy machine gives the same message.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from autograder.checking.compare import Difference, changed_more, remembers
from autograder.checking.equal import equal
from autograder.checking.hypotheses import Hypothesis, hypotheses, listed
from autograder.checking.observation import SECOND, Candidate
from autograder.checking.relations import relation
from autograder.checking.symptoms import WrongValue, another_result, only_zero_rows, probed, reads_a_cell, where_in
from autograder.checking.task import Task
from autograder.checking.trial import Trial
from autograder.checking.values import BITS, bits
from autograder.checking.wording import axis_names
from autograder.finding import Finding

FIRST_RIGHT = "a first call, with other inputs, was right: is something kept from it, or does this fit only its inputs?"
OTHERS_RIGHT = "with other inputs it is right: does this fit only those?"
PROBED = 3  # failing cases to probe: a case with one sentence, for example, cannot show every property


@dataclass(frozen=True)
class Search:
    """A search in the visible cases, how far it went, and what it came to.

    unlisted: includes small changes and pairs of mistakes.
    loosely: includes hypotheses that agree only in the values.
    """

    trials: Sequence[Trial]
    unlisted: bool
    loosely: bool
    cause: Hypothesis | None

    def covers(self, trials: Sequence[Trial]) -> bool:
        """Whether these cases extend those of the same answer: hypotheses that failed there fail here too."""
        visible = [trial for trial in trials if not trial.case.hidden]
        return [trial.case for trial in visible] == [trial.case for trial in self.trials] and all(
            equal(before.got, now.got) and equal(now.got, before.got)  # a tensor passes for a number
            for before, now in zip(self.trials, visible, strict=True)
        )


_searches: dict[str, Search] = {}  # by task: its hidden check follows its visible one
_causes: dict[str, Hypothesis | None] = {}  # by task: what explained its last wrong answer


def explain(task: Task, candidate: Candidate, trials: Sequence[Trial], finding: Finding) -> Finding:
    """The finding, with the mistake that explains it and why that is wrong, if one does."""
    wrong = _wrong_values(task, trials)
    if finding.mistake.startswith("raised.") and not wrong and not _is_expected(task, finding):
        explanation = without_search(task, candidate, trials)  # its own message says more than a search could
        got = f"{finding.got} ({finding.why})" if finding.why else finding.got  # what it was given
        return replace(finding, got=got, **explanation) if explanation else finding
    cause = _causes[_name(task)] = _cause(task, trials)
    if cause is not None:
        why = "; and ".join(part.why for part in cause.parts if _shows(part, trials)) or cause.why
        return replace(finding, mistake=cause.mistake, why=why, sure=cause.sure)
    if finding.mistake not in ("values", "not_finite", "shape"):
        return finding
    if explanation := _of_a_cell(candidate, trials):
        return replace(finding, **explanation)
    failing = [trial for trial in trials if trial.difference]
    if symptom := another_result(failing):
        return replace(finding, mistake=symptom[0], why=symptom[1], sure="property")
    phases = {trial.difference.got.phase for trial in failing if trial.difference and trial.difference.got}
    if phases == {SECOND} and not all(trial.wrong_alone for trial in failing):
        return replace(finding, mistake="remembers", why=FIRST_RIGHT)
    symptom = next(filter(None, (probed(candidate, trial) for trial in failing[:PROBED])), None)
    if symptom is None or symptom[0] == "positions_mixed":
        symptom = only_zero_rows(wrong) or symptom
    symptom = symptom or relation(wrong)
    if symptom is None and (changed := _changed_in_place(trials)):
        return changed
    symptom = symptom or where_in(wrong) or (("values", OTHERS_RIGHT) if phases == {SECOND} else None)
    if symptom is None or (finding.mistake == "shape" and symptom[0] != "random"):
        return finding
    asked = finding.why if finding.mistake != "shape" else ""  # what the task asks of the result, or of every number
    return replace(finding, mistake=symptom[0], why="; ".join(filter(None, (symptom[1], asked))), sure="property")


def without_search(task: Task, candidate: Candidate, trials: Sequence[Trial]) -> dict[str, str]:
    """What a finding says of a listed mistake that behaves like the answer, or of a cell that it reads; else {}."""
    cause = _listed_cause(task, trials)
    return {"mistake": cause.mistake, "why": cause.why, "sure": cause.sure} if cause else _of_a_cell(candidate, trials)


def _of_a_cell(candidate: Candidate, trials: Sequence[Trial]) -> dict[str, str]:
    symptom = reads_a_cell(candidate, next(trial for trial in trials if trial.difference))
    return {"mistake": symptom[0], "why": symptom[1], "sure": "property"} if symptom else {}


def last_cause(task: Task) -> Hypothesis | None:
    """What explained the last wrong answer to this task, if something did."""
    return _causes.get(_name(task))


def _name(task: Task) -> str:
    return f"{task.id} {task.variant}"


def _cause(task: Task, trials: Sequence[Trial]) -> Hypothesis | None:
    """The first hypothesis that behaves like the answer in every case; failing cases are compared first."""
    failing, ordered = [trial for trial in trials if trial.difference], _failing_first(trials)
    phases = [_phase(trial) for trial in failing]
    if not {"", SECOND} & set(phases):
        return _listed_cause(task, trials)
    unlisted = not task.coarse and _information(failing) >= BITS
    loosely = any(phase == "" and not trial.case.raises for phase, trial in zip(phases, failing, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = _searches.get(_name(task))
        is_known = before and (before.unlisted, before.loosely) == (unlisted, loosely) and before.covers(trials)
        if before and is_known and (before.cause is None or _explains(before.cause, ordered)):
            return before.cause
        cause = _search(task, ordered, unlisted, loosely)
        if cause and loosely and not unlisted:
            cause = _likely_causes(task, ordered)
    if not any(trial.case.hidden for trial in trials):
        _searches[_name(task)] = Search(trials, unlisted, loosely, cause)
    return cause


def _listed_cause(task: Task, trials: Sequence[Trial]) -> Hypothesis | None:
    """The listed mistake that behaves like the answer in every case, in what it raises too."""
    ordered = _failing_first(trials)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return next((hypothesis for hypothesis in listed(task) if _explains(hypothesis, ordered)), None)


def _failing_first(trials: Sequence[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: trial.difference is None)


def _search(task: Task, ordered: list[Trial], unlisted: bool, loosely: bool) -> Hypothesis | None:
    """A hypothesis that agrees in everything, or else in all values: a missing error is a separate mistake."""
    loose = None
    for hypothesis in hypotheses(task, unlisted):
        if _explains_values(hypothesis, ordered):
            if _explains(hypothesis, ordered):
                return hypothesis
            loose = loose or (hypothesis if loosely else None)
    return loose


def _likely_causes(task: Task, ordered: list[Trial]) -> Hypothesis | None:
    """For results that carry little information: the one or two listed mistakes that fit; None if more do."""
    in_values = [each for each in hypotheses(task, unlisted=False) if _explains_values(each, ordered)]
    fitting = [each for each in in_values if _explains(each, ordered)] or in_values
    match [each for each in fitting if (each.mistake == "other_variant") == bool(task.variant)] or fitting:
        case [cause]:
            return replace(cause, why=f"a common cause: {cause.why}", sure="property")
        case [cause, other]:
            return replace(cause, why=f"either {cause.why}; or {other.why}", sure="property")
    return None


def _explains(hypothesis: Hypothesis, trials: Sequence[Trial]) -> bool:
    return all(trial.is_as(hypothesis.candidate) for trial in trials)


def _explains_values(hypothesis: Hypothesis, trials: Sequence[Trial]) -> bool:
    """Whether the results of the first call agree in every case that requires no error."""
    return all(trial.gives_as(hypothesis.candidate) for trial in trials if not trial.case.raises)


def _shows(part: Hypothesis, trials: Sequence[Trial]) -> bool:
    """Whether a mistake alone would spoil a result that the answer has wrong: another may undo what it does."""
    for trial in trials:
        alone = {result.label: result for result in trial.first_results(part.candidate)}
        for right, got in zip(trial.expected, trial.got, strict=False):
            is_first = right.kind == "value" and not right.phase
            if is_first and not equal(right, got) and not equal(right, alone.get(right.label)):
                return True
    return False


def _phase(trial: Trial) -> str:
    """The call in which results first go wrong; "-" if the difference is of another kind."""
    got = trial.difference.got if trial.difference else None
    if got is None or got.kind not in ("value", "raised") or (not trial.wrong_alone and remembers(got, trial.got)):
        return "-"
    return got.phase


def _information(failing: Sequence[Trial]) -> int:
    """Bits in the wrong results; equal results count once, as an answer may give the same one in all cases."""
    values = [
        got.value
        for trial in failing
        for expected, got in zip(trial.expected, trial.got, strict=False)
        if got.kind == "value" and not got.phase and not equal(expected, got, trial.task.tolerance)
    ]
    return sum({repr(value): bits(value) for value in values}.values())


def _is_expected(task: Task, finding: Finding) -> bool:
    """Whether some other case expects the exception that was raised."""
    return finding.mistake.removeprefix("raised.") in {case.raises for case in task.cases}


def _changed_in_place(trials: Sequence[Trial]) -> Finding | None:
    """The first argument changed in a case with wrong values: the change may well be the cause."""
    for trial in trials:
        kinds = ([seen for seen in side if seen.kind == "arguments"] for side in (trial.expected, trial.got))
        for expected, got in zip(*kinds, strict=False):
            if changed_more(expected, got):
                return trial.described(Difference(expected, got))
    return None


def _wrong_values(task: Task, trials: Sequence[Trial]) -> list[WrongValue]:
    """The first wrong result in each case that has one."""
    wrong: list[WrongValue] = []
    for trial in trials:
        difference = trial.difference
        if difference and difference.expected and difference.got and difference.got.kind == "value":
            right = difference.expected.value
            dims = right.dim() if isinstance(right, torch.Tensor) else 0
            axes = axis_names(task.results.get(difference.got.label, ""), dims)
            wrong.append((right, difference.got.value, axes, trial.inputs))
    return wrong
