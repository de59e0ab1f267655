"""Where things are: the packages, the course's scripts that came with them, and a class's own folder.

In a checkout all of the course lies beside the packages; installed, what is no package is below ``autograder/course``.
A class is a folder with a ``class.toml``: it holds its own files, and takes everything else from what is installed.
"""

from pathlib import Path

from autograder.errors import UsageError

TABLE, ROSTER = "class.toml", "roster.csv"
PACKAGES = Path(__file__).resolve().parents[1]
SHIPPED = PACKAGES / "autograder" / "course"
COURSE = SHIPPED if SHIPPED.is_dir() else PACKAGES
TASKS = "autograder/tasks/"


def is_class(root: Path) -> bool:
    return (root / TABLE).is_file()


def course_of(root: Path) -> Path:
    """The folder of the course that is taught at ``root``: for a class the installed one, else ``root`` itself."""
    return COURSE if is_class(root) else root


def file_of(root: Path, name: str) -> Path:
    """Where the module file or package ``name`` of the course at ``root`` is; there may be none.

    What is not at ``root`` is the installed one; a class keeps its own modules of ``autograder/tasks/`` in ``tasks/``.
    """
    paths = [root / name, PACKAGES / name]
    if is_class(root) and name.startswith(TASKS):
        paths = [PACKAGES / name, root / name.removeprefix("autograder/")]
    return next((path for path in paths if path.exists()), paths[0])


def default_root(needs_class: bool) -> Path:
    """The class in whose folder, or in a folder below it, the command is run, else the course.

    Raises:
        UsageError: the command needs a folder to write to, and there is neither a class nor a checkout.
    """
    here = Path.cwd()
    if above := [folder for folder in (here, *here.parents) if is_class(folder)]:
        return above[0]
    if needs_class and COURSE != PACKAGES:
        raise UsageError(
            f"{here} is no class: it has no {TABLE}, nor has a folder above it; go to the folder of one, or make one: "
            "python -m autograder new-class NAME"
        )
    return COURSE
