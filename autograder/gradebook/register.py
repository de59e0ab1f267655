"""Registers an assignment and its current cells in a gradebook."""

import contextlib
import warnings
from copy import deepcopy
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.preprocessors import ClearOutput, ClearSolutions, ComputeChecksums, LockCells, SaveCells
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.authoring.assignment import Assignment, load
from autograder.gradebook.book import Book
from autograder.gradebook.database import GradebookError
from autograder.gradebook.indexes import add_indexes
from autograder.judging.disk import write_durably
from autograder.settings import SOURCE, STUB, TEXT_STUB, Log


def keep_source(root: Path, name: str) -> None:
    """Put the source where formgrader looks for assignments, unless `build` has done so."""
    path = root / SOURCE / name / f"{name}.ipynb"
    if not path.exists():
        with contextlib.suppress(PermissionError):  # a course owned by someone else can still be graded
            write_durably(path, load(root, name).text)


def register(url: str, assignment: Assignment) -> None:
    """Enter the assignment with nbgrader's own preprocessors, creating the gradebook if there is none.

    Raises:
        GradebookError: it already has grades, for other cells than the assignment's current ones.
    """
    Book.at(url).create()
    name, notebook, log = assignment.name, assignment.notebook, Log()
    config = Config({"ClearSolutions": {"code_stub": {"python": STUB}, "text_stub": TEXT_STUB}})
    resources = {"nbgrader": {"notebook": name, "assignment": name, "student": ".", "db_url": url}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        with Gradebook(url) as gradebook:
            gradebook.update_or_create_assignment(name)
            with gradebook.engine.begin() as connection:
                add_indexes(connection)
        try:
            for preprocessor in (LockCells, ClearSolutions, ClearOutput, ComputeChecksums, SaveCells):
                notebook, resources = preprocessor(config=config, log=log.logger)(deepcopy(notebook), resources)
        except RuntimeError as error:
            raise GradebookError(f"{error}: the exercise's cells have changed; grade into a fresh --output.") from None
