"""The real exercise, its solved notebook, a way to read it after a change, and downloads collected."""

import copy
import json
import zipfile

import pytest
from downloads import NAMES, inner
from notebook_changes import NAME, dumped
from small_course import ROOT

from autograder.assignments.assignment import load
from autograder.collect.lms_import import Rules, collect
from autograder.submissions.roster import Roster
from autograder.submissions.submission import Submission


@pytest.fixture(scope="session")
def exercise():
    return load(ROOT, NAME)


@pytest.fixture(scope="session")
def right():
    """Ada's notebook of the sample class, in which everything is right; not to be changed."""
    path = ROOT / "sample_class" / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def read(exercise, right):
    """Reads the solved notebook after a change to it."""

    def read(change=lambda notebook: notebook):
        changed = change(copy.deepcopy(right))
        return Submission.read(changed if isinstance(changed, bytes) else dumped(changed), exercise)

    return read


@pytest.fixture
def pack(tmp_path):
    """A zip of names and contents: pack({"a.ipynb": b"..."})."""

    def pack(files):
        (tmp_path / "download.zip").write_bytes(inner(files, zipfile.ZIP_DEFLATED))
        return tmp_path / "download.zip"

    return pack


@pytest.fixture
def roster(tmp_path):
    def roster(text):
        (tmp_path / "roster.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
        return Roster.read(tmp_path / "roster.csv")

    return roster


@pytest.fixture
def got(tmp_path, pack, roster):
    """What collecting these files gives: got({...}, "canvas") → result; files lie below tmp_path / "submitted"."""

    def got(files, lms="", **rules):
        path = files if hasattr(files, "exists") else pack(files)
        rules |= {"roster": roster(rules["roster"])} if isinstance(rules.get("roster"), str) else {}
        return collect([path], tmp_path / "submitted", lms, Rules(**{"assignments": NAMES, **rules}))

    return got
