"""Edits of Python source through its syntax tree: what a mistake or a variant changes in a reference.

A pattern is Python with holes: ``torch.tanh({x})`` matches every call of ``torch.tanh`` with one argument, and the
replacement may use what the hole matched. Layout and comments do not matter. A pattern is an expression, a keyword
argument (``dim=-1``), or one or more consecutive statements.
"""

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

HOLE = re.compile(r"\{(\w+)\}")
KEYWORD = re.compile(r"[a-z_]+=[^=\s]")  # without spaces: a keyword argument, not an assignment
PREFIX = "_hole_"
ANNOTATIONS = ("annotation", "returns")


class EditError(ValueError):
    """An edit does not fit its source; the message shows both."""

    def __init__(self, problem: str, tree: ast.Module | None = None) -> None:
        super().__init__(problem)
        self.tree = tree

    def __str__(self) -> str:
        """Unparses the tree only on demand: a search raises thousands of these errors that nobody reads."""
        return super().__str__() + (f" in\n{ast.unparse(self.tree)}" if self.tree else "")


@dataclass(frozen=True)
class Edit:
    """``find`` is replaced by ``put``; ``at`` selects one of several matches, counted from 0, or all of them."""

    find: str
    put: str
    at: int | str = ""  # "" if there must be exactly one match, an index, or "all"
    of: str = ""  # the function or method to search; "" searches everywhere


@dataclass(frozen=True)
class Body:
    """``code`` replaces the whole body of a function or method; ``of`` names it if there are several."""

    code: str
    of: str = ""


@dataclass(frozen=True)
class Start:
    """``code`` runs before the first statement of a function or method."""

    code: str
    of: str = ""


AnyEdit = Edit | Body | Start
Pattern = ast.expr | ast.keyword | list[ast.stmt]
Undo = Callable[[], None]


edit, body, start = Edit, Body, Start  # as tasks write them


def result(put: str, of: str = "") -> Edit:
    """Replaces the returned value ``{x}`` at every ``return``."""
    return Edit("return {x}", f"return {put}", "all", of)


def apply(tree: ast.Module, edits: tuple[AnyEdit, ...]) -> ast.Module:
    """A copy of the tree with all edits applied in order.

    Raises:
        EditError: a pattern is not found, or has more matches than the edit allows.
    """
    tree = copied(tree)
    for change in edits:
        _make(tree, change)
    return tree


@contextmanager
def edited(tree: ast.Module, edits: tuple[AnyEdit, ...]) -> Iterator[None]:
    """Applies the edits to the tree itself and undoes them on exit, much faster than a copy; raises like ``apply``."""
    undo: list[Undo] = []
    try:
        for change in edits:
            undo += _make(tree, change)
        yield
    finally:
        for back in reversed(undo):
            back()


def copied(node: Any) -> Any:
    """A deep copy of a tree; ``copy.deepcopy`` takes ten times as long."""
    if isinstance(node, list):
        return [copied(item) for item in node]
    if not isinstance(node, ast.AST) or not node._fields:
        return node
    return type(node)(**{name: copied(value) for name, value in node.__dict__.items()})


def _make(tree: ast.Module, change: AnyEdit) -> list[Undo]:
    return _put_body(tree, change) if isinstance(change, Body | Start) else _put(tree, change)


def _put(tree: ast.Module, change: Edit) -> list[Undo]:
    pattern = _parsed(change.find)
    within = _functions(tree, change.of) if change.of else [tree]
    matches = [match for node in within for match in _matches(node, pattern)]
    at, count = change.at, len(matches)
    if not matches or (at == "" and count > 1) or (isinstance(at, int) and at >= count):
        raise EditError(f"{change.find!r} is found {count} times", tree)
    chosen = matches if at == "all" else [matches[at if isinstance(at, int) else 0]]
    replacement = _parsed(change.put, isinstance(pattern, list))
    if isinstance(replacement, list) and not isinstance(pattern, list):
        raise EditError(f"{change.find!r} is an expression, but {change.put!r} is not; match the whole statement.")
    return [match.put(_filled(replacement, match.holes)) for match in reversed(chosen)]


def _put_body(tree: ast.Module, change: Body | Start) -> list[Undo]:
    function, code = _functions(tree, change.of)[-1], ast.parse(_dedented(change.code)).body
    before, function.body = function.body, code if isinstance(change, Body) else [*code, *function.body]
    return [partial(setattr, function, "body", before)]


def _functions(tree: ast.Module, name: str) -> list[ast.FunctionDef]:
    """The functions of this name; if it is empty, the last one at the top level or in a top-level class."""
    tops = [node for top in tree.body for node in (top.body if isinstance(top, ast.ClassDef) else [top])]
    plain = [node for node in tops if isinstance(node, ast.FunctionDef)]
    inner = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    functions = inner if name else plain[-1:]
    if not functions:
        raise EditError(f"there is no function {name!r}", tree)
    return functions


@dataclass
class Match:
    """Where a pattern matches, or a node stands: a field of another, one element of a list, or several in a row."""

    parent: ast.AST
    field: str
    first: int | None
    count: int
    holes: dict[str, ast.expr]

    def put(self, new: Pattern | ast.AST) -> Undo:
        """Modifies the tree itself, which is much cheaper than a copy; what is returned undoes it."""
        before = getattr(self.parent, self.field)
        if self.first is not None:
            after = self.first + self.count
            new = [*before[: self.first], *(new if isinstance(new, list) else [new]), *before[after:]]
            if not new:
                new = ast.parse("pass").body
        setattr(self.parent, self.field, new)
        return partial(setattr, self.parent, self.field, before)


def _matches(tree: ast.AST, pattern: Pattern) -> list[Match]:
    """The matches in source order."""
    matches: list[Match] = []
    is_hole = isinstance(pattern, ast.Name) and pattern.id.startswith(PREFIX)
    _gather(tree, pattern, ast.AST if is_hole else type(pattern), matches)
    return matches


def _gather(tree: ast.AST, pattern: Pattern, kind: type, matches: list[Match]) -> None:
    """Appends the matches in the tree to ``matches``; ``kind``: of the nodes that can match."""
    for field in tree._fields:
        value = getattr(tree, field, None)
        if isinstance(value, list):
            if isinstance(pattern, list):
                for first in range(len(value) - len(pattern) + 1):
                    holes: dict[str, ast.expr] = {}
                    window = value[first : first + len(pattern)]
                    if all(_fits(want, have, holes) for want, have in zip(pattern, window, strict=True)):
                        matches.append(Match(tree, field, first, len(pattern), holes))
            children: list[tuple[int | None, Any]] = list(enumerate(value))
        else:
            children = [(None, value)]
        for index, child in children:
            if isinstance(child, ast.AST):
                holes = {}
                if isinstance(child, kind) and field not in ANNOTATIONS and _fits(pattern, child, holes):
                    matches.append(Match(tree, field, index, 1, holes))
                _gather(child, pattern, kind, matches)


def _fits(want: object, have: object, holes: dict[str, ast.expr]) -> bool:
    if isinstance(want, ast.Name) and want.id.startswith(PREFIX):
        if not isinstance(have, ast.expr):
            return False
        known = holes.setdefault(want.id, have)
        return known is have or ast.dump(known) == ast.dump(have)
    if isinstance(want, ast.AST):
        if type(want) is not type(have):
            return False
        fields = [name for name in want._fields if name not in ("ctx", "type_comment")]
        return all(_fits(getattr(want, name, None), getattr(have, name, None), holes) for name in fields)
    if isinstance(want, list):
        return (
            isinstance(have, list)
            and len(want) == len(have)
            and all(_fits(part, other, holes) for part, other in zip(want, have, strict=True))
        )
    return want == have


@lru_cache(maxsize=4096)
def _parsed(text: str, statements: bool = False) -> Pattern:
    code = HOLE.sub(rf"{PREFIX}\1", _dedented(text))
    if KEYWORD.match(code):
        call = ast.parse(f"_({code})", mode="eval").body
        assert isinstance(call, ast.Call)
        return call.keywords[0]
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        raise EditError(f"{text!r} is not Python with holes: {error.msg}") from None
    if not statements and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        return tree.body[0].value
    return tree.body


def _filled(new: Pattern, holes: dict[str, ast.expr]) -> Pattern:
    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return copied(holes[node.id]) if node.id in holes else node

    if isinstance(new, list):
        return [Fill().visit(copied(statement)) for statement in new]
    return Fill().visit(copied(new))


def _dedented(text: str) -> str:
    lines = text.strip("\n").split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return "\n".join(line[min(indents, default=0) :] for line in lines)
