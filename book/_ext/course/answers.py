"""The library's own answers to graded tasks: never in the open page, but behind a fold after the exercise.

``{source}`` asks what it may show, and ``{assignment}`` adds the fold. A class's build leaves the fold out:
``python -m book.build --without-answers``.
"""

import os
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from autograder.authoring.graded import answers

WITHOUT = "COURSE_WITHOUT_ANSWERS"  # in the environment of the build
UNSHOWN = "seq2seq.exercises."  # references that belong to no page


def to_compare(root: Path, exercise: str) -> list[str]:
    """What stands behind the exercise's fold: functions, and methods under their class."""
    return [name for name, owner in answers(root).items() if owner == exercise and not name.startswith(UNSHOWN)]


def _read_environment(app: Sphinx, config: Config) -> None:
    config.course_answers = not os.environ.get(WITHOUT)


def setup(app: Sphinx) -> None:
    app.add_config_value("course_answers", True, "env", bool)  # "env": all pages are read again when it changes
    app.connect("config-inited", _read_environment)
