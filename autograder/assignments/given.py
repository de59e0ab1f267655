"""What an exercise gives and its checks rely on: imports, helpers and constants, as text for the judge to run.

Fetched from the learner's process, a helper such as ``close`` could return anything. A name that answers bind or
change, or whose value depends on an answer, is still taken from the learner.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import lru_cache
from symtable import Symbol, SymbolTable, symtable

from autograder.unreadable_cells import statements

CHANGES = frozenset(
    {"append", "appendleft", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "add", "discard"}
    | {"setdefault", "sort", "reverse", "write"}
)
SEEDS = frozenset({"seed", "manual_seed"})
AT_ONCE = frozenset({"listcomp", "setcomp", "dictcomp", "genexpr"})  # scopes that run immediately
BUILT_IN = frozenset(dir(builtins))


def relied_on(given: Iterable[str], checks: Iterable[str], answers: Iterable[str]) -> str:
    """The statements of the ``given`` cells that define the names used in ``checks``, and their dependencies."""
    defining = [node for source in given for node in statements(source)]
    solved = [node for source in answers for node in statements(source)]
    imported = {line for node in defining for line in imports(node)}
    solved = [node for node in solved if not imports(node) or set(imports(node)) - imported]  # repeats count as given
    theirs = {name for node in solved for name in bound(node) | changed(node)}
    theirs |= {name for node in defining for name in changed(node, within_functions=True)}
    makers: dict[str, list[ast.stmt]] = {}
    for node in defining:
        for name in bound(node):
            makers.setdefault(name, []).append(node)
    ours = set(makers) - theirs
    while lost := {name for name in ours if any(at_once(maker) - ours - BUILT_IN for maker in makers[name])}:
        ours -= lost
    needed = wanted = {name for source in checks for node in statements(source) for name in read(node)} & ours
    while more := {name for each in needed for maker in makers[each] for name in read(maker) & ours} - needed:
        needed = needed | more
    chosen = [node for node in defining if _is_needed(node, needed, ours)]
    if wanted and not all(isinstance(node, DEFINITIONS) for node in chosen):  # values may be random
        chosen = [node for node in defining if node in chosen or _called(node)[1] in SEEDS]
    return "\n".join(ast.unparse(node) for node in chosen)


@lru_cache(maxsize=64)
def read_outside(source: str) -> frozenset[str]:
    """The names that such a text reads and does not define: mostly answers."""
    nodes = statements(source)
    return frozenset(name for node in nodes for name in read(node)) - {name for node in nodes for name in bound(node)}


DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


def bound(node: ast.stmt) -> set[str]:
    """The names that a statement binds."""
    return {symbol.get_name() for symbol in _table(node).get_symbols() if symbol.is_assigned() or symbol.is_imported()}


def imports(node: ast.stmt) -> list[str]:
    """What a statement imports, one by one; empty if it is not an import."""
    if isinstance(node, ast.Import):
        return [ast.unparse(ast.Import([alias])) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.unparse(ast.ImportFrom(node.module, [alias], node.level)) for alias in node.names]
    return []


def at_once(node: ast.stmt) -> set[str]:
    """The names that it reads when it runs, without those read only when its definitions are called."""
    assigned = bound(node) if not isinstance(node, ast.AugAssign) else set()
    return {symbol.get_name() for symbol in _global(node, calls=False) if symbol.is_referenced()} - assigned


def read(node: ast.stmt) -> set[str]:
    """The names that it reads, including those read when its definitions are called."""
    return {symbol.get_name() for symbol in _global(node, calls=True) if symbol.is_referenced()} - BUILT_IN


def changed(node: ast.stmt, within_functions: bool = False) -> set[str]:
    """The names of globals that it changes in place."""
    every: Iterable[ast.AST] = ast.walk(node)
    if within_functions:
        functions = [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.Lambda)]
        every = [part for function in functions for part in ast.walk(function)]
    changes: set[str] = set()
    for part in every:
        match part:
            case ast.Global(names=names):
                changes.update(names)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in CHANGES:
                changes.add(name)
            case ast.Subscript(value=ast.Name(id=name)) | ast.Attribute(value=ast.Name(id=name)):
                if not isinstance(part.ctx, ast.Load):
                    changes.add(name)
    return changes & {symbol.get_name() for symbol in _global(node, calls=True)}


def _is_needed(node: ast.stmt, needed: set[str], ours: set[str]) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return bool(bound(node) & needed) or any(alias.name == "*" for alias in node.names)
    if isinstance(node, ast.Expr):  # changing a needed object is part of making it
        name, method = _called(node)
        return name in needed and method in CHANGES and not read(node) - ours
    return bool((bound(node) | changed(node)) & needed) and not at_once(node) - ours - BUILT_IN


def _called(node: ast.stmt) -> tuple[str, str]:
    """``a`` and ``d`` of the statement ``a.b.d()``."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method))):
            return next((part.id for part in ast.walk(owner) if isinstance(part, ast.Name)), ""), method
    return "", ""


@lru_cache(maxsize=4096)
def _table(node: ast.stmt) -> SymbolTable:
    return symtable(ast.unparse(node), "<given>", "exec")


def _global(node: ast.stmt, calls: bool) -> Iterator[Symbol]:
    """The globals in its own scope and those within it; without ``calls``, only in those that run immediately."""
    tables = [_table(node)]
    for table in tables:  # the list grows
        yield from (symbol for symbol in table.get_symbols() if table.get_type() == "module" or symbol.is_global())
        children = table.get_children()
        tables += [child for child in children if calls or child.get_type() == "class" or child.get_name() in AT_ONCE]
