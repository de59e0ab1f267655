"""The mutants of an answer cell: each is the cell with one small thing changed in the body that learners write."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from autograder.authoring.cutting import BEGIN, END

from .operators import integer, replacements


@dataclass(frozen=True)
class Mutant:
    source: str  # the whole cell
    diff: str  # the lines that go and come, without their indentation; what the mutant is known by
    guard: str = ""  # the line `if …:` of a lone `raise`, where it changes nothing but that


def mutants(cell: str) -> list[Mutant]:
    """Every mutant of the cell in the order of its text; of those with the same tree, the first."""
    tree = ast.parse(cell)
    regions = _regions(cell)
    original = ast.unparse(tree)
    found: dict[str, Mutant] = {original: Mutant(original, "")}
    for place in _places(tree, regions):
        for new in place.options():
            place.put(new)
            source = ast.unparse(tree)
            place.put(place.old)
            if source not in found and _parses(source):
                found[source] = Mutant(source, _diff(original, source), place.guard)
    return list(found.values())[1:]


def plain(cell: str) -> str:
    """The cell as its mutants are written, unchanged."""
    return ast.unparse(ast.parse(cell))


@dataclass
class _Place:
    """Where a node stands: a field of its parent, or one element of a field that is a list."""

    parent: ast.AST
    field: str
    index: int | None
    old: ast.AST
    guard: str

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node

    def options(self) -> Iterator[ast.AST]:
        yield from replacements(self.old, self.parent)
        if isinstance(self.old, ast.stmt) and not isinstance(self.old, ast.Pass | ast.FunctionDef | ast.ClassDef):
            yield ast.Pass()


def _places(tree: ast.AST, regions: list[range], guard: str = "") -> Iterator[_Place]:
    """Every node within the regions, parents first; what is only for people (types, texts, messages) left out."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "ctx", "type_comment", "decorator_list", "exc", "cause"):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            inside = any(getattr(child, "lineno", 0) in region for region in regions)
            in_guard = guard or (f"if {ast.unparse(child.test)}:" if _is_guard(child) else "")
            if inside and not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
                yield _Place(tree, field, index, child, in_guard)
            if integer(child) is None:
                yield from _places(child, regions, in_guard)


def _is_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and isinstance(node.body[0], ast.Raise)


def _regions(cell: str) -> list[range]:
    """The lines, from 1, that stand between the marks of a solution."""
    regions, start = [], 0
    for number, line in enumerate(cell.split("\n"), 1):
        if line.strip() == BEGIN:
            start = number
        elif line.strip() == END:
            regions.append(range(start + 1, number))
    return regions


def _parses(source: str) -> bool:
    try:
        compile(source, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _diff(old: str, new: str) -> str:
    lines = list(unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=0))[2:]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines if line[0] in "+-")
