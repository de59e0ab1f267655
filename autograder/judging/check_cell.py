"""A check cell: its points, the names it fetches from the learner's process, and messages for bare assertions."""

import ast
import contextlib
import io
import math
import traceback
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

import torch

from autograder.assignments.cutting import BEGIN_HIDDEN, END_HIDDEN
from autograder.assignments.given import read_outside
from autograder.records.job import Cell


@dataclass(frozen=True)
class Check:
    """A compiled check cell: its statements, its last expression, and the names that it reads but does not define."""

    statements: CodeType
    last: CodeType | None
    names: frozenset[str]


@lru_cache(maxsize=1024)
def compiled(source: str) -> Check:
    """Cached: check cells are the same for every submission, and are compiled before evaluations fork."""
    try:
        tree = ast.parse(source)
    except MemoryError:  # the parser's error for source that is nested too deeply
        raise SyntaxError("too complex") from None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = compile(ast.Expression(last.value), "<check>", "eval") if isinstance(last, ast.Expr) else None
    return Check(compile(tree, "<check>", "exec"), value, read_outside(source))


@lru_cache(maxsize=64)
def statements(given: str) -> tuple[tuple[bool, CodeType], ...]:
    """The statements that the instructor's notebook gives: whether each is an import, and its code."""
    return tuple(
        (isinstance(node, ast.Import | ast.ImportFrom), compile(ast.Module([node], []), "<given>", "exec"))
        for node in ast.parse(given).body
    )


def define(given: str, namespace: dict[str, Any]) -> None:
    """Runs what the instructor's notebook gives; names that it fails to define here are fetched from the sandbox.

    Raises:
        Exception: an import fails.
    """
    with torch.random.fork_rng(devices=[]), contextlib.redirect_stdout(io.StringIO()):
        torch.manual_seed(0)
        for is_import, code in statements(given):
            with contextlib.nullcontext() if is_import else contextlib.suppress(Exception):
                exec(code, namespace)


def execute(cell: Cell, namespace: dict[str, Any], names: dict[str, Any]) -> float:
    """Runs a check cell and returns its points: the value of its last expression if that is a number, else all of them.

    What the cell defines stays in ``namespace`` for later check cells; ``names``, the answers, are removed again.
    """
    check = compiled(cell.source)
    namespace.update(names)
    try:
        exec(check.statements, namespace)
        value: Any = eval(check.last, namespace) if check.last else None
    finally:
        for name in names:
            namespace.pop(name, None)
    if type(value) not in (int, float):
        return cell.max_points
    return min(max(0.0, float(value)), cell.max_points) if math.isfinite(value) else 0.0


def describe_assertion(source: str, error: AssertionError) -> str:
    """The message for an assertion without one: its source line, unless that is hidden from learners."""
    numbers = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == "<check>"]
    number = numbers[-1] if numbers else 0
    lines, is_hidden = source.split("\n"), False
    for line in lines[:number]:
        is_hidden = (is_hidden or BEGIN_HIDDEN in line) and END_HIDDEN not in line
    if is_hidden:
        return "a hidden check does not hold."
    return f"does not hold: {lines[number - 1].strip()}" if 0 < number <= len(lines) else "an assertion does not hold."
