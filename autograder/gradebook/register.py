"""Makes a gradebook know an assignment and its cells as they are now."""

import warnings
from copy import deepcopy
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.preprocessors import ClearOutput, ClearSolutions, ComputeChecksums, LockCells, SaveCells
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.authoring.assignment import Assignment
from autograder.gradebook import database
from autograder.gradebook.database import GradebookError
from autograder.settings import STUB, TEXT_STUB, Log

PREFIX = "sqlite:///"


def register(url: str, assignment: Assignment) -> None:
    """Enter the assignment by nbgrader's own preprocessors; the gradebook is made where there is none.

    Raises:
        GradebookError: grades are there already, for other cells than the assignment has now.
    """
    if url.startswith(PREFIX):
        database.create(Path(url.removeprefix(PREFIX).partition("?")[0]))
    name, notebook, log = assignment.name, assignment.notebook, Log()
    config = Config({"ClearSolutions": {"code_stub": {"python": STUB}, "text_stub": TEXT_STUB}})
    resources = {"nbgrader": {"notebook": name, "assignment": name, "student": ".", "db_url": url}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        with Gradebook(url) as gradebook:
            gradebook.update_or_create_assignment(name)
        try:
            for preprocessor in (LockCells, ClearSolutions, ClearOutput, ComputeChecksums, SaveCells):
                notebook, resources = preprocessor(config=config, log=log.logger)(deepcopy(notebook), resources)
        except RuntimeError as error:
            raise GradebookError(f"{error}: the exercise has other cells now; grade into a fresh --output.") from None
