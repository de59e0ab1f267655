"""The exercises by number and name."""

import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

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
    fitting = [one for one in every if one.name == wanted]
    if not fitting and wanted.isdigit():
        fitting = [one for one in every if int(one.name.partition("_")[0]) == int(wanted)]
    fitting = fitting or [one for one in every if wanted and wanted in one.name]
    if len(fitting) != 1:
        names = "\n".join(f"  {one.name:20} {one.title}" for one in every)
        fit = f"{' and '.join(one.name for one in fitting)} fit" if fitting else "no exercise fits"
        raise UnknownExercise(f"{fit} {asked!r}. The exercises are\n{names}")
    return fitting[0]


def copies(folder: Path) -> dict[str, Path]:
    """Name of an exercise → the learner's copy in the folder; of several the one with the plain name, or the newest."""
    found: dict[str, Path] = {}
    for path in sorted(folder.glob("*.ipynb"), key=lambda path: -path.stat().st_mtime):
        exercise = of_notebook(path)
        if exercise is not None:
            found.setdefault(exercise.name, path)
    plain = (folder / exercise.path.name for exercise in exercises())
    return found | {path.stem: path for path in plain if path.exists()}


def of_notebook(path: Path) -> Exercise | None:
    """The exercise whose copy the notebook is: by its name, also if a browser added " (1)"; else by its cells."""
    start = re.match(r"\d+_[a-z_]+", path.stem)
    for one in exercises():
        if start and start[0] == one.name:
            return one
    ids = _ids(path)
    best = max(exercises(), key=lambda one: len(ids & _released_ids(one)), default=None)
    return best if best is not None and len(ids & _released_ids(best)) > len(_released_ids(best)) / 2 else None


@lru_cache
def _released_ids(exercise: Exercise) -> frozenset[str]:
    return frozenset(_ids(exercise.path))


def _ids(path: Path) -> set[str]:
    """The ids of nbgrader's cells; empty for what is not a notebook."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return {cell["metadata"]["nbgrader"]["grade_id"] for cell in cells if cell["metadata"].get("nbgrader")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return set()
