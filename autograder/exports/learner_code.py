"""The learner's own code in a graded notebook: one Python text per submission, for tools that compare code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.authoring.assignment import Assignment, is_solution, nbgrader_settings, released
from autograder.exports.spreadsheet import ExportError
from autograder.submissions.cells import trimmed

MAGIC = re.compile(r"^([^\S\n]*)([%!?].*)$", re.M)


@dataclass(frozen=True)
class Code:
    """One student's code for an assignment."""

    student: str
    text: str


def answers(autograded: Path, assignment: Assignment) -> Iterator[Code]:
    """The code of each graded submission, by student; ``autograded`` holds ``<student>/<assignment>/*.ipynb``.

    Raises:
        ExportError: there is none.
    """
    paths = sorted(autograded.glob(f"*/{assignment.name}/{assignment.name}.ipynb"))
    if not paths:
        raise ExportError(f"{autograded} has no graded {assignment.name}; grade it first.")
    for path in paths:
        yield Code(path.parent.parent.name, learners_code(nbformat.read(path, as_version=4), assignment))


def learners_code(notebook: NotebookNode, assignment: Assignment) -> str:
    """The answers and the cells that the learner added: copied code must not escape in an extra cell.

    Unchanged released cells are left out; IPython magics become comments, so that the text is Python.
    """
    given = {trimmed(released(cell)) for cell in assignment.notebook.cells}
    texts = [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "code"
        and cell.source.strip()
        and (is_solution(cell) or not nbgrader_settings(cell))
        and trimmed(cell.source) not in given
    ]
    return _python(texts)


def base_code(assignment: Assignment) -> str:
    """The answers' stubs as released: what every submission has in common."""
    return _python([released(cell) for cell in assignment.cells.values() if is_solution(cell)])


def _python(texts: list[str]) -> str:
    return "".join(MAGIC.sub(r"\1# \2", text).rstrip() + "\n\n\n" for text in texts)
