"""The points that pasting earns: each listing of the book or definition of the library, tried in each task."""

import ast
import contextlib
import importlib
import inspect
import io
import pkgutil
import re
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder import expect
from autograder.authoring.assignment import Assignment, load
from autograder.authoring.cutting import grade_id
from autograder.authoring.graded_definitions import given_away
from autograder.authoring.script import read_script
from autograder.authoring.variants import task_of
from autograder.checking.checker import found
from autograder.checking.observe import Subject
from autograder.checking.task import Task
from autograder.settings import SCRIPTS

SHOWN = re.compile(r"^```\{source\} (.+)$", re.MULTILINE)
UNSEEN = {"remove-cell", "remove-input"}


@dataclass(frozen=True)
class Paste:
    """Something to paste: a function or a class, and where it comes from."""

    place: str
    thing: Any


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
        shown = [thing for name in named if not given_away(root, name) for thing in _named(name)]
        pastes += [Paste(f"{page.stem}: {thing.__qualname__}", thing) for thing in [*shown, *_of_cells(page)]]
    return pastes


def of_the_library() -> list[Paste]:
    """Every function and class of the library, including the references of the exercises."""
    pastes = []
    for module in _modules():
        own = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
        things = [one for one in own if inspect.isfunction(one) or inspect.isclass(one)]
        pastes += [Paste(f"{module.__name__}.{one.__name__}", one) for one in things]
    return pastes


def earned(root: Path, pastes: list[Paste], key: str = "", exercises: tuple[str, ...] = ()) -> Iterator[Earned]:
    """What pasting earns for each task, in the variants that the key chooses."""
    for path in sorted((root / SCRIPTS).glob("[!_]*.py")):
        if exercises and path.stem not in exercises:
            continue
        assignment = load(root, path.stem)
        for cell in read_script(path).cells:
            answer = str(cell.metadata.get("answer", "")).split()
            if answer:
                yield _tried(assignment, grade_id(answer[0]), pastes, key)


def _tried(assignment: Assignment, name: str, pastes: list[Paste], key: str) -> Earned:
    points = [assignment.checks[f"{name}_{which}"] for which in ("visible", "hidden")]
    result = Earned(assignment.name, name, sum(points))
    task = task_of(assignment.cells[f"{name}_visible"].source)
    if task is None:
        return result
    task = task.chosen_by(key)
    for paste in pastes:
        for answer in _fitted(task, paste.thing):
            passed = [_passes(task, answer, hidden=False)]
            passed.append(passed[0] and _passes(task, answer, hidden=True))
            gained = sum(most for most, one in zip(points, passed, strict=True) if one)
            if gained:
                result.by.append(paste.place)
            result.earned = max(result.earned, gained)
        if result.earned == result.points:
            break
    return result


def _passes(task: Task, answer: Any, hidden: bool) -> bool:
    """Tries the first case alone first: it rejects nearly all unrelated code."""
    expect.set_seed(0)
    first = replace(task, cases=task.chosen(hidden)[:1])
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            subject = Subject(answer, task.tools)
            return all(found(one, subject, hidden, diagnose=False) is None for one in (first, task))
        except Exception:  # unrelated code can raise anything
            return False


def _fitted(task: Task, thing: Any) -> Iterator[Any]:
    """The thing as an answer: itself if it is of the task's kind, or its methods within the given class."""
    if inspect.isclass(thing) != task.is_class:
        return
    yield thing
    methods = {name: vars(thing)[name] for name in task.answers if task.is_class and name in vars(thing)}
    if methods and len(methods) == len(task.answers) and isinstance(task.reference, type):
        yield type(task.reference.__name__, (task.reference,), methods)


def _named(name: str) -> list[Any]:
    """The function or class of this dotted name; empty if it is something else."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        with contextlib.suppress(ImportError):
            thing: Any = importlib.import_module(".".join(parts[:length]))
            for part in parts[length:]:
                thing = getattr(thing, part)
            return [thing] if inspect.isfunction(thing) or inspect.isclass(thing) else []
    return []


def _of_cells(page: Path) -> list[Any]:
    """The functions and classes that visible cells define, in the namespace of the page's imports."""
    import jupytext

    space: dict[str, Any] = {"__name__": page.stem}
    things = []
    for cell in jupytext.read(page).cells:
        for node in _statements(cell.source) if cell.cell_type == "code" else ():
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
                continue
            with contextlib.suppress(Exception):
                exec(compile(ast.Module([node], []), page.name, "exec"), space)
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not UNSEEN & set(cell.metadata.get("tags", [])):
                    things.append(space[node.name])
    return things


def _statements(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:  # an IPython magic
        return []


def _modules() -> Iterator[types.ModuleType]:
    import seq2seq

    for info in pkgutil.walk_packages(seq2seq.__path__, "seq2seq."):
        if not info.name.startswith(("seq2seq.experiments", "seq2seq.widgets")):
            yield importlib.import_module(info.name)
