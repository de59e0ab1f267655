"""A verdict's key changes with all that the verdict depends on, and with nothing else."""

import os
import shutil
import socket
from dataclasses import replace
from pathlib import Path

import pytest

import autograder
from autograder.authoring.assignment import Assignment
from autograder.judging import versions
from autograder.judging.store import key
from autograder.judging.versions import environment
from autograder.submissions.submitted_files import SubmittedFile, collected
from tests import small_course

ASSIGNMENT = Assignment("a", "text")


@pytest.fixture
def handed(tmp_path):
    path = tmp_path / "notebook"
    path.write_bytes(b"x")
    return SubmittedFile("ada", "a", path)


@pytest.fixture
def library(tmp_path):
    """A course whose library can be written to."""
    root = tmp_path / "course"
    (root / "seq2seq" / "inner").mkdir(parents=True)
    (root / "seq2seq" / "inner" / "small.py").write_text("x = 1")
    (root / "data.txt").write_text("1")
    return root


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the grader that can be written to."""
    copy = tmp_path / "autograder"
    shutil.copytree(Path(autograder.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(autograder, "__file__", str(copy / "__init__.py"))
    return copy


def test_each_part_changes_it(handed, tmp_path):
    (tmp_path / "other").write_bytes(b"y")
    keys = [
        key(handed, ASSIGNMENT, "place", 1),
        key(replace(handed, path=tmp_path / "other"), ASSIGNMENT, "place", 1),  # its bytes
        key(replace(handed, notes=("renamed",)), ASSIGNMENT, "place", 1),  # what was mended
        key(replace(handed, problem="none"), ASSIGNMENT, "place", 1),
        key(handed, Assignment("b", "text"), "place", 1),
        key(handed, Assignment("a", "other"), "place", 1),  # the checks' source
        key(handed, ASSIGNMENT, "elsewhere", 1),
        key(handed, ASSIGNMENT, "place", 2),
    ]
    assert len(set(keys)) == len(keys)


def test_parts_cannot_run_into_one_another(handed):
    assert key(handed, Assignment("a", "bc"), "", 1) != key(handed, Assignment("ab", "c"), "", 1)
    notes = [("ab",), ("a", "b"), ("", "ab")]
    assert len({key(replace(handed, notes=one), ASSIGNMENT, "", 1) for one in notes}) == 3


def test_when_it_came_does_not(handed):
    later = replace(handed, timestamp="2026-11-21 10:00:00 UTC")
    assert key(later, ASSIGNMENT, "", 1) == key(handed, ASSIGNMENT, "", 1)


def test_two_learners_never_share_a_verdict(handed):
    """Of equal files whose outcome is a matter of chance, each keeps its own."""
    assert key(replace(handed, student="ben"), ASSIGNMENT, "", 1) != key(handed, ASSIGNMENT, "", 1)


def test_its_place_and_the_times_of_its_file_do_not(handed, tmp_path):
    before = key(handed, ASSIGNMENT, "", 1)
    moved = shutil.move(handed.path, tmp_path / "moved")
    os.utime(moved, (0, 0))
    assert key(replace(handed, path=Path(moved)), ASSIGNMENT, "", 1) == before


def test_the_order_and_the_number_of_the_others_do_not(tmp_path):
    def hand_in(student):
        folder = tmp_path / "submitted" / student / "a"
        folder.mkdir(parents=True)
        (folder / "a.ipynb").write_text(student)

    def keys():
        return {one.student: key(one, ASSIGNMENT, "", 1) for one in collected(tmp_path / "submitted")}

    hand_in("mia")
    before = keys()
    hand_in("ada")
    hand_in("zoe")
    assert keys() | before == keys()


@pytest.mark.parametrize("module", ["tasks/scorers.py", "records/job.py", "judging/judge.py", "expect.py"])
def test_a_change_of_the_grader_changes_it(library, package, module):
    """Its checks, its limits, its judge: all are its source."""
    before = environment(library)
    (package / module).write_text((package / module).read_text() + "# changed\n")
    assert environment(library) != before


def test_the_graders_own_source_counts_even_if_the_course_is_elsewhere(library, package):
    assert not (library / "autograder").exists()
    before = environment(library)
    (package / "new.py").write_text("")
    assert environment(library) != before


def test_a_change_of_the_library_changes_it(library):
    before = environment(library)
    (library / "seq2seq" / "inner" / "small.py").write_text("x = 2")
    assert environment(library) != before


def test_a_change_behind_a_link_changes_it(library, tmp_path):
    shutil.move(library / "seq2seq" / "inner", tmp_path / "inner")
    (library / "seq2seq" / "inner").symlink_to(tmp_path / "inner", target_is_directory=True)
    before = environment(library)
    (tmp_path / "inner" / "small.py").write_text("x = 2")
    assert environment(library) != before


def test_a_module_that_moved_changes_it(library):
    before = environment(library)
    (library / "seq2seq" / "inner" / "small.py").rename(library / "seq2seq" / "inner" / "other.py")
    assert environment(library) != before


def test_a_change_of_a_given_file_changes_it(library):
    (library / "weights.npz").write_bytes(b"\xbf1")  # no text
    before = environment(library, ["weights.npz"])
    (library / "weights.npz").write_bytes(b"\xbf2")
    assert environment(library, ["weights.npz"]) != before


@pytest.mark.parametrize("name", ["torch", "numpy", "ipython"])
def test_another_version_changes_it(library, monkeypatch, name):
    before, version = environment(library), versions.version
    monkeypatch.setattr(versions, "version", lambda one: "0.0" if one == name else version(one))
    assert environment(library) != before


def test_another_python_changes_it(library, monkeypatch):
    before = environment(library)
    monkeypatch.setattr(versions.platform, "python_version", lambda: "3.0.0")
    assert environment(library) != before


def test_the_place_of_the_course_and_the_machine_do_not(library, tmp_path, monkeypatch):
    before = environment(library, ["data.txt"])
    shutil.copytree(library, tmp_path / "copy")
    monkeypatch.setattr(socket, "gethostname", lambda: "other")
    monkeypatch.setattr(versions.platform, "node", lambda: "other")
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path / "copy").rglob("*"):
        os.utime(path, (0, 0))
    assert environment(tmp_path / "copy", ["data.txt"]) == before


def test_what_is_no_source_does_not(library):
    before = environment(library)
    (library / "seq2seq" / "__pycache__").mkdir()
    (library / "seq2seq" / "__pycache__" / "small.cpython-311.pyc").write_bytes(b"x")
    (library / "solutions").mkdir()
    (library / "solutions" / f"{small_course.NAME}.py").write_text(small_course.SCRIPT)
    assert environment(library) == before
