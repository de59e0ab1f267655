import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from small_course import NAME, FakeJudge

from autograder.grading.grading_run import Run
from tests.gradebook_dump import dump

ROOT = Path(__file__).resolve().parents[2]
STUDENT = f"{NAME}/ada"


class Talkative(FakeJudge):
    """Reports outputs that a hostile learner would like to see on the page."""

    def run(self, job):
        verdict = super().run(job)
        for cell in verdict.cells:
            data = {"text/html": "<script>evil()</script>", "text/plain": "<b>shown as text</b>"}
            cell.outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
        return verdict


@pytest.fixture
def grade(course, hand_in, tmp_path):
    """Grades one notebook, Ada's; returns the output folder."""

    def grade(text, timestamp="", maker=FakeJudge):
        folder = hand_in("ada", text)
        if timestamp:
            (folder / "ada" / NAME / "timestamp.txt").write_text(timestamp)
        Run(course, tmp_path / "out", maker=maker, seed=1).grade(folder)
        return tmp_path / "out"

    return grade


def page(output):
    return (output / "feedback" / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")


def body(output):
    """The text of the page, below its styles and scripts."""
    return page(output).split("<body>", 1)[1]


def test_partial_credit_and_its_message_reach_gradebook_and_page(grade, solved):
    output = grade(solved.replace("return x + x", "return x + x  # half right"))
    assert dump(output / "gradebook.db")[STUDENT]["score"] == 2.25
    assert "half right</td>" in page(output)


def test_an_answer_left_blank_is_said_to_be_no_response(grade, blank):
    comments = dump(grade(blank) / "gradebook.db")[STUDENT]["comments"]
    assert comments[f"{NAME}/double"] == ("No response.", None)


def test_the_time_of_submission_is_recorded(grade, solved):
    output = grade(solved, timestamp="2026-11-21 10:00:00 UTC")
    assert dump(output / "gradebook.db")[STUDENT]["timestamp"] == "2026-11-21 10:00:00"


def test_a_grade_given_by_hand_survives_a_regrade(grade, solved, blank):
    output = grade(solved)
    with Gradebook(f"sqlite:///{output / 'gradebook.db'}") as gradebook:
        gradebook.find_grade("double_right", NAME, NAME, "ada").manual_score = 1.0
        gradebook.db.commit()
    grade(blank)
    assert dump(output / "gradebook.db")[STUDENT]["grades"][f"{NAME}/double_right"][:2] == (0.0, 1.0)


def test_the_page_shows_no_hidden_test(grade, solved):
    text = body(grade(solved))
    assert "More sizes, which you do not see." in text
    assert "secret" not in text
    assert "HIDDEN" not in text


def test_the_graded_notebook_keeps_the_hidden_test_for_the_instructor(grade, solved):
    graded = nbformat.read(grade(solved) / "autograded" / "ada" / NAME / f"{NAME}.ipynb", as_version=4)
    assert "secret" in graded.cells[-1].source


def test_markers_in_a_learners_own_cell_do_not_stop_the_page(grade, solved):
    text = solved.replace("double(torch.ones(2))\\n", "x").replace("### BEGIN SOLUTION", "### BEGIN HIDDEN TESTS")
    assert "4.5 of 4.5 points" in page(grade(text))


def test_outputs_reach_the_page_as_text_only(grade, solved):
    text = body(grade(solved, maker=Talkative))
    assert "evil()" not in text
    assert "&lt;b&gt;shown as text&lt;/b&gt;" in text


def test_a_learners_markdown_cannot_run_anything(grade, solved):
    notebook = json.loads(solved)
    sources = ["<script>evil()</script>", "<img src=x onerror=evil()>", "[x](javascript:evil())", "**fine**"]
    for number, source in enumerate(sources):
        cell = {"cell_type": "markdown", "metadata": {}, "source": source, "id": f"m{number}"}
        notebook["cells"].append(cell)
    text = body(grade(json.dumps(notebook)))
    assert "<strong>fine</strong>" in text
    assert not re.search(r"<script>evil|onerror|href=.javascript", text)


@pytest.mark.parametrize("data", ["{", "\ufeff"])
def test_an_unreadable_submission_gets_no_points_and_the_reason(grade, data):
    output = grade(data)
    assert dump(output / "gradebook.db")[STUDENT]["score"] == 0.0
    assert "could not be read as a notebook" in page(output)


def test_repairs_are_told_on_the_page(grade, solved):
    assert "byte order mark" in page(grade("\ufeff" + solved))


def test_a_cell_that_ran_out_of_time_is_named_on_the_page(grade, solved):
    output = grade(solved.replace("return x + x", "return x  # loops"))
    assert "double ran out of time" in page(output)


def nbgrader(root, *arguments):
    environment = os.environ | {"PATH": os.defpath}  # as where the environment was not activated
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=280)


@pytest.mark.sandbox
def test_plain_nbgrader_gives_the_same_points(course, hand_in, solved, blank, tmp_path):
    wrong = solved.replace("return x + x", "return x")
    for student, text in {"ada": solved, "ben": wrong, "cas": "{", "dan": "\ufeff" + solved, "eva": blank}.items():
        folder = hand_in(student, text)
    Run(course, tmp_path / "ours").grade(folder)
    (course / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text("utf-8"), encoding="utf-8")
    plain = nbgrader(course, "autograde", NAME, f"--CourseDirectory.submitted_directory={folder}")
    assert plain.returncode == 0, plain.stderr
    theirs = dump(course / "grades" / "gradebook.db")
    assert theirs == dump(tmp_path / "ours" / "gradebook.db")
    assert [theirs[f"{NAME}/{student}"]["score"] for student in ("ada", "ben", "cas")] == [4.5, 2.5, 0.0]


@pytest.mark.sandbox
def test_plain_nbgrader_grades_nothing_without_a_sandbox(course, hand_in, solved, monkeypatch, tmp_path):
    folder = hand_in("ada", solved)
    (tmp_path / "bin").mkdir()
    for tool in ("alembic", "prlimit", "env"):
        found = subprocess.run(["which", tool], capture_output=True, text=True).stdout.strip()
        (tmp_path / "bin" / tool).symlink_to(found or Path(sys.executable).parent / tool)
    (course / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text("utf-8"), encoding="utf-8")
    command = [sys.executable, "-m", "nbgrader", "autograde", NAME]
    command.append(f"--CourseDirectory.submitted_directory={folder}")
    command.append(f"--CourseDirectory.db_url=sqlite:///{tmp_path / 'none.db'}")
    environment = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    plain = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True, timeout=280)
    assert plain.returncode == 1
    assert "Nothing was graded" in plain.stderr
    assert "bwrap" in plain.stderr
    assert not (tmp_path / "none.db").exists()
