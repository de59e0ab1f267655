"""Every small change of a tree, one at a time: mutants that checks must catch, and candidates for the diagnosis."""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeGuard

from autograder.checking.edits import Match
from autograder.checking.operators import Replacement, integer, replacements


@dataclass
class Change:
    """Replaces one node."""

    place: Match
    old: ast.AST
    replacement: Replacement
    guard: str  # the line `if …:` of a statement that only raises, if the change is inside it

    @contextmanager
    def made(self) -> Iterator[None]:
        """The tree has the change while the block runs."""
        undo = self.place.put(self.replacement.node)
        try:
            yield
        finally:
            undo()


def changes(tree: ast.AST, within: Callable[[ast.AST], bool] = lambda node: True, guard: str = "") -> Iterator[Change]:
    """Every change to a node for which ``within`` is true, parents first; annotations and messages stay unchanged."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "ctx", "type_comment", "decorator_list", "exc", "cause"):
            continue
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            in_guard = guard or (f"if {ast.unparse(child.test)}:" if _is_guard(child) else "")
            if within(child) and not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
                for replacement in _options(child, tree):
                    yield Change(Match(tree, field, index, 1, {}), child, replacement, in_guard)
            if integer(child) is None:
                yield from changes(child, within, in_guard)


def _options(node: ast.AST, parent: ast.AST) -> Iterator[Replacement]:
    yield from replacements(node, parent)
    if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass | ast.FunctionDef | ast.ClassDef):
        yield Replacement(ast.Pass(), _left_out(node))


def _left_out(node: ast.stmt) -> str:
    if isinstance(node, ast.Return):
        return "the `return` is missing"
    if isinstance(node, ast.For | ast.While):
        return "a loop is left out"
    if isinstance(node, ast.If):
        return "a special case is treated like all others"
    if isinstance(node, ast.Break | ast.Continue):
        return f"a `{type(node).__name__.lower()}` is missing"
    return "a step is left out"


def _is_guard(node: ast.AST) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and isinstance(node.body[0], ast.Raise)
