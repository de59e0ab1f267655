"""The real exercise, its solved notebook, and a way to read it after a change."""

import copy
import json
from pathlib import Path

import honest
import pytest

from autograder.authoring.assignment import Assignment, load
from autograder.submissions.submission import Submission

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def exercise() -> Assignment:
    return load(ROOT, honest.NAME)


@pytest.fixture(scope="session")
def right() -> honest.Notebook:
    """Ada's notebook of the sample class, in which everything is right; not to be changed."""
    path = ROOT / "sample_class" / "submitted" / "ada" / honest.NAME / f"{honest.NAME}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def read(exercise, right):
    """Reads the solved notebook after a change to it."""

    def read(change=lambda notebook: notebook):
        made = change(copy.deepcopy(right))
        return Submission.read(made if isinstance(made, bytes) else honest.dumped(made), exercise)

    return read
