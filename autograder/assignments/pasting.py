"""The points that pasting earns: each listing of the book or definition of the library, tried in each task."""

import ast
import contextlib
import inspect
import io
import pkgutil
import pydoc
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from autograder.assignments.assignment import Assignment, is_solution, is_written_answer, load
from autograder.assignments.script import given_away, scripts
from autograder.assignments.variants import task_of
from autograder.checking import draw
from autograder.checking.observation import Candidate
from autograder.checking.task import Task
from autograder.checking.trial import first_wrong

SHOWN = re.compile(r"^```\{source\} (.+)$", re.MULTILINE)
UNSEEN = {"remove-cell", "remove-input"}

Paste = tuple[str, Any]  # where it comes from, and a function or a class


@dataclass
class Earned:
    """One task: the points of its checks, and how many pasting earns."""

    exercise: str
    task: str
    points: float
    earned: float = 0.0
    by: list[str] = field(default_factory=list)


def of_the_book(root: Path) -> list[Paste]:
    """Code that pages show: definitions in visible cells, and listings that answer no graded task."""
    pastes = []
    for page in sorted((root / "book").glob("[0-9]*.md")):
        named = [name for names in SHOWN.findall(page.read_text(encoding="utf-8")) for name in names.split()]
        shown: list[Any] = [pydoc.locate(name) for name in named if not given_away(root, name)]
        shown = [*filter(_is_code, shown), *_of_cells(page)]
        pastes += [(f"{page.stem}: {definition.__qualname__}", definition) for definition in shown]
    return pastes


def of_the_library() -> list[Paste]:
    """Every function and class of the library, including the references of the exercises."""
    import seq2seq

    pastes = []
    for info in pkgutil.walk_packages(seq2seq.__path__, "seq2seq."):
        if not info.name.startswith(("seq2seq.experiments", "seq2seq.widgets")):
            definitions = filter(_is_code, vars(import_module(info.name)).values())
            ours = [definition for definition in definitions if definition.__module__ == info.name]
            pastes += [(f"{info.name}.{definition.__name__}", definition) for definition in ours]
    return pastes


def earned(root: Path, pastes: list[Paste], key: str = "", exercises: tuple[str, ...] = ()) -> Iterator[Earned]:
    """What pasting earns for each task, in the variants that the key chooses."""
    for path in scripts(root):
        if exercises and path.stem not in exercises:
            continue
        assignment = load(root, path.stem)
        for name, cell in assignment.cells.items():
            if is_solution(cell) and not is_written_answer(cell):
                yield _tried(assignment, name, pastes, key)


def _tried(assignment: Assignment, name: str, pastes: list[Paste], key: str) -> Earned:
    points = [assignment.checks[f"{name}_{which}"] for which in ("visible", "hidden")]
    result = Earned(assignment.name, name, sum(points))
    task = task_of(assignment.cells[f"{name}_visible"].source)
    if task is None:
        return result
    task = task.chosen_by(key)
    for origin, definition in pastes:
        for answer in _fitted(task, definition):
            passed = [_passes(task, answer, hidden=False)]
            passed.append(passed[0] and _passes(task, answer, hidden=True))
            gained = sum(most for most, is_passed in zip(points, passed, strict=True) if is_passed)
            if gained:
                result.by.append(origin)
            result.earned = max(result.earned, gained)
        if result.earned == result.points:
            break
    return result


def _passes(task: Task, answer: Any, hidden: bool) -> bool:
    """Tries the first case alone first: it rejects nearly all unrelated code."""
    draw.seed = 0
    first = replace(task, cases=task.chosen(hidden)[:1])
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            candidate = Candidate(answer, task.tools)
            return all(first_wrong(tried, candidate, hidden) is None for tried in (first, task))
        except Exception:  # unrelated code can raise anything
            return False


def _fitted(task: Task, definition: Any) -> Iterator[Any]:
    """The definition as an answer: itself if it is of the task's kind, or its methods within the given class."""
    if inspect.isclass(definition) != task.is_class:
        return
    yield definition
    methods = {name: vars(definition)[name] for name in task.answers if task.is_class and name in vars(definition)}
    if methods and len(methods) == len(task.answers) and isinstance(task.reference, type):
        yield type(task.reference.__name__, (task.reference,), methods)


def _is_code(definition: object) -> bool:
    return inspect.isfunction(definition) or inspect.isclass(definition)


def _of_cells(page: Path) -> list[Any]:
    """The functions and classes that visible cells define, in the namespace of the page's imports."""
    import jupytext

    space: dict[str, Any] = {"__name__": page.stem}
    definitions = []
    for cell in jupytext.read(page).cells:
        nodes: list[ast.stmt] = []
        with contextlib.suppress(SyntaxError):  # an IPython magic
            nodes = ast.parse(cell.source).body if cell.cell_type == "code" else []
        for node in nodes:
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
                continue
            with contextlib.suppress(Exception):
                exec(compile(ast.Module([node], []), page.name, "exec"), space)
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not UNSEEN & set(cell.metadata.get("tags", [])):
                    definitions.append(space[node.name])
    return definitions
