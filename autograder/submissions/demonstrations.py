"""Finds cells that need not run for a grade: unchanged demonstrations whose names no running cell reads."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from autograder.authoring.assignment import Assignment
from autograder.submissions.cells import NotebookCell
from autograder.submissions.defined_names import compiled, names_of

TAG = "demonstration"


def with_idle(entries: Sequence[NotebookCell], assignment: Assignment) -> tuple[NotebookCell, ...]:
    """The entries, with those that need not run marked as idle."""
    shown = _demonstrations(assignment)
    idle = {index for index, entry in enumerate(entries) if entry.is_own and entry.source.strip() in shown}
    code = [index for index, entry in enumerate(entries) if entry.kind == "code"]
    needed = idle
    while needed:
        read = set().union(*(names_of(entries[index].source).free for index in code if index not in idle))
        needed = {index for index in idle if names_of(entries[index].source).bound & read}
        idle -= needed
    return tuple(replace(entry, idle=index in idle) for index, entry in enumerate(entries))


@lru_cache(maxsize=4)
def _demonstrations(assignment: Assignment) -> frozenset[str]:
    """Their sources."""
    sources = (cell.source for cell in assignment.notebook.cells if TAG in cell.metadata.get("tags", ()))
    return frozenset(source.strip() for source in sources if compiled(source))
