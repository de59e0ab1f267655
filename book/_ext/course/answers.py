"""The library's answers to graded tasks: hidden in the chapter, but folded after the exercise.

``{source}`` withholds them, and ``{assignment}`` adds the fold. The build for a class omits the fold:
``python -m book.build --without-answers``.
"""

import os
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from autograder.assignments.script import answers

WITHOUT = "COURSE_WITHOUT_ANSWERS"  # in the environment of the build
UNSHOWN = "seq2seq.exercises."  # references that no page shows


def to_compare(root: Path, exercise: str) -> list[str]:
    """The names in the exercise's fold: functions, and methods after their class."""
    return [name for name, owner in answers(root).items() if owner == exercise and not name.startswith(UNSHOWN)]


def _read_environment(app: Sphinx, config: Config) -> None:
    config.course_answers = not os.environ.get(WITHOUT)


def setup(app: Sphinx) -> None:
    app.add_config_value("course_answers", True, "env", bool)  # "env": a change makes Sphinx read all pages again
    app.connect("config-inited", _read_environment)
