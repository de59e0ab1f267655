"""A check cell: its points, the names that it asks the learner's process for, and the words of a bare assertion."""

import ast
import builtins
import math
import re
from typing import Any

from autograder.judging.job import Cell

HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", re.DOTALL)


def execute(cell: Cell, namespace: dict[str, Any], names: dict[str, Any]) -> float:
    """Runs a check cell and returns its points: all of them, or the number that its last expression gives."""
    tree = ast.parse(cell.source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    scope = namespace | names
    try:
        exec(compile(tree, "<check>", "exec"), scope)
        value = eval(compile(ast.Expression(last.value), "<check>", "eval"), scope) if last else None
    finally:  # what check cells define, later check cells may use; answers are fetched anew each time
        namespace.update({name: value for name, value in scope.items() if name not in names})
    if type(value) not in (int, float):
        return cell.max_points
    return min(max(0.0, float(value)), cell.max_points) if math.isfinite(value) else 0.0


def free_names(source: str) -> set[str]:
    """The names that a check cell reads and does not define itself: these alone are asked for in the sandbox."""
    loaded, stored = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                stored.add(name)
            case ast.alias(name=name, asname=alias):
                stored.add(alias or name.split(".")[0])
            case ast.ExceptHandler(name=str(name)):
                stored.add(name)
    return loaded - stored - set(dir(builtins))


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
