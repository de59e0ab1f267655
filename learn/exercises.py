"""The exercises by number and name."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from autograder.notebook_files.content import UNSEEN, Content, look
from autograder.notebook_files.file_text import MAX_BYTES
from autograder.notebook_files.which_notebook import LOOKED_AT, Choice, assignment_of, chosen, is_notebook
from autograder.progress.tasks import released


class UnknownExercise(Exception):
    """No exercise, or several, fit what was asked for; the message lists the exercises."""


@dataclass(frozen=True)
class Exercise:
    """One exercise, as it is released."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def title(self) -> str:
        return str(json.loads(self.path.read_text(encoding="utf-8"))["metadata"]["course"]["title"])


def exercises() -> list[Exercise]:
    """All exercises, in the order of the course."""
    return [Exercise(path) for path in released()]


def find(asked: str) -> Exercise:
    """The exercise that ``asked`` means: its number ("5", "05"), its name, or part of its name ("scorers").

    Raises:
        UnknownExercise: none or several fit.
    """
    every = exercises()
    wanted = asked.lower().removesuffix(".ipynb")
    fitting = [exercise for exercise in every if exercise.name == wanted]
    if not fitting and wanted.isdigit():
        fitting = [exercise for exercise in every if int(exercise.name.partition("_")[0]) == int(wanted)]
    fitting = fitting or [exercise for exercise in every if wanted and wanted in exercise.name]
    if len(fitting) != 1:
        names = "\n".join(f"  {exercise.name:20} {exercise.title}" for exercise in every)
        fit = f"{' and '.join(exercise.name for exercise in fitting)} fit" if fitting else "no exercise fits"
        raise UnknownExercise(f"{fit} {asked!r}. The exercises are\n{names}")
    return fitting[0]


def copies(folder: Path) -> dict[str, Path]:
    """Name of an exercise → the learner's copy in the folder; where it is unclear which, the newest."""
    by_name = {}
    for name, paths in _by_exercise(folder).items():
        choice = _chosen(name, paths)
        newest = max(paths, key=lambda path: path.stat().st_mtime)
        by_name[name] = folder / choice.name if choice.name else newest
    return by_name


def choice(folder: Path, exercise: Exercise) -> Choice:
    """The learner's copy of the exercise in the folder, as the grader would choose it."""
    return _chosen(exercise.name, _by_exercise(folder).get(exercise.name, []))


def _chosen(name: str, paths: Sequence[Path]) -> Choice:
    return chosen([path.name for path in paths], name, lambda file: _look(paths[0].parent / file), released_ids())


def _by_exercise(folder: Path) -> dict[str, list[Path]]:
    """Name of an exercise → the notebooks of it."""
    by_name: dict[str, list[Path]] = {}
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    for path in [path for path in paths if path.suffix.lower() in (".ipynb", *LOOKED_AT) and path.is_file()]:
        if is_notebook(path.name, _look(path), released_ids()) and (exercise := of_notebook(path)):
            by_name.setdefault(exercise.name, []).append(path)
    return by_name


def of_notebook(path: Path) -> Exercise | None:
    """The exercise whose copy the notebook is: by its cells, and by its name, also if a browser added " (1)"."""
    name = assignment_of(path.name, _look(path), released_ids())
    return next((exercise for exercise in exercises() if exercise.name == name), None)


def is_blank(notebook: Path) -> bool:
    """Whether no answer in code is written yet."""
    return _look(notebook).is_blank


@lru_cache
def released_ids() -> dict[str, frozenset[str]]:
    return {exercise.name: look(exercise.path.read_bytes()).ids for exercise in exercises()}


def _look(path: Path) -> Content:
    """What the file says of itself; nothing, if it is far too large for a notebook or cannot be read."""
    try:
        return look(path.read_bytes()) if path.stat().st_size <= MAX_BYTES else UNSEEN
    except OSError:
        return UNSEEN
