"""The library's own answers to graded tasks: never in the open page, but behind a fold after the exercise.

``{source}`` asks here what it may show, and ``{assignment}`` adds the fold. A class's build leaves the fold out:
``python -m book.build --without-answers``.
"""

import ast
import os
from functools import cache
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from autograder.authoring.script import read_script
from autograder.settings import SCRIPTS

WITHOUT = "COURSE_WITHOUT_ANSWERS"  # in the environment of the build
UNSHOWN = "seq2seq.exercises."  # references that belong to no page


@cache
def graded(root: Path, stamp: int) -> dict[str, str]:
    """Dotted name of each definition that answers a graded task → the exercise; ``stamp``: see :func:`answers`."""
    found: dict[str, str] = {}
    for path in sorted((root / SCRIPTS).glob("[!_]*.py")):
        for cell in read_script(path).cells:
            wanted = str(cell.metadata.get("answer", "")).split()
            if not wanted:
                continue
            imports = [node for node in ast.parse(cell.source).body if isinstance(node, ast.ImportFrom)]
            modules = {alias.name: node.module for node in imports for alias in node.names}
            for name in wanted:
                found.setdefault(f"{modules[name.split('.')[0]]}.{name}", path.stem)
    return found


def answers(root: Path) -> dict[str, str]:
    """:func:`graded` of the scripts as they are now."""
    return graded(root, max(path.stat().st_mtime_ns for path in (root / SCRIPTS).glob("*.py")))


def given_away(root: Path, name: str) -> dict[str, str]:
    """The graded answers that showing ``name``, a module, class or function, would show."""
    return {
        answer: exercise
        for answer, exercise in answers(root).items()
        if answer == name or answer.startswith(f"{name}.") or name.startswith(f"{answer}.")
    }


def to_compare(root: Path, exercise: str) -> list[str]:
    """What stands behind the exercise's fold: functions, and methods under their class."""
    return [name for name, owner in answers(root).items() if owner == exercise and not name.startswith(UNSHOWN)]


def _read_environment(app: Sphinx, config: Config) -> None:
    config.course_answers = not os.environ.get(WITHOUT)


def setup(app: Sphinx) -> None:
    app.add_config_value("course_answers", True, "env", bool)  # "env": all pages are read again when it changes
    app.connect("config-inited", _read_environment)
