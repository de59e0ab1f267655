"""Whether the library's answers to graded tasks are in the book, folded; a class's build leaves them out."""

import os

from sphinx.application import Sphinx
from sphinx.config import Config

WITHOUT = "COURSE_WITHOUT_ANSWERS"  # in the environment of the build


def _read_environment(app: Sphinx, config: Config) -> None:
    config.course_answers = not os.environ.get(WITHOUT)


def setup(app: Sphinx) -> None:
    app.add_config_value("course_answers", True, "env", bool)  # "env": a change makes Sphinx read all pages again
    app.connect("config-inited", _read_environment)
