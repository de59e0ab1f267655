"""Cuts the answer to a task out of the library's source and marks it as a solution.

The source is parsed, never imported: the learner gets exactly the library's text.
"""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

from autograder.errors import UsageError
from autograder.folders import file_of

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"  # as nbgrader finds them, whatever is before

Definition = ast.ClassDef | ast.FunctionDef


def answer_cell(source: str, answers: list[str], omitted: list[str], root: Path, shown: Sequence[str] = ()) -> str:
    """The cell with each `from module import Name` replaced by Name's source, its answers between solution markers.

    ``answers`` and ``omitted`` are names such as "masked_softmax" or "AdditiveScorer.score"; an omitted method
    is left out of the source (a fast path that would give the answer away). ``shown`` is code to read, not to write.
    """
    wanted = [*shown, *dict.fromkeys(name.split(".")[0] for name in answers)]
    lines, missing = source.splitlines(), set(wanted)
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.ImportFrom) and {alias.name for alias in node.names} & set(wanted):
            names = [alias.name for alias in node.names]
            module = file_of(root, str(node.module).replace(".", "/") + ".py")
            texts = [_marked(module, name, answers, omitted) for name in names]
            lines[node.lineno - 1 : node.end_lineno] = "\n\n\n".join(texts).splitlines()
            missing -= set(names)
    if missing:
        mark = f"answer={' '.join(answers)!r}" if answers else f"show={' '.join(wanted)!r}"
        raise UsageError(f"the cell marked {mark} does not import {', '.join(sorted(missing))}.")
    return "\n".join(lines)


def grade_id(answer: str) -> str:
    """The grade id of an answer: "AdditiveScorer.score" → "additive_scorer"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", answer.split(".")[0]).lower()


def replaced(source: str, node: ast.expr, text: str) -> str:
    """The source with ``text`` in the place of one expression of its syntax tree."""
    lines = source.encode().splitlines(keepends=True)  # columns count bytes
    first, last = lines[node.lineno - 1], lines[_last_line(node) - 1]
    whole = first[: node.col_offset] + text.encode() + last[node.end_col_offset :]
    return b"".join([*lines[: node.lineno - 1], whole, *lines[_last_line(node) :]]).decode()


def _marked(module: Path, name: str, answers: list[str], omitted: list[str]) -> str:
    if not module.is_file():
        raise UsageError(f"there is no module {module.name} to take {name} from.")
    text = module.read_text(encoding="utf-8")
    top = _find(ast.parse(text).body, name, module)
    lines = text.splitlines()
    edits: list[tuple[int, int, list[str]]] = []  # lines [first, last) and their replacement
    for number, dotted in enumerate([*answers, *omitted]):
        owner, _, method = dotted.partition(".")
        if owner == name:
            node = _find(top.body, method, module) if method else top
            edits.append(_solution(node, lines, dotted) if number < len(answers) else _omission(node, lines))
    start, end = _first_line(top), _last_line(top)
    for first, last, replacement in sorted(edits, reverse=True):
        lines[first:last] = replacement
        end += len(replacement) - (last - first)
    return "\n".join(lines[start:end])


def _find(body: list[ast.stmt], name: str, module: Path) -> Definition:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return node
    raise UsageError(f"{module.name} defines no {name}.")


def _first_line(node: Definition) -> int:
    """Counted from 0, decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1


def _last_line(node: ast.stmt | ast.expr) -> int:
    assert node.end_lineno is not None  # only None in a tree that was not parsed
    return node.end_lineno


def _omission(node: Definition, lines: list[str]) -> tuple[int, int, list[str]]:
    """The lines of a method with the empty ones before it, and nothing in their place."""
    first = _first_line(node)
    while not lines[first - 1].strip():
        first -= 1
    return first, _last_line(node), []


def _solution(node: Definition, lines: list[str], answer: str) -> tuple[int, int, list[str]]:
    """The lines of a function's body, without its docstring, and the same lines between the markers."""
    if not isinstance(node, ast.FunctionDef):
        raise UsageError(f"answer={answer!r} is a class; name the methods to be written, as in {answer}.forward.")
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not body or lines[body[0].lineno - 1][: body[0].col_offset].strip():
        raise UsageError(f"answer={answer!r} has no body on lines of its own to cut out.")
    first, last = body[0].lineno - 1, _last_line(body[-1])
    above = first - 1
    while not lines[above].strip() or lines[above].lstrip().startswith("#"):  # comments belong to what they precede
        first = above if lines[above].strip() else first
        above -= 1
    indent = " " * body[0].col_offset
    return first, last, [indent + BEGIN, *lines[first:last], indent + END]
