"""Explains a wrong answer by the smallest change of the reference that behaves like it in every case.

Listed mistakes are tried first, then the task's other variants, every single small change, and pairs of listed
mistakes. A candidate counts only if it gives what the answer gives in every case played. The search is limited by a
number of candidates, not by time, so that a busy machine gives the same message.
"""

import ast
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, islice, tee

from autograder.checking.compare import first_difference, matches, remembers
from autograder.checking.definition import Answer, Definition
from autograder.checking.edits import Body, EditError, copied, edited
from autograder.checking.observe import SECOND, Seen, Subject, Use, observe
from autograder.checking.systematic import changes
from autograder.checking.task import Case, Task
from autograder.checking.use import Draws
from autograder.checking.values import BITS, bits

SINGLES, PAIRS = 400, 150
STEPS = 2000  # of a `while` loop, which a change may make endless

CHANGE = "change"  # prefix of the id of an unlisted mistake; the change in words follows
OTHER_VARIANT = "this is the answer to another variant of this task"


@dataclass(frozen=True)
class Candidate:
    mistake: str  # id
    why: str
    answer: Answer
    sure: str = "values"


@dataclass(frozen=True)
class Played:
    """One case, with what the reference and the answer do in it."""

    case: Case
    use: Use
    draws: Draws
    expected: list[Seen]
    got: list[Seen]


@dataclass(frozen=True)
class Reach:
    """How far a search goes.

    unlisted: includes small changes and pairs of mistakes.
    loosely: includes candidates that agree only in the values.
    """

    unlisted: bool
    loosely: bool


@dataclass(frozen=True)
class Searched:
    """The result of a search in the visible cases, and how far it went."""

    played: list[Played]
    reach: Reach
    found: Candidate | None

    def covers(self, played: list[Played]) -> bool:
        """Whether these cases extend those of the same answer: candidates that failed there fail here too."""
        now = [one for one in played if not one.case.hidden]
        return [one.case for one in now] == [one.case for one in self.played] and all(
            len(one.got) == len(two.got) and first_difference(one.case, one.got, two.got) is None
            for one, two in zip(self.played, now, strict=True)
        )


_searched: dict[str, Searched] = {}  # by task: its hidden check follows its visible one
_causes: dict[str, Candidate | None] = {}  # by task: what explained its last wrong answer


def explanation(task: Task, played: list[Played]) -> Candidate | None:
    """The first candidate that behaves like the answer in every case; failing cases are compared first."""
    cause = _causes[f"{task.id} {task.variant}"] = _explanation(task, played)
    return cause


def _explanation(task: Task, played: list[Played]) -> Candidate | None:
    failing = [one for one in played if first_difference(one.case, one.expected, one.got, task.tolerance)]
    ordered = failing + [one for one in played if one not in failing]
    phases = [_phase(task, one) for one in failing]
    name = f"{task.id} {task.variant}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not {"", SECOND} & set(phases):
            return next((one for one in _listed(task) if _alike(task, one, ordered)), None)
        reach = Reach(
            unlisted=not task.coarse and _information(task, failing) >= BITS,
            loosely=any(phase == "" and not one.case.raises for phase, one in zip(phases, failing, strict=True)),
        )
        before = _searched.get(name)
        known = before if before is not None and before.reach == reach and before.covers(played) else None
        if known is not None and (known.found is None or _alike(task, known.found, ordered)):
            return known.found
        found = _search(task, ordered, reach)
        if found and reach.loosely and not reach.unlisted:
            found = _likely_causes(task, ordered)
    if not any(one.case.hidden for one in played):
        _searched[name] = Searched(played, reach, found)
    return found


def last_cause(task: Task) -> Candidate | None:
    """What explained the last wrong answer to this task, if something did."""
    return _causes.get(f"{task.id} {task.variant}")


def listed_cause(task: Task, played: list[Played]) -> Candidate | None:
    """The listed mistake that behaves like the answer in every case, in what it raises too."""
    failing = [one for one in played if first_difference(one.case, one.expected, one.got, task.tolerance)]
    ordered = failing + [one for one in played if one not in failing]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return next((one for one in _listed(task) if _alike(task, one, ordered)), None)


def _search(task: Task, ordered: list[Played], reach: Reach) -> Candidate | None:
    """A candidate that agrees in everything, or else in all values: a missing error is a separate mistake."""
    loose, values = None, [one for one in ordered if not one.case.raises]
    for candidate in candidates(task, reach.unlisted):
        if _alike_in_values(task, candidate, values):
            if _alike(task, candidate, ordered):
                return candidate
            loose = loose or (candidate if reach.loosely else None)
    return loose


def _likely_causes(task: Task, ordered: list[Played]) -> Candidate | None:
    """For results that carry little information: the one or two listed mistakes that fit; None if more do."""
    values = [one for one in ordered if not one.case.raises]
    alike = [one for one in candidates(task, unlisted=False) if _alike_in_values(task, one, values)]
    fitting = [one for one in alike if _alike(task, one, ordered)] or alike
    match [one for one in fitting if (one.mistake == "other_variant") == bool(task.variant)] or fitting:
        case [one]:
            return replace(one, why=f"a common cause: {one.why}", sure="property")
        case [one, other]:
            return replace(one, why=f"either {one.why}; or {other.why}", sure="property")
    return None


def _phase(task: Task, one: Played) -> str:
    """The call in which results first go wrong; "-" if the difference is of another kind."""
    difference = first_difference(one.case, one.expected, one.got, task.tolerance)
    seen = difference.got if difference else None
    if seen is None or seen.kind not in ("value", "raised") or remembers(seen, one.got):
        return "-"
    return seen.phase


def _information(task: Task, failing: list[Played]) -> int:
    """Bits in the wrong results; equal results count once, as an answer may give the same one in all cases."""
    values = [
        got.value
        for one in failing
        for expected, got in zip(one.expected, one.got, strict=False)
        if got.kind == "value" and not got.phase and not matches(expected, got, one.case, task.tolerance)
    ]
    return sum({repr(value): bits(value) for value in values}.values())


def candidates(task: Task, unlisted: bool) -> Iterator[Candidate]:
    """Compiled once for all answers to the task."""
    key = ("candidates", unlisted)
    task.observed[key], fresh = tee(task.observed.get(key) or _candidates(task, unlisted))
    return fresh


def _candidates(task: Task, unlisted: bool) -> Iterator[Candidate]:
    others = [Candidate("other_variant", _of(task, other), other.definition.compiled()) for other in task.others()]
    yield from chain(others, _listed(task)) if task.variant else chain(_listed(task), others)
    if unlisted:
        yield from islice(_singles(task), SINGLES)
        yield from islice(_pairs(task), PAIRS)


def _of(task: Task, other: Task) -> str:
    """Says that this is another variant's answer, and quotes that variant's text unless it is a formula."""
    said = [words.strip(" .(") for words in other.text.values() or task.text if not {"\\", "$", "\n"} & set(words)]
    return f"{OTHER_VARIANT}, where it says “{min(said, key=len)}”" if said else OTHER_VARIANT


def _listed(task: Task) -> Iterator[Candidate]:
    return (Candidate(one.id, one.why, answer) for one, answer in task.fitting())


def _alike(task: Task, candidate: Candidate, played: list[Played]) -> bool:
    subject = Subject(candidate.answer, task.tools)
    return not any(
        first_difference(one.case, observe(one.use, subject, one.draws), one.got, task.tolerance) for one in played
    )


def _alike_in_values(task: Task, candidate: Candidate, played: list[Played]) -> bool:
    """Whether the results of the first call agree in every case."""
    for one in played:
        seen = iter(one.draws.results(one.use, Subject(candidate.answer, task.tools)))
        for own in one.got:
            if own.kind not in ("value", "raised", "unfit") or own.phase:
                break
            other = next(seen, None)
            if other is None or not matches(other, own, one.case, task.tolerance):
                return False
    return True


def _singles(task: Task) -> Iterator[Candidate]:
    for answer, words, _ in _changed(task.definition):
        yield Candidate(f"{CHANGE}: {words}", f"these are the results of a right answer in which {words}", answer)


def singles(definition: Definition) -> Iterator[tuple[Answer, Callable[[], str]]]:
    """Every small change of the code that learners write: compiled, with its source on demand."""
    for answer, _, tree in _changed(definition):
        yield answer, partial(ast.unparse, tree)


def _changed(definition: Definition) -> Iterator[tuple[Answer, str, ast.Module]]:
    """Yields (compiled, words, tree); the tree is one object, of this call alone, that the next change modifies."""
    tree = _bounded(copied(definition.tree))
    written = _written(tree, definition)
    seen = {ast.dump(tree)}
    for change in changes(tree, lambda node: id(node) in written):
        change.make()
        try:
            with suppress(SyntaxError, ValueError, TypeError):
                ast.fix_missing_locations(change.replacement.node)
                dump = ast.dump(tree)
                if dump not in seen:
                    seen.add(dump)
                    yield definition.run(tree), change.words, tree
        finally:  # even if the search stops at this change: the tree is shared
            change.undo()


def _pairs(task: Task) -> Iterator[Candidate]:
    listed = [one for one in task.mistakes if not any(isinstance(edit, Body) for edit in one.edits)]
    trees = {}
    for one in listed:
        with suppress(EditError):  # it may not fit a variant
            trees[one.id] = task.definition.edited(*one.edits)
    for first, second in combinations([one for one in listed if one.id in trees], 2):
        for one, other in ((first, second), (second, first)):
            try:
                with edited(trees[one.id], other.edits):
                    answer = task.definition.run(_bounded(trees[one.id]))
            except (EditError, SyntaxError):
                continue
            yield Candidate(f"{first.id}+{second.id}", f"{first.why}; and {second.why}", answer)
            break


def _written(tree: ast.Module, definition: Definition) -> set[int]:
    """The nodes that learners write: the bodies of the functions or methods in the task."""
    own = (definition.name, *definition.answers)  # including helper functions in the answer's cell
    top = [node for node in tree.body if getattr(node, "name", "") in own]
    functions = [node for one in top for node in ast.walk(one) if isinstance(node, ast.FunctionDef)]
    if definition.answers:
        functions = [node for node in functions if node.name in definition.answers]
    nodes = (node for one in functions for statement in one.body for node in ast.walk(statement))
    return {id(node) for node in nodes if not (isinstance(node, ast.Expr) and ast.unparse(node) == "__step__()")}


def _has_loop(statements: list[ast.stmt]) -> bool:
    """Whether there is a ``while``; expressions, most of a tree, cannot contain one and are skipped."""
    return any(
        isinstance(one, ast.While)
        or any(_has_loop(getattr(one, field, [])) for field in ("body", "orelse", "finalbody", "handlers", "cases"))
        for one in statements
    )


def _bounded(tree: ast.Module) -> ast.Module:
    """A copy of the tree that counts the steps of each ``while``; the tree itself if there is none."""
    if not _has_loop(tree.body):
        return tree
    tree = copied(tree)
    step = ast.parse("__step__()").body[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.While):
            node.body.insert(0, copied(step))
    counter = ast.parse(
        "def __step__(left=[" + str(STEPS) + "]):\n left[0] -= 1\n if left[0] < 0:\n  raise RecursionError"
    )
    tree.body[:0] = counter.body
    return ast.fix_missing_locations(tree)
