"""Registers an assignment and its current cells in a gradebook."""

import contextlib
import json
import warnings
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Base, Gradebook, MissingEntry
from nbgrader.preprocessors import ClearOutput, ClearSolutions, ComputeChecksums, LockCells, SaveCells
from nbgrader.utils import is_grade, is_locked, is_solution, is_task
from sqlalchemy import Connection, UniqueConstraint, text
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.assignments.assignment import Assignment, load
from autograder.gradebook.book import Book
from autograder.gradebook.database import CellsChanged
from autograder.settings import SOURCE, STUB, TEXT_STUB, Log
from autograder.store.disk import write_durably


def keep_source(root: Path, name: str) -> None:
    """Put the source where formgrader looks for assignments, unless `build` has done so."""
    path = root / SOURCE / name / f"{name}.ipynb"
    if not path.exists():
        with contextlib.suppress(PermissionError):  # a course owned by someone else can still be graded
            write_durably(path, load(root, name).text)


def register(url: str, assignment: Assignment) -> None:
    """Enter the assignment with nbgrader's own preprocessors, creating the gradebook if there is none.

    Raises:
        CellsChanged: it already has grades, for other cells than the assignment's current ones.
    """
    book = Book.at(url)
    book.create()
    name, notebook, log = assignment.name, assignment.notebook, Log()
    config = Config({"ClearSolutions": {"code_stub": {"python": STUB}, "text_stub": TEXT_STUB}})
    resources = {"nbgrader": {"notebook": name, "assignment": name, "student": ".", "db_url": url}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        for preprocessor in (LockCells, ClearSolutions, ClearOutput, ComputeChecksums):
            notebook, resources = preprocessor(config=config, log=log.logger)(deepcopy(notebook), resources)
        with book.alone():
            with Gradebook(url) as gradebook:
                gradebook.update_or_create_assignment(name)
                with gradebook.engine.begin() as connection:
                    add_indexes(connection)
                if set(_cells_in(gradebook, name)) == set(_cells_of(notebook)):
                    return  # SaveCells would write the same again, which takes most of a run without new submissions
            try:
                SaveCells(config=config, log=log.logger)(notebook, resources)
            except RuntimeError:
                raise CellsChanged(
                    f"{name} has other cells than when it was graded, and a gradebook can neither add nor remove "
                    "cells of graded work: take that change back, or grade into a fresh --output, to which nothing "
                    "that was given by hand is carried over; until then everything stays as it was."
                ) from None


def add_indexes(connection: Connection) -> None:
    """Index the foreign keys, which nbgrader does not, so that each look-up would scan a whole table."""
    for table in Base.metadata.sorted_tables:
        constraints = [constraint for constraint in table.constraints if isinstance(constraint, UniqueConstraint)]
        keys = [*constraints, table.primary_key]  # each starts an index
        indexed = {next(iter(key.columns)).name for key in keys}
        for column in sorted({key.parent.name for key in table.foreign_keys} - indexed):
            connection.execute(text(f"CREATE INDEX IF NOT EXISTS ix_{table}_{column} ON {table} ({column})"))


def _cells_of(notebook: NotebookNode) -> Iterator[tuple[object, ...]]:
    """What ``SaveCells`` enters for the notebook."""
    yield "kernel", json.dumps(notebook.metadata.get("kernelspec", {}))
    for cell in notebook.cells:
        settings, kind = cell.metadata.get("nbgrader", {}), cell.cell_type
        if is_grade(cell):
            yield "grade", settings["grade_id"], kind, float(settings["points"])
        if is_solution(cell):
            yield "solution", settings["grade_id"]
        if is_task(cell):
            yield "task", settings["grade_id"], kind, float(settings["points"])
        if is_grade(cell) or is_solution(cell) or is_task(cell) or is_locked(cell):
            yield "source", settings["grade_id"], kind, is_locked(cell), cell.source, settings.get("checksum")


def _cells_in(gradebook: Gradebook, name: str) -> Iterator[tuple[object, ...]]:
    """The same of those in the gradebook; none if it does not have the notebook."""
    try:
        notebook = gradebook.find_notebook(name, name)
    except MissingEntry:
        return
    yield "kernel", notebook.kernelspec
    yield from (("grade", cell.name, cell.cell_type, cell.max_score) for cell in notebook.grade_cells)
    yield from (("solution", cell.name) for cell in notebook.solution_cells)
    yield from (("task", cell.name, cell.cell_type, cell.max_score) for cell in notebook.task_cells)
    for cell in notebook.source_cells:
        yield "source", cell.name, cell.cell_type, cell.locked, cell.source, cell.checksum
