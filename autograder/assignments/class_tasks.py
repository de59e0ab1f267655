"""A class's own tasks: the files in its folder ``tasks/`` are modules of ``autograder.tasks``, beside the course's."""

from importlib import import_module
from pathlib import Path

from autograder.errors import UsageError
from autograder.folders import PACKAGES, TASKS, is_class


def include_tasks(root: Path) -> None:
    """Lets this process import the tasks of the class at ``root``; does nothing where there is no class.

    Raises:
        UsageError: a file has the name of one of the course's, which would be imported in its place.
    """
    folder = root / "tasks"
    if not (is_class(root) and folder.is_dir()):
        return
    if taken := sorted(path for path in folder.glob("[!_]*.py") if (PACKAGES / TASKS / path.name).exists()):
        raise UsageError(f"{taken[0]} has the name of a file of the course's own tasks: give it another.")
    paths = import_module("autograder.tasks").__path__
    if str(folder) not in paths:
        paths.append(str(folder))
