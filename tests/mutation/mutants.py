"""The mutants of an answer cell: each is the cell with one small thing changed in the body that learners write."""

import ast
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff

from autograder.assignments.cutting import BEGIN, END
from autograder.checking.changes import changes


@dataclass(frozen=True)
class Mutant:
    source: str  # the whole cell
    diff: str  # the lines that go and come, without their indentation; what the mutant is known by
    guard: str = ""  # the line `if …:` of a lone `raise`, where it changes nothing but that


def mutants(cell: str) -> list[Mutant]:
    """Every mutant of the cell in the order of its text; of those with the same tree, the first."""
    tree = ast.parse(cell)
    marks = [number for number, line in enumerate(cell.split("\n"), 1) if line.strip() in (BEGIN, END)]
    regions = [range(begin + 1, end) for begin, end in zip(marks[::2], marks[1::2], strict=True)]
    original = ast.unparse(tree)
    by_source: dict[str, Mutant] = {original: Mutant(original, "")}
    for change in changes(tree, lambda node: any(getattr(node, "lineno", 0) in region for region in regions)):
        with change.made():
            source = ast.unparse(tree)
        if source not in by_source:
            with suppress(SyntaxError, ValueError):
                compile(source, "<mutant>", "exec")
                by_source[source] = Mutant(source, _diff(original, source), change.guard)
    return list(by_source.values())[1:]


def plain(cell: str) -> str:
    return ast.unparse(ast.parse(cell))


def _diff(old: str, new: str) -> str:
    lines = list(unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=0))[2:]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines if line[0] in "+-")
