import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import small_course
from nbgrader.api import Gradebook
from small_course import NAME, FakeJudge

from autograder.__main__ import main
from autograder.authoring import build
from autograder.grading.grading_run import Run
from tests.gradebook_dump import dump

ROOT = Path(__file__).resolve().parents[2]
DUE, LATE, IN_TIME = "2026-11-20 12:00:00 UTC", "2026-11-20 13:30:00 UTC", "2026-11-20 11:59:00 UTC"

ZERO = 'c.LateSubmissionPlugin.penalty_method = "zero"\n'
OWN = """
import sys, pathlib
sys.path.insert(0, str(pathlib.Path(__file__).parent))
c.AssignLatePenalties.plugin_class = "late_by_the_hour.PerHour"
c.PerHour.points = 0.5
"""
OWN_CLASS = """
from nbgrader.plugins import BasePlugin
from traitlets import Float

class PerHour(BasePlugin):
    points = Float(1.0).tag(config=True)

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return self.points * -(-total_seconds_late // 3600)
"""


@pytest.fixture
def own_course(tmp_path):
    """A course whose settings a test may change."""
    root = small_course.make(tmp_path / "course")
    build.build(root)
    return root


@pytest.fixture
def grade(own_course, solved, tmp_path):
    """Grades Ada, who was late, and Ben, who was not, under a configuration → what the gradebook says of them."""
    for student, when in {"ada": LATE, "ben": IN_TIME}.items():
        folder = tmp_path / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(solved, encoding="utf-8")
        (folder / "timestamp.txt").write_text(when, encoding="utf-8")

    def grade(config="", due=DUE):
        (own_course / "nbgrader_config.py").write_text(f"c = get_config()\n{config}", encoding="utf-8")
        job = Run(own_course, tmp_path / "out", maker=FakeJudge, seed=1)
        if not (tmp_path / "out").exists():
            job.grade(tmp_path / "submitted")
        if due:
            change(tmp_path, lambda gradebook: gradebook.update_or_create_assignment(NAME, duedate=due))
        again = job.grade(tmp_path / "submitted")
        assert all(one.reused for one in again)
        book = dump(tmp_path / "out" / "gradebook.db")
        return {student: book[f"{NAME}/{student}"]["penalties"] for student in ("ada", "ben")}

    return grade


def change(folder, how):
    with Gradebook(f"sqlite:///{folder / 'out' / 'gradebook.db'}") as gradebook:
        how(gradebook)
        gradebook.db.commit()


def told(tmp_path, student="ada"):
    assert main(["feedback", "--output", str(tmp_path / "out"), "--format", "json"]) == 0
    return json.loads((tmp_path / "out" / "feedback" / student / NAME / f"{NAME}.json").read_text(encoding="utf-8"))


def test_without_a_rule_late_work_costs_nothing_and_is_called_late(grade, tmp_path):
    assert grade() == {"ada": [None], "ben": [None]}
    assert (told(tmp_path)["score"], told(tmp_path)["seconds_late"]) == (4.5, 5400.0)


def test_nbgraders_own_rule_takes_all(grade, tmp_path):
    assert grade(ZERO) == {"ada": [4.5], "ben": [None]}
    assert (told(tmp_path)["points"], told(tmp_path)["score"]) == (4.5, 0.0)
    assert "4.5 less a late penalty of 4.5 (1 hour 30 minutes late)" in page(tmp_path)


def page(tmp_path):
    return (tmp_path / "out" / "feedback" / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")


def test_a_class_of_the_course_can_be_the_rule(grade, own_course, tmp_path):
    (own_course / "late_by_the_hour.py").write_text(OWN_CLASS, encoding="utf-8")
    assert grade(OWN) == {"ada": [1.0], "ben": [None]}
    assert told(tmp_path)["score"] == 3.5


def test_another_rule_or_date_counts_without_judging_anew(grade):
    assert grade(ZERO, due="") == {"ada": [None], "ben": [None]}
    assert grade(ZERO) == {"ada": [4.5], "ben": [None]}
    assert grade("") == {"ada": [None], "ben": [None]}


def test_an_extension_of_the_date_is_kept(grade, tmp_path):
    assert grade(ZERO)["ada"] == [4.5]
    change(tmp_path, lambda gradebook: gradebook.grant_extension(NAME, "ada", hours=2))
    assert grade(ZERO)["ada"] == [None]
    assert told(tmp_path)["score"] == 4.5


@pytest.mark.sandbox
def test_plain_nbgrader_takes_off_the_same(own_course, grade, tmp_path):
    ours = grade(ZERO)
    config = (
        (ROOT / "nbgrader_config.py").read_text("utf-8").replace('penalty_method = "none"', 'penalty_method = "zero"')
    )
    (own_course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    (own_course / "grades").mkdir()
    with Gradebook(f"sqlite:///{own_course / 'grades' / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate=datetime.datetime(2026, 11, 20, 12))
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "nbgrader", "autograde", NAME]
    command.append(f"--CourseDirectory.submitted_directory={tmp_path / 'submitted'}")
    done = subprocess.run(command, cwd=own_course, env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    theirs = dump(own_course / "grades" / "gradebook.db")
    assert {student: theirs[f"{NAME}/{student}"]["penalties"] for student in ("ada", "ben")} == ours
