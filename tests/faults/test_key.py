"""A verdict's key changes with all that the verdict depends on, and with nothing else."""

import os
import shutil
import socket
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import autograder
from autograder.assignments.assignment import Assignment
from autograder.store import versions
from autograder.store.edition import Edition
from autograder.store.versions import environment
from autograder.submissions.submitted_files import SubmittedFile, submissions_below

ASSIGNMENT = Assignment("a", "text")


def key(handed, assignment, environment, seed):
    return Edition(assignment, {}, environment).key(handed, seed)


@pytest.fixture
def handed(tmp_path):
    path = tmp_path / "notebook"
    path.write_bytes(b"x")
    return SubmittedFile("ada", "a", path)


def test_each_part_changes_it_and_cannot_run_into_another(handed, tmp_path):
    (tmp_path / "other").write_bytes(b"y")
    parts = {
        "nothing": (handed, ASSIGNMENT, "place", 1),
        "its bytes": (replace(handed, path=tmp_path / "other"), ASSIGNMENT, "place", 1),
        "the learner": (replace(handed, student="ben"), ASSIGNMENT, "place", 1),  # equal files may have different luck
        "what was mended": (replace(handed, notes=("renamed",)), ASSIGNMENT, "place", 1),
        "two notes": (replace(handed, notes=("re", "named")), ASSIGNMENT, "place", 1),
        "an empty note": (replace(handed, notes=("", "renamed")), ASSIGNMENT, "place", 1),
        "its problem": (replace(handed, problem="none"), ASSIGNMENT, "place", 1),
        "the assignment": (handed, Assignment("b", "text"), "place", 1),
        "the checks": (handed, Assignment("a", "other"), "place", 1),
        "a boundary": (handed, Assignment("at", "ext"), "place", 1),
        "the environment": (handed, ASSIGNMENT, "elsewhere", 1),
        "the seed": (handed, ASSIGNMENT, "place", 2),
    }
    keys = {key(*arguments): name for name, arguments in parts.items()}
    assert list(keys.values()) == list(parts)


def test_neither_time_nor_place_nor_the_others_do(tmp_path):
    def keys(folder):
        return {handed.student: key(handed, ASSIGNMENT, "", 1) for handed in submissions_below(folder)}

    for student in ("mia", "ada", "zoe"):
        target = tmp_path / "submitted" / student / "a"
        target.mkdir(parents=True)
        (target / "a.ipynb").write_text(student)
        if student == "mia":
            before = keys(tmp_path / "submitted")
    moved = shutil.move(tmp_path / "submitted", tmp_path / "moved")
    os.utime(moved / "mia" / "a" / "a.ipynb", (0, 0))
    (moved / "mia" / "a" / "timestamp.txt").write_text("2026-11-21 10:00:00 UTC")
    assert [handed.timestamp for handed in submissions_below(moved) if handed.student == "mia"] != [""]
    assert keys(moved) | before == keys(moved)
    assert len(keys(moved)) == 3


@pytest.fixture
def library(tmp_path):
    """A course whose library can be written to, a part of it behind a link."""
    root = tmp_path / "course"
    (root / "seq2seq" / "inner").mkdir(parents=True)
    (root / "seq2seq" / "inner" / "small.py").write_text("x = 1")
    (root / "weights.npz").write_bytes(b"\xbf1")  # no text
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "small.py").write_text("x = 1")
    (root / "seq2seq" / "linked").symlink_to(tmp_path / "linked", target_is_directory=True)
    return root


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the grader that can be written to, which is not in the course's folder."""
    copy = tmp_path / "autograder"
    shutil.copytree(Path(autograder.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(autograder, "__file__", str(copy / "__init__.py"))
    return copy


def test_every_change_of_grader_library_and_given_files_changes_the_environment(library, package, tmp_path):
    grader = ["tasks/scorers.py", "records/job.py", "judging/judge.py", "finding.py"]  # checks, limits, judge
    edited = [*(package / name for name in grader), library / "seq2seq" / "inner" / "small.py"]
    edited += [tmp_path / "linked" / "small.py", library / "weights.npz"]
    changes = {f"{path}": partial(path.write_bytes, path.read_bytes() + b"# changed\n") for path in edited}
    changes["a new file"] = (package / "new.py").touch
    inner = library / "seq2seq" / "inner"
    changes["a file that moved"] = partial((inner / "small.py").rename, inner / "other.py")
    before, same = environment(library, ["weights.npz"]), []
    for name, change in changes.items():
        change()
        after = environment(library, ["weights.npz"])
        same += [name] if after == before else []
        before = after
    assert same == []


@pytest.mark.parametrize("name", ["torch", "numpy", "ipython", "python"])
def test_another_version_changes_the_environment(library, monkeypatch, name):
    before, version = environment(library), versions.version
    monkeypatch.setattr(versions, "version", lambda package: "0.0" if package == name else version(package))
    if name == "python":
        monkeypatch.setattr(versions.platform, "python_version", lambda: "3.0.0")
    assert environment(library) != before


def test_the_place_of_the_course_the_machine_and_what_is_no_source_do_not(library, tmp_path, monkeypatch):
    before = environment(library, ["weights.npz"])
    shutil.copytree(library, tmp_path / "copy")
    monkeypatch.setattr(socket, "gethostname", lambda: "other")
    monkeypatch.setattr(versions.platform, "node", lambda: "other")
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.chdir(tmp_path)
    for name in ("seq2seq/__pycache__/small.cpython-311.pyc", "solutions/01_small.py", "build/seed"):
        (tmp_path / "copy" / name).parent.mkdir()
        (tmp_path / "copy" / name).write_bytes(b"x")
    for path in (tmp_path / "copy").rglob("*"):
        os.utime(path, (0, 0))
    assert environment(tmp_path / "copy", ["weights.npz"]) == before
