"""A check cell: its points, the names that it asks the learner's process for, and the words of a bare assertion."""

import ast
import builtins
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

from autograder.judging.job import Cell

HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", re.DOTALL)


@dataclass(frozen=True)
class Check:
    """A check cell, compiled: its statements, its last expression, and the names that it reads but does not define."""

    statements: CodeType
    last: CodeType | None
    names: frozenset[str]


@lru_cache(maxsize=1024)
def compiled(source: str) -> Check:
    """The same for every submission: who forks examinations compiles first."""
    tree = ast.parse(source)
    names = free_names(tree)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = compile(ast.Expression(last.value), "<check>", "eval") if last else None
    return Check(compile(tree, "<check>", "exec"), value, names)


def execute(cell: Cell, namespace: dict[str, Any], names: dict[str, Any]) -> float:
    """Runs a check cell and returns its points: all of them, or the number that its last expression gives."""
    check = compiled(cell.source)
    scope = namespace | names
    try:
        exec(check.statements, scope)
        value = eval(check.last, scope) if check.last else None
    finally:  # what check cells define, later check cells may use; answers are fetched anew each time
        namespace.update({name: value for name, value in scope.items() if name not in names})
    if type(value) not in (int, float):
        return cell.max_points
    return min(max(0.0, float(value)), cell.max_points) if math.isfinite(value) else 0.0


def free_names(tree: ast.AST) -> frozenset[str]:
    """The names that a check cell reads and does not define itself: these alone are asked for in the sandbox."""
    loaded, stored = set(), set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                stored.add(name)
            case ast.alias(name=name, asname=alias):
                stored.add(alias or name.split(".")[0])
            case ast.ExceptHandler(name=str(name)):
                stored.add(name)
    return frozenset(loaded - stored - set(dir(builtins)))


def missed(source: str, error: AssertionError) -> str:
    """An assertion without words: its own line, unless that line is hidden from learners."""
    number = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<check>":
            number = trace.tb_lineno
        trace = trace.tb_next
    for region in HIDDEN.finditer(source):
        if source[: region.start()].count("\n") < number <= source[: region.end()].count("\n") + 1:
            return "a hidden check does not hold."
    lines = source.splitlines()
    return f"does not hold: {lines[number - 1].strip()}" if 0 < number <= len(lines) else "an assertion does not hold."
