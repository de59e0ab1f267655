"""What an exercise gives and its checks rely on: imports, helpers and constants, as text for the judge to run.

Fetched from the learner's process, a helper such as ``close`` could return anything. A name that answers bind or
change, or whose value depends on an answer, is still taken from the learner.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import lru_cache
from symtable import Symbol, SymbolTable, symtable

CHANGES = frozenset(
    {"append", "appendleft", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "add", "discard"}
    | {"setdefault", "sort", "reverse", "write"}
)
SEEDS = frozenset({"seed", "manual_seed"})
AT_ONCE = frozenset({"listcomp", "setcomp", "dictcomp", "genexpr"})  # scopes that run immediately
BUILT_IN = frozenset(dir(builtins))


def relied_on(given: Iterable[str], checks: Iterable[str], answers: Iterable[str]) -> str:
    """The statements of the ``given`` cells that define the names used in ``checks``, and their dependencies."""
    statements = [node for source in given for node in parsed(source)]
    solved = [node for source in answers for node in parsed(source)]
    imported = {one for node in statements for one in imports(node)}
    solved = [node for node in solved if not imports(node) or set(imports(node)) - imported]  # repeats count as given
    theirs = {name for node in solved for name in bound(node) | changed(node)}
    theirs |= {name for node in statements for name in changed(node, within_functions=True)}
    makers: dict[str, list[ast.stmt]] = {}
    for node in statements:
        for name in bound(node):
            makers.setdefault(name, []).append(node)
    ours = set(makers) - theirs
    while lost := {name for name in ours if any(at_once(one) - ours - BUILT_IN for one in makers[name])}:
        ours -= lost
    needed = wanted = {name for source in checks for node in parsed(source) for name in read(node)} & ours
    while more := {name for each in needed for one in makers[each] for name in read(one) & ours} - needed:
        needed = needed | more
    chosen = [node for node in statements if _is_needed(node, needed, ours)]
    if wanted and not all(isinstance(node, DEFINITIONS) for node in chosen):  # values may be random
        chosen = [node for node in statements if node in chosen or _called(node)[1] in SEEDS]
    return "\n".join(ast.unparse(node) for node in chosen)


@lru_cache(maxsize=64)
def read_outside(source: str) -> frozenset[str]:
    """The names that such a text reads and does not define: mostly answers."""
    nodes = parsed(source)
    return frozenset(name for node in nodes for name in read(node)) - {name for node in nodes for name in bound(node)}


DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


def parsed(source: str) -> list[ast.stmt]:
    """The statements of a cell without IPython magics; none if it is not valid Python."""
    plain = "\n".join("" if line.lstrip().startswith(("%", "!", "?")) else line for line in source.splitlines())
    try:
        return ast.parse(plain).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


def bound(node: ast.stmt) -> set[str]:
    """The names that a statement binds."""
    return {one.get_name() for one in _table(node).get_symbols() if one.is_assigned() or one.is_imported()}


def imports(node: ast.stmt) -> list[str]:
    """What a statement imports, one by one; empty if it is not an import."""
    if isinstance(node, ast.Import):
        return [ast.unparse(ast.Import([one])) for one in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.unparse(ast.ImportFrom(node.module, [one], node.level)) for one in node.names]
    return []


def at_once(node: ast.stmt) -> set[str]:
    """The names that it reads when it runs, without those read only when its definitions are called."""
    own = bound(node) if not isinstance(node, ast.AugAssign) else set()
    return {one.get_name() for one in _global(node, calls=False) if one.is_referenced()} - own


def read(node: ast.stmt) -> set[str]:
    """The names that it reads, including those read when its definitions are called."""
    return {one.get_name() for one in _global(node, calls=True) if one.is_referenced()} - BUILT_IN


def changed(node: ast.stmt, within_functions: bool = False) -> set[str]:
    """The names of globals that it changes in place."""
    every: Iterable[ast.AST] = ast.walk(node)
    if within_functions:
        functions = [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef | ast.Lambda)]
        every = [one for function in functions for one in ast.walk(function)]
    found: set[str] = set()
    for one in every:
        match one:
            case ast.Global(names=names):
                found.update(names)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in CHANGES:
                found.add(name)
            case ast.Subscript(value=ast.Name(id=name)) | ast.Attribute(value=ast.Name(id=name)):
                if not isinstance(one.ctx, ast.Load):
                    found.add(name)
    return found & {one.get_name() for one in _global(node, calls=True)}


def _is_needed(node: ast.stmt, needed: set[str], ours: set[str]) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return bool(bound(node) & needed) or any(one.name == "*" for one in node.names)
    if isinstance(node, ast.Expr):  # changing a needed object is part of making it
        name, method = _called(node)
        return name in needed and method in CHANGES and not read(node) - ours
    return bool((bound(node) | changed(node)) & needed) and not at_once(node) - ours - BUILT_IN


def _called(node: ast.stmt) -> tuple[str, str]:
    """``a`` and ``d`` of the statement ``a.b.d()``."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method))):
            return next((one.id for one in ast.walk(owner) if isinstance(one, ast.Name)), ""), method
    return "", ""


@lru_cache(maxsize=4096)
def _table(node: ast.stmt) -> SymbolTable:
    return symtable(ast.unparse(node), "<given>", "exec")


def _global(node: ast.stmt, calls: bool) -> Iterator[Symbol]:
    """The globals in its own scope and those within it; without ``calls``, only in those that run immediately."""
    tables = [_table(node)]
    for table in tables:  # the list grows
        yield from (one for one in table.get_symbols() if table.get_type() == "module" or one.is_global())
        inner = table.get_children()
        tables += [one for one in inner if calls or one.get_type() == "class" or one.get_name() in AT_ONCE]
