"""What an answer does instead of what it should: the smallest change of the reference that is seen alike everywhere.

Listed mistakes come first, then the task's other variants, then every single small change, then pairs of listed
mistakes. A candidate counts only if it gives what the answer gives in every case that was looked at. How many are
tried is a number, not a time: a busy machine gets the same words.
"""

import ast
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations, islice

from autograder.checking.compare import first_difference, matches
from autograder.checking.definition import Answer, Definition
from autograder.checking.edits import Body, EditError, copied
from autograder.checking.observe import Seen, Subject, observe
from autograder.checking.systematic import changes
from autograder.checking.task import Case, Task

SINGLES, PAIRS = 400, 150
STEPS = 2000  # of a loop `while …`, which a change may keep from ending

CHANGE = "change"  # begins the id of a mistake that no list has; the change in words follows
OTHER_VARIANT = "this is the answer to another variant of this task"


@dataclass(frozen=True)
class Candidate:
    mistake: str  # id
    why: str
    answer: Answer


@dataclass(frozen=True)
class Played:
    """One case, what the reference does there, and what the answer does."""

    case: Case
    expected: list[Seen]
    got: list[Seen]


def explanation(task: Task, played: list[Played]) -> Candidate | None:
    """The first candidate that is seen like the answer in every case, the failing ones first."""
    failing = [one for one in played if first_difference(one.case, one.expected, one.got, task.tolerance)]
    ordered = failing + [one for one in played if one not in failing]
    values = any(not one.phase for one in _kinds(failing) if one.kind in ("value", "raised"))
    loose = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for candidate in candidates(task) if values else _listed(task):
            if _alike_in_values(task, candidate, ordered):
                if all(_alike(task, candidate, one) for one in ordered):
                    return candidate
                loose = loose or (candidate if values else None)
    return loose


def _kinds(failing: list[Played]) -> Iterator[Seen]:
    """In each failing case, the first thing in which the answer differs."""
    for one in failing:
        difference = first_difference(one.case, one.expected, one.got)
        if difference is not None and difference.got is not None:
            yield difference.got


def candidates(task: Task) -> Iterator[Candidate]:
    others = [Candidate("other_variant", OTHER_VARIANT, other.definition.compiled()) for other in task.others()]
    yield from chain(others, _listed(task)) if task.variant else chain(_listed(task), others)
    yield from islice(_singles(task), SINGLES)
    yield from islice(_pairs(task), PAIRS)


def _listed(task: Task) -> Iterator[Candidate]:
    return (Candidate(one.id, one.why, answer) for one, answer in task.fitting())


def _alike(task: Task, candidate: Candidate, one: Played) -> bool:
    seen = observe(task, Subject(candidate.answer, task.tools), one.case)
    return first_difference(one.case, seen, one.got, task.tolerance) is None


def _alike_in_values(task: Task, candidate: Candidate, played: list[Played]) -> bool:
    """Alike in the results of the first call in each case."""
    for one in played:
        seen = observe(task, Subject(candidate.answer, task.tools), one.case)
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
    """Every small change of what learners write: compiled, and its source on demand."""
    for answer, _, tree in _changed(definition):
        yield answer, lambda tree=tree: ast.unparse(tree)


def _changed(definition: Definition) -> Iterator[tuple[Answer, str, ast.Module]]:
    """(compiled, words, the tree, which is the same object with the next change in it later)"""
    tree = _bounded(definition.tree)
    written = _written(tree, definition)
    seen = {ast.dump(tree)}
    for change in changes(tree, lambda node: id(node) in written):
        change.make()
        try:
            with suppress(SyntaxError, ValueError, TypeError):
                ast.fix_missing_locations(tree)
                dump = ast.dump(tree)
                if dump not in seen:
                    seen.add(dump)
                    yield definition.run(tree), change.words, tree
        finally:  # also where a search ends at this change: the tree is everybody's
            change.undo()


def _pairs(task: Task) -> Iterator[Candidate]:
    listed = [one for one in task.mistakes if not any(isinstance(edit, Body) for edit in one.edits)]
    for first, second in combinations(listed, 2):
        for one, other in ((first, second), (second, first)):
            try:
                answer = task.definition.run(_bounded(task.definition.edited(*one.edits, *other.edits)))
            except (EditError, SyntaxError):
                continue
            yield Candidate(f"{first.id}+{second.id}", f"{first.why}; and {second.why}", answer)
            break


def _written(tree: ast.Module, definition: Definition) -> set[int]:
    """The nodes that learners write: the bodies of the functions, or of the methods that are asked for."""
    own = (definition.name, *definition.answers)  # functions that an answer's cell defines beside it, too
    top = [node for node in tree.body if getattr(node, "name", "") in own]
    functions = [node for one in top for node in ast.walk(one) if isinstance(node, ast.FunctionDef)]
    if definition.answers:
        functions = [node for node in functions if node.name in definition.answers]
    nodes = (node for one in functions for statement in one.body for node in ast.walk(statement))
    return {id(node) for node in nodes if not (isinstance(node, ast.Expr) and ast.unparse(node) == "__step__()")}


def _bounded(tree: ast.Module) -> ast.Module:
    """The tree with a step counted in each ``while``; the tree itself where there is none."""
    if not any(isinstance(node, ast.While) for node in ast.walk(tree)):
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
