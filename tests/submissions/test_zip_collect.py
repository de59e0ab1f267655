"""The two ways from an LMS's download to a class's folder: our command, and ``nbgrader zip_collect``."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from downloads import inner, through_nbgrader
from small_course import ROOT

from autograder.__main__ import main

NAME = "05_scorers"
CLASS = {f"lovelaceada/{NAME}/{NAME}.ipynb": "ada", f"neilben/{NAME}/{NAME}.ipynb": "last"}


@pytest.fixture
def course(tmp_path):
    """A course with one assignment, and a Canvas download beside it."""
    for path in (tmp_path / "solutions" / f"{NAME}.py", tmp_path / "exercises" / NAME / f"{NAME}.ipynb"):
        path.parent.mkdir(parents=True)
        path.write_text("{}")
    ben = {f"neilben_LATE_77_2_{NAME}-1.ipynb": b"first", f"neilben_LATE_77_3_{NAME}-2.ipynb": b"last"}
    files = {f"lovelaceada_1234_56789_{NAME} (1).ipynb": b"ada", **ben, "neilben_77_4_notes.pdf": b""}
    (tmp_path / "canvas.zip").write_bytes(inner(files))
    return tmp_path


def submitted(course):
    root = course / "submitted"
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


def collect(course, *arguments):
    to = ["--root", str(course), "--to", str(course / "submitted")]
    return main(["collect", str(course / "canvas.zip"), *to, *arguments])


def test_collect_lays_out_the_class_and_tells_the_rest(course, capsys):
    assert collect(course) == 0
    assert submitted(course) == CLASS
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].startswith("2 submissions from Canvas in ")
    assert "collect: left out neilben_77_4_notes.pdf: it is not a notebook.\n" in err
    assert "neilben_LATE_77_2_05_scorers-1.ipynb: an earlier attempt.\n" in err
    assert "Late penalties need times: --roster with a column submitted_at gives them.\n" in err
    path = course / "submitted" / "neilben" / NAME / f"{NAME}.ipynb"
    path.write_text("by hand")
    assert collect(course) == 1
    assert "a different existing submission was kept: neilben; --replace" in capsys.readouterr().err
    assert path.read_text() == "by hand"
    assert collect(course, "--json", "--replace") == 0
    result = json.loads(capsys.readouterr().out)
    assert [submission["outcome"] for submission in result["submissions"]] == ["unchanged", "replaced"]
    assert len(result["left_out"]) == 2


@pytest.mark.parametrize("arguments", ["--assignment 99_none", "--roster nowhere.csv", "--from gradescope"])
def test_wrong_usage_is_one_line_and_status_2(course, capsys, arguments):
    assert collect(course, *arguments.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (course / "submitted").exists()


@pytest.fixture
def archive(course):
    folder = course / "downloaded" / NAME / "archive"
    folder.mkdir(parents=True)
    return folder


def test_nbgraders_zip_collect_takes_a_canvas_download(course, archive):
    (course / "canvas.zip").rename(archive / "canvas.zip")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    line = [sys.executable, "-m", "nbgrader", "zip_collect", NAME]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HOME": str(course)}
    done = subprocess.run(line, cwd=course, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert submitted(course) == CLASS
    assert "Left out: neilben_77_4_notes.pdf: it is not a notebook" in done.stderr
    assert "no time of submission is known for 2 of 2" in done.stderr
    assert "--roster" not in done.stderr  # nbgrader's command has no such option


def test_gradescopes_time_is_kept(course, archive):
    text = "submission_5:\n  :submitters:\n  - :sid: ada\n  :created_at: 2026-11-18 21:30:00.25 Z\n"
    files = {f"export/submission_5/{NAME}.ipynb": b"ada", "export/submission_metadata.yml": text}
    (archive / "export.zip").write_bytes(inner(files))
    # The stamp says its zone, which nbgrader would leave out.
    ada, stamp = (about for _, about in through_nbgrader(archive, course, NAME))
    assert (stamp["student_id"], stamp["file_id"]) == ("ada", "timestamp.txt")
    assert (ada["student_id"], ada["timestamp"][:22]) == ("ada", "2026-11-18 21:30:00.25")
