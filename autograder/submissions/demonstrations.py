"""Finds cells that need not run for a grade: unchanged demonstrations whose names no running cell reads."""

import dis
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from types import CodeType

from autograder.authoring.assignment import Assignment
from autograder.submissions.notebook_cell import NotebookCell

TAG = "demonstration"
LONGEST = 20_000  # characters; a longer cell is not compiled, and every word in it counts as a name
WORD = re.compile(r"[^\W\d]\w*")


def with_idle(entries: Sequence[NotebookCell], assignment: Assignment) -> tuple[NotebookCell, ...]:
    """The entries, with those that need not run marked as idle."""
    shown = _demonstrations(assignment)
    idle = {index: shown[entry.source.strip()] for index, entry in enumerate(entries) if _may_be_idle(entry, shown)}
    if not idle:
        return tuple(entries)
    read = {name for index, entry in enumerate(entries) if index not in idle for name in _read(entry)}
    while needed := [index for index, bound in idle.items() if bound & read]:
        for index in needed:
            del idle[index]
            read.update(_read(entries[index]))
    return tuple(replace(entry, idle=index in idle) for index, entry in enumerate(entries))


def _may_be_idle(entry: NotebookCell, shown: dict[str, frozenset[str]]) -> bool:
    return entry.is_own and entry.source.strip() in shown


@lru_cache(maxsize=4)
def _demonstrations(assignment: Assignment) -> dict[str, frozenset[str]]:
    """Source → the names that it binds."""
    cells = (cell for cell in assignment.notebook.cells if TAG in cell.metadata.get("tags", ()))
    return {cell.source.strip(): frozenset(_bound(cell.source)) for cell in cells}


def _bound(source: str) -> set[str]:
    return {name for kind, name in _uses(compile(source, "cell", "exec")) if kind == "STORE_NAME"}


def _read(entry: NotebookCell) -> frozenset[str]:
    """The notebook's names that a cell may read before binding them itself."""
    return _names_read(entry.source) if entry.kind == "code" else frozenset()


@lru_cache(maxsize=1024)
def _names_read(source: str) -> frozenset[str]:
    try:
        if len(source) > LONGEST:
            raise ValueError
        code = compile(source, "cell", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # possibly IPython syntax
        return frozenset(WORD.findall(source))
    read, bound = set(), set()
    for kind, name in _uses(code):
        if kind == "STORE_NAME":
            bound.add(name)
        elif name not in bound:
            read.add(name)
    later = {name for inner in _inner(code) for kind, name in _uses(inner)}  # read by functions when called
    return frozenset(read | (later - bound))


def _uses(code: CodeType) -> Iterator[tuple[str, str]]:
    """The opcodes that read and bind the notebook's names, in order."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_NAME", "LOAD_GLOBAL", "STORE_NAME", "STORE_GLOBAL", "DELETE_NAME"):
            yield step.opname, step.argval


def _inner(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _inner(one)
