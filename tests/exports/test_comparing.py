import ast
import csv
import io
import shlex
import zipfile
from datetime import datetime

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from small_course import EVIL, NAME

from autograder.errors import UsageError
from autograder.exports.comparing import base_code, for_dolos, for_jplag, learners_code


@pytest.fixture
def notebook(blank):
    """The released notebook with this answer, and cells of the learner's own."""

    def notebook(answer="", *sources):
        filled = nbformat.reads(blank, as_version=4)
        filled.cells[2].source = answer or filled.cells[2].source
        filled.cells += map(new_code_cell, sources)
        return filled

    return notebook


@pytest.fixture
def autograded(tmp_path, notebook):
    for student, factor in {"ada": "2", "ben": "x"}.items():
        folder = tmp_path / "autograded" / student / NAME
        folder.mkdir(parents=True)
        nbformat.write(notebook(f"def double(x):\n    return {factor} * x"), folder / f"{NAME}.ipynb")
    return tmp_path / "autograded"


def test_only_what_the_learner_wrote_is_compared_as_python(assignment, notebook):
    text = learners_code(notebook("def double(x):\n    return x + x", "def mine(): ..."), assignment)
    assert text.split("\n\n\n") == ["def double(x):\n    return x + x", "def mine(): ...", ""]
    assert "not written yet" in base_code(assignment)
    assert learners_code(notebook(), assignment) == ""
    text = learners_code(notebook("%matplotlib inline\n!ls\nx = 5 % 3"), assignment)
    ast.parse(text)
    assert "x = 5 % 3" in text


def test_jplag_gets_a_folder_for_each_submission_and_the_base_code_and_nothing_of_an_earlier_export(
    assignment, autograded, tmp_path
):
    folder = tmp_path / "to jplag"
    for_jplag(assignment, autograded, folder)
    (folder / "submissions" / "gone").mkdir()
    command = shlex.split(for_jplag(assignment, autograded, folder))
    assert sorted(path.name for path in (folder / "submissions").iterdir()) == ["ada", "ben"]
    assert (folder / "base" / f"{NAME}.py").read_text() == base_code(assignment)
    assert (command[command.index("-bc") + 1], command[-1]) == (str(folder / "base"), str(folder / "submissions"))
    assert command[command.index("-l") + 1] == "python3"


def test_dolos_gets_a_table_beside_the_files_and_the_same_as_a_zip_without_times_where_one_is_unknown(
    assignment, autograded, tmp_path
):
    details = {"ada": (EVIL, datetime(2026, 11, 20, 13, 30)), "ben": ("Ben", datetime(2026, 11, 20, 14, 0))}
    info = tmp_path / "dolos" / "submissions" / "info.csv"
    for_dolos(assignment, autograded, tmp_path / "dolos", {"ada": ("Ada", details["ada"][1])})
    assert info.read_text(encoding="utf-8") == "filename,full_name\nada.py,Ada\nben.py,ben\n"
    command = shlex.split(for_dolos(assignment, autograded, tmp_path / "dolos", details))
    table = info.read_text(encoding="utf-8")
    ada, ben = csv.DictReader(io.StringIO(table))
    assert (ada["filename"], ada["created_at"]) == ("ada.py", "2026-11-20 13:30:00 +0000")
    assert ada["full_name"] == f"'{EVIL}"
    assert ben == {"filename": "ben.py", "full_name": "Ben", "created_at": "2026-11-20 14:00:00 +0000"}
    with zipfile.ZipFile(tmp_path / "dolos" / "submissions.zip") as archive:
        assert sorted(archive.namelist()) == ["ada.py", "ben.py", "info.csv"]
        assert archive.read("info.csv").decode() == table
        assert {entry.external_attr >> 16 for entry in archive.infolist()} == {0o644}
    assert command[-1].endswith("info.csv")


def test_a_folder_with_other_things_in_it_is_left_alone_and_one_submission_is_nothing_to_compare(
    assignment, autograded, notebook, tmp_path
):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UsageError, match="choose an empty folder"):
        for_jplag(assignment, autograded, tmp_path)
    assert (tmp_path / "thesis.tex").exists()
    nbformat.write(notebook(), autograded / "ben" / NAME / f"{NAME}.ipynb")
    with pytest.raises(UsageError, match="1 submissions with code"):
        for_jplag(assignment, autograded, tmp_path / "jplag")
    assert not (tmp_path / "jplag").exists()
