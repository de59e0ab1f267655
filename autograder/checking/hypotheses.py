"""What a learner may have written: listed mistakes, other variants, every small change, pairs of listed mistakes."""

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, islice, tee

from autograder.checking.changes import changes
from autograder.checking.definition import Answer, Definition
from autograder.checking.edits import Body, EditError, copied, edited
from autograder.checking.observation import Candidate
from autograder.checking.task import Task

SINGLES, PAIRS = 400, 150
STEPS = 2000  # of a `while` loop, which a change may make endless

CHANGE = "change"  # prefix of the id of an unlisted mistake; the change in words follows
OTHER = "this would be right if the task asked for something else: compare it with the task's words and formulas"


@dataclass(frozen=True)
class Hypothesis:
    """A mistake that may explain an answer, and the answer that makes it."""

    mistake: str  # id
    why: str
    candidate: Candidate
    sure: str = "values"
    parts: "tuple[Hypothesis, ...]" = ()  # of a pair of mistakes, each alone


def hypotheses(task: Task, unlisted: bool) -> Iterator[Hypothesis]:
    """Compiled once for all answers to the task; ``unlisted``: with small changes and pairs of mistakes."""
    key = ("hypotheses", unlisted)
    task.prepared[key], fresh = tee(task.prepared.get(key) or _hypotheses(task, unlisted))
    return fresh


def _hypotheses(task: Task, unlisted: bool) -> Iterator[Hypothesis]:
    others = [Hypothesis("other_variant", asked(task, other), other.right) for other in task.others()]
    unquoted = [] if task.variant else [other for other in others if other.why == OTHER]
    quoted = [other for other in others if other not in unquoted]
    yield from chain(quoted, listed(task)) if task.variant else chain(listed(task), quoted)
    if unlisted:
        yield from islice(_singles(task), SINGLES)
    yield from unquoted  # where nobody has another variant, the change of the formula says more
    if unlisted:
        yield from islice(_pairs(task), PAIRS)


def asked(task: Task, other: Task) -> str:
    """What another variant says where this one says something else, quoted unless it is a formula."""
    pairs = [[variant.text.get(words, words) for variant in (other, task)] for words in {**other.text, **task.text}]
    texts = [pair for pair in pairs if pair[0] != pair[1] and not {"\\", "$", "\n"} & set("".join(pair))]
    if not texts:
        return OTHER
    theirs, ours = (text.strip(" .(;,") for text in min(texts, key=lambda pair: len("".join(pair))))
    return f"this would be right if the task said “{theirs}”; it says “{ours}”"


def listed(task: Task) -> Iterator[Hypothesis]:
    return (Hypothesis(mistake.id, mistake.why, Candidate(answer, task.tools)) for mistake, answer in task.fitting())


def _singles(task: Task) -> Iterator[Hypothesis]:
    for answer, words, _ in _changed(task.definition):
        why = f"a right answer gives the same if {words}"
        yield Hypothesis(f"{CHANGE}: {words}", why, Candidate(answer, task.tools))


def singles(definition: Definition) -> Iterator[tuple[Answer, Callable[[], str]]]:
    """Every small change of the code that learners write: compiled, with its source on demand."""
    for answer, _, tree in _changed(definition):
        yield answer, partial(ast.unparse, tree)


def _changed(definition: Definition) -> Iterator[tuple[Answer, str, ast.Module]]:
    """Yields (compiled, words, tree); the tree is one object, of this call alone, that the next change modifies."""
    tree = _bounded(copied(definition.tree))
    written = _written(tree, definition)
    known = {ast.dump(tree)}
    for change in changes(tree, lambda node: id(node) in written):
        with change.made(), suppress(SyntaxError, ValueError, TypeError):
            ast.fix_missing_locations(change.replacement.node)
            dump = ast.dump(tree)
            if dump not in known:
                known.add(dump)
                yield definition.run(tree), change.replacement.words, tree


def _pairs(task: Task) -> Iterator[Hypothesis]:
    mistakes = [item for item in task.mistakes if not any(isinstance(edit, Body) for edit in item.edits)]
    trees, alone = {}, {hypothesis.mistake: hypothesis for hypothesis in listed(task)}
    for mistake in mistakes:
        with suppress(EditError):  # it may not fit a variant
            trees[mistake.id] = task.definition.edited(*mistake.edits)
    for first, second in combinations([mistake for mistake in mistakes if mistake.id in trees], 2):
        for before, after in ((first, second), (second, first)):
            try:
                with edited(trees[before.id], after.edits):
                    answer = task.definition.run(_bounded(trees[before.id]))
            except (EditError, SyntaxError):
                continue
            id, why = f"{first.id}+{second.id}", f"{first.why}; and {second.why}"
            parts = tuple(alone[mistake.id] for mistake in (first, second))
            yield Hypothesis(id, why, Candidate(answer, task.tools), parts=parts)
            break


def _written(tree: ast.Module, definition: Definition) -> set[int]:
    """The nodes that learners write: the bodies of the functions or methods in the task."""
    names = (definition.name, *definition.answers)  # including helper functions in the answer's cell
    top = [node for node in tree.body if getattr(node, "name", "") in names]
    functions = [node for outer in top for node in ast.walk(outer) if isinstance(node, ast.FunctionDef)]
    if definition.answers:
        functions = [node for node in functions if node.name in definition.answers]
    nodes = (node for function in functions for statement in function.body for node in ast.walk(statement))
    return {id(node) for node in nodes if not (isinstance(node, ast.Expr) and ast.unparse(node) == "__step__()")}


def _has_loop(statements: list[ast.stmt]) -> bool:
    """Whether there is a ``while``; expressions, most of a tree, cannot contain one and are skipped."""
    return any(
        isinstance(statement, ast.While)
        or any(
            _has_loop(getattr(statement, field, [])) for field in ("body", "orelse", "finalbody", "handlers", "cases")
        )
        for statement in statements
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
