import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_course import NAME, ROOT

from autograder.__main__ import main
from autograder.exports.grades import open_gradebook
from autograder.gradebook.book import Book

FILES = {"canvas": "canvas.csv", "moodle": "moodle.csv", "csv": "grades.csv", "gradescope": f"gradescope/{NAME}.csv"}


@pytest.fixture
def export(template, tmp_path, capsys, monkeypatch):
    """Runs the command on the gradebook of three students → status, stdout, stderr."""
    (tmp_path / "grades").mkdir()
    shutil.copy(template, tmp_path / "grades" / "gradebook.db")
    monkeypatch.chdir(tmp_path)

    def export(*arguments):
        status = main(["export", *map(str, arguments)])
        return status, *capsys.readouterr()

    return export


@pytest.mark.parametrize("to", FILES)
def test_each_system_gets_its_file(export, to):
    status, out, err = export("--to", to)
    assert (status, err) == (0, "")
    assert out.startswith("grades/exports/")
    assert Path("grades/exports", FILES[to]).is_file()
    assert export("--to", "csv", "--file", "here/x.csv")[1] == "here/x.csv\n"  # the place can be chosen
    assert Path("here/x.csv").is_file()


def test_who_is_left_out_is_named_and_the_status_tells(export):
    Path("roster.csv").write_text(f"Student,ID,SIS Login ID,Section,{NAME} (1)\nAda,1,ada,A,\nBen,2,ben,A,\n")
    status, _, err = export("--to", "canvas", "--roster", "roster.csv")
    assert (status, err) == (1, "export: cas is not in the roster: left out.\n")
    status, out, err = export("--to", "canvas", "--roster", "roster.csv", "--json")
    record = {"places": ["grades/exports/canvas.csv"], "warnings": ["cas is not in the roster: left out."]}
    assert (status, err, json.loads(out)) == (1, "", json.loads(out) | record)


def test_a_gradebook_that_is_none_is_one_line(export):
    Path("grades/gradebook.db").write_text("no database at all, but long enough to be looked at" * 20)
    status, _, err = export("--to", "csv")
    assert status == 1
    assert err.startswith("export: grades/gradebook.db is not an SQLite database")
    assert err.count("\n") == 1


def test_the_classes_work_under_nbgrader(template, tmp_path):
    shutil.copy(template, tmp_path / "gradebook.db")
    options = ["--exporter=autograder.exports.gradescope.GradescopeExporter", "--to=made"]
    command = [sys.executable, "-m", "nbgrader", "export", *options, f"--db=sqlite:///{tmp_path / 'gradebook.db'}"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "made" / NAME / "ben" / "results.json").read_text())["score"] == 3.0


def test_the_office_finds_graded_notebooks_below_the_output(export, tmp_path):
    with open_gradebook(ROOT, Path("grades"), Book.below(Path("grades"))) as (_, office, _):
        folder = office.coursedir.format_path(office.coursedir.autograded_directory, "ada", NAME)
    assert Path(folder) == tmp_path / "grades" / "autograded" / "ada" / NAME
