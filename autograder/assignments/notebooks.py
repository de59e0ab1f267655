"""From an author's script to nbgrader's source notebook, in memory and reproducibly."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.assignments.class_tasks import include_tasks
from autograder.assignments.cutting import BEGIN_HIDDEN, END_HIDDEN, answer_cell, grade_id
from autograder.assignments.script import read_script
from autograder.assignments.wheel import INSTALL, install_cell
from autograder.errors import UsageError
from autograder.folders import course_of, is_class
from autograder.settings import SCRIPTS

WHEN_GRADED = "# This check runs when your work is graded."
MODEL_ANSWER, RUBRIC = "**Model answer.**", "**Rubric.**"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python"}
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def source_notebook(path: Path, root: Path, key: str = "") -> NotebookNode:
    """nbgrader's source notebook of the script at ``path``; the library's source is read under ``root``.

    ``key`` chooses the variants of its tasks.
    Cell ids are the grade ids, or the kind and position of the cell: the same script gives the same bytes.

    Raises:
        UsageError: the script breaks the format; the message says where and how.
    """
    script = read_script(path)
    try:
        if is_class(root) and path.parent == root / SCRIPTS and not script.metadata.course["shared"]:
            _keep_back(script.cells)
        cells = [_cell(cell, position, root) for position, cell in enumerate(script.cells, 1)]
        is_released = path.parent in (root / SCRIPTS, course_of(root) / SCRIPTS)
        if is_released and (course_of(root) / "_config.yml").exists():
            cells.insert(1, new_code_cell(install_cell(root), id=INSTALL, metadata={"tags": ["demonstration"]}))
        ids = [cell.id for cell in cells]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise UsageError(f"the id {twice[0]!r} is used twice; ids of cells must be unique.")
        if key:
            include_tasks(root)
            _vary(cells, key)
    except UsageError as error:
        raise UsageError(f"{path.name}: {error}") from None
    course = script.metadata.course | ({"variant": key} if key else {})
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": LANGUAGE, "course": course})
    nbformat.validate(notebook)
    return notebook


def _keep_back(cells: list[NotebookNode]) -> None:
    """Makes every check one that runs only when work is graded: it needs the reference, which learners do not get."""
    for cell in cells:
        if "check" in cell.metadata and not cell.metadata.get("hidden"):
            cell.metadata["hidden"] = True
            cell.source = cell.source if cell.source.startswith("#") else f"{WHEN_GRADED}\n{cell.source}"


def _vary(cells: list[NotebookNode], key: str) -> None:
    """Puts every task into the variant that the key chooses: its text, its answer and its checks."""
    from autograder.assignments.variants import answered, task_of, with_key  # imports torch with the tasks

    named = {cell.id: cell for cell in cells}
    for cell in cells:
        settings = cell.metadata.get("nbgrader", {})
        task = task_of(cell.source) if settings.get("grade") and cell.cell_type == "code" else None
        if task is None:
            continue
        cell.source = with_key(cell.source, key)
        answer = named.get(cell.id.removesuffix("_visible"))
        task = task.chosen_by(key)
        if answer is None or answer is cell or not task.edits:
            continue
        answer.source = answered(answer.source, task)
        for old, new in task.text.items():
            texts = [cell for cell in cells if cell is answer or cell.cell_type == "markdown" or _shows(cell)]
            holders = [cell for cell in texts if old in cell.source]
            if not holders:
                raise UsageError(
                    f"the key {key!r} chooses the variant {task.variant!r} of {task.id}, which changes {old!r}; this "
                    "does not occur in the exercise's text: write it there, or build with another key."
                )
            for holder in holders:
                holder.source = holder.source.replace(old, new)


def _shows(cell: NotebookNode) -> bool:
    return "demonstration" in cell.metadata.get("tags", [])


def to_text(notebook: NotebookNode) -> str:
    return nbformat.writes(notebook, version=4) + "\n"


def _cell(cell: NotebookNode, position: int, root: Path) -> NotebookNode:
    marks = cell.metadata
    if "question" in marks:
        return _question(cell)
    if cell.cell_type == "markdown":
        return new_markdown_cell(cell.source, id=f"text-{position:02}")
    if cell.cell_type != "code":
        raise UsageError(f"cell {position} is {cell.cell_type}, expected code or markdown.")
    if "answer" in marks:
        answers = marks["answer"].split()
        source = answer_cell(cell.source, answers, marks.get("omit", "").split(), root)
        return _graded(grade_id(answers[0]), source, solution=True)
    if "check" in marks:
        source = _hidden(cell.source) if marks.get("hidden") else cell.source
        check = _graded(marks["check"], source, grade=True, locked=True, points=_points(cell, "check"))
        check.metadata["tags"] = ["raises-exception"]  # "Run all" goes on to the next task when a check fails
        return check
    if "given" in marks:
        source = answer_cell(cell.source, [], [], root, marks["show"].split()) if "show" in marks else cell.source
        return _graded(marks["given"], source, locked=True)
    metadata = {"tags": list(marks["tags"])} if "tags" in marks else {}
    return new_code_cell(cell.source, id=f"code-{position:02}", metadata=metadata)


def _question(cell: NotebookNode) -> NotebookNode:
    """The cell for an answer in words, which people grade; here it holds the model answer and the rubric."""
    name = cell.metadata["question"]
    if cell.cell_type != "markdown":
        raise UsageError(f"question {name!r} is a {cell.cell_type} cell, expected [markdown].")
    missing = [words for words in (MODEL_ANSWER, RUBRIC) if words not in cell.source]
    if missing:
        raise UsageError(f"question {name!r} has no {' and no '.join(missing)} for the grader.")
    points = _points(cell, "question")
    return _graded(name, cell.source, new_markdown_cell, grade=True, solution=True, points=points)


def _points(cell: NotebookNode, kind: str) -> float:
    points = cell.metadata.get("points")
    if isinstance(points, bool) or not isinstance(points, int | float) or points <= 0:
        raise UsageError(f"{kind} {cell.metadata[kind]!r} has points={points!r}, expected above 0.")
    return points


def _graded(name: str, source: str, make: Callable[..., NotebookNode] = new_code_cell, **settings: Any) -> NotebookNode:
    if not ID.fullmatch(name):
        raise UsageError(f"the id {name!r} may contain only letters, digits, _ and -.")
    metadata = {"schema_version": 3, "grade": False, "locked": False, "solution": False, "task": False}
    return make(source, id=name, metadata={"nbgrader": {**metadata, "grade_id": name, **settings}})


def _hidden(source: str) -> str:
    """The leading comment lines stay visible; everything below them is hidden from the release."""
    lines = source.splitlines()
    first = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    return "\n".join([*lines[:first], f"### {BEGIN_HIDDEN}", *lines[first:], f"### {END_HIDDEN}"])
