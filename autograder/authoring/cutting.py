"""Cuts the answer to a task out of the library's source and marks it as a solution.

The source is parsed, never imported: the learner gets exactly the library's text.
"""

import ast
import re
from pathlib import Path

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

Definition = ast.ClassDef | ast.FunctionDef


class AnswerMissing(Exception):
    """The named answer is not where the cell says; the message says what was looked for."""


def answer_cell(source: str, answers: list[str], omitted: list[str], root: Path) -> str:
    """The cell with each `from module import Name` replaced by Name's source, its answers between solution markers.

    ``answers`` and ``omitted`` are names such as "masked_softmax" or "AdditiveScorer.score"; an omitted method
    is left out of the source (a fast path that would give the answer away).
    """
    wanted = list(dict.fromkeys(name.split(".")[0] for name in answers))
    return _with_definitions(source, wanted, answers, omitted, root, f"answer={' '.join(answers)!r}")


def shown_cell(source: str, shown: list[str], root: Path) -> str:
    """The cell with each `from module import Name` replaced by Name's full source: code to read, not to write."""
    return _with_definitions(source, shown, [], [], root, f"show={' '.join(shown)!r}")


def _with_definitions(
    source: str, wanted: list[str], answers: list[str], omitted: list[str], root: Path, mark: str
) -> str:
    lines, found = source.splitlines(), []
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.ImportFrom) and {alias.name for alias in node.names} & set(wanted):
            names = [alias.name for alias in node.names]
            module = root / (str(node.module).replace(".", "/") + ".py")
            texts = [_marked(module, name, answers, omitted) for name in names]
            lines[node.lineno - 1 : node.end_lineno] = "\n\n\n".join(texts).splitlines()
            found += names
    missing = [name for name in wanted if name not in found]
    if missing:
        raise AnswerMissing(f"the cell marked {mark} does not import {', '.join(missing)}.")
    return "\n".join(lines)


def grade_id(answer: str) -> str:
    """The grade id of an answer: "AdditiveScorer.score" → "additive_scorer"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", answer.split(".")[0]).lower()


def _marked(module: Path, name: str, answers: list[str], omitted: list[str]) -> str:
    if not module.is_file():
        raise AnswerMissing(f"there is no module {module.name} to take {name} from.")
    text = module.read_text(encoding="utf-8")
    top = _find(ast.parse(text).body, name, module)
    lines = text.splitlines()
    edits: list[tuple[int, int, list[str]]] = []  # lines [first, last) and their replacement
    for answer in answers:
        owner, _, method = answer.partition(".")
        if owner == name:
            edits.append(_solution(_find(top.body, method, module) if method else top, lines, answer))
    for answer in omitted:
        owner, _, method = answer.partition(".")
        if owner == name:
            edits.append(_with_blank_lines_before(_find(top.body, method, module), lines))
    start, end = _first_line(top) - 1, _last_line(top)
    for first, last, replacement in sorted(edits, reverse=True):
        lines[first:last] = replacement
        end += len(replacement) - (last - first)
    return "\n".join(lines[start:end])


def _find(body: list[ast.stmt], name: str, module: Path) -> Definition:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return node
    raise AnswerMissing(f"{module.name} defines no {name}.")


def _first_line(node: Definition) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _last_line(node: ast.stmt) -> int:
    assert node.end_lineno is not None  # only None in a tree that was not parsed
    return node.end_lineno


def _with_blank_lines_before(node: Definition, lines: list[str]) -> tuple[int, int, list[str]]:
    first = _first_line(node) - 1
    while not lines[first - 1].strip():
        first -= 1
    return first, _last_line(node), []


def _solution(node: Definition, lines: list[str], answer: str) -> tuple[int, int, list[str]]:
    """The lines of a function's body, without its docstring, and the same lines between the markers."""
    if not isinstance(node, ast.FunctionDef):
        raise AnswerMissing(f"answer={answer!r} is a class; name the methods to be written, as in {answer}.forward.")
    body, first = node.body, _header_end(node, lines)
    if ast.get_docstring(node, clean=False) is not None:
        first, body = _last_line(body[0]), body[1:]
    if not body or first >= body[0].lineno:
        raise AnswerMissing(f"answer={answer!r} has no body on lines of its own to cut out.")
    while not lines[first].strip():
        first += 1
    last = _last_line(body[-1])
    indent = " " * body[0].col_offset
    return first, last, [indent + BEGIN, *lines[first:last], indent + END]


def _header_end(node: ast.FunctionDef, lines: list[str]) -> int:
    """The number of the line on which the ``def … :`` ends."""
    parts = [*ast.walk(node.args), *([node.returns] if node.returns else [])]
    line = max([node.lineno, *(part.end_lineno for part in parts if hasattr(part, "end_lineno"))])
    while line < node.body[0].lineno and not lines[line - 1].split("#")[0].rstrip().endswith(":"):
        line += 1
    return line
