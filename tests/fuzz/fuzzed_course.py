"""The source of one small exercise; behind functions, so that no failing example prints it."""

import json
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import small_course

from autograder.assignments.assignment import Assignment, load


@cache
def assignment() -> Assignment:
    with TemporaryDirectory() as folder:
        return load(small_course.make(Path(folder) / "course"), small_course.NAME)


@cache
def solved() -> dict:
    """The instructor's own notebook, in which everything is right; not to be changed."""
    return json.loads(assignment().text)
