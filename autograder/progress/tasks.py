"""The tasks of a notebook, read from its cells: titles from headings, points from nbgrader's metadata."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.notebook_files.file_text import Unreadable
from autograder.notebook_files.notebook_cells import plain_cells

TOP = Path(__file__).resolve().parents[2]
HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
CALL = re.compile(r"^[^\S\n]*check(?:_(\w+)\(|\(\"(\w+)\")", re.MULTILINE)


@dataclass(frozen=True)
class TaskCell:
    """One cell with a check that learners can run."""

    title: str
    checks: tuple[str, ...]  # the names of the functions that it calls
    points: float
    cell: str = ""  # its grade id


@dataclass(frozen=True)
class Tasks:
    tasks: tuple[TaskCell, ...]
    hidden: float = 0.0  # points of the checks that run only when the work is graded
    in_words: float = 0.0  # points of the answers that people grade


def released() -> list[Path]:
    """The notebooks as released, in the order of the course: those of the installed package, or of a checkout."""
    installed = TOP / "learn" / "exercises"
    folder = installed if installed.is_dir() else TOP / "exercises"
    paths = (path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
    return sorted(paths, key=lambda path: path.name)


def read(path: Path) -> Tasks | None:
    """The tasks of the notebook at ``path``; None if it is not a notebook or has no checks to run."""
    try:
        tasks = _read(plain_cells(path.read_bytes()))
    except (OSError, Unreadable, ValueError, KeyError, TypeError):  # a learner's file may be anything
        return None
    return tasks if tasks.tasks else None


def last_heading(source: str) -> str:
    """The last heading of a Markdown cell, without its marks; empty if there is none."""
    headings = HEADING.findall(source)
    return re.sub(r"[`*$\\]", "", headings[-1].rstrip("# \t")) if headings else ""


def _read(cells: list[dict[str, Any]]) -> Tasks:
    tasks, hidden, in_words, heading = [], 0.0, 0.0, ""
    for cell in cells:
        source, settings = cell["source"], cell["metadata"]["nbgrader"]
        if cell["cell_type"] == "markdown":
            heading = last_heading(source) or heading
        if not settings.get("grade"):
            continue
        points, checks = float(settings["points"]), [f"check_{name or task}" for name, task in CALL.findall(source)]
        if settings.get("solution"):
            in_words += points
        elif not checks or any(name.endswith("_hidden") for name in checks):
            hidden += points
        else:
            cell_id = str(settings["grade_id"])
            name = cell_id.removesuffix("_visible").replace("_", " ")
            tasks.append(TaskCell(heading or name, tuple(checks), points, cell_id))
    return Tasks(tuple(tasks), hidden, in_words)
