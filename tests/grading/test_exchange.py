"""nbgrader's exchange, walked as the instructors' page says, with two learners and ``grade``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_course import NAME, make

from autograder.assignments import build
from autograder.settings import STUB

ROOT = Path(__file__).resolve().parents[2]
RIGHT = {"ada": "return x + x", "ben": "return x"}
EXCHANGE = """\
c = get_config()
c.Exchange.root = {exchange!r}
c.CourseDirectory.course_id = "attention"
"""
COURSE = """\
from pathlib import Path
from autograder.settings import settings
c = get_config()
c.merge(settings(Path({course!r}), Path({course!r}, "grades")))
"""


def run(folder: Path, *command: str) -> str:
    environment = os.environ | {"HOME": str(folder), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.mark.sandbox
@pytest.mark.long("every way to grade")
def test_what_is_collected_and_graded_is_released_to_each_learner_alone(tmp_path):
    course = make(tmp_path / "course")
    build.build(course)
    (course / "grades").mkdir(mode=0o700)
    exchange = tmp_path / "exchange"
    exchange.mkdir(mode=0o777)
    exchange.chmod(0o777)
    text = EXCHANGE.format(exchange=str(exchange))
    (course / "nbgrader_config.py").write_text(COURSE.format(course=str(course)) + text)
    run(course, "nbgrader", "release_assignment", NAME)
    for learner, line in RIGHT.items():
        home = tmp_path / learner
        home.mkdir()
        (home / "nbgrader_config.py").write_text(text)
        run(home, "nbgrader", "fetch_assignment", NAME)
        notebook = home / NAME / f"{NAME}.ipynb"
        notebook.write_text(notebook.read_text().replace(json.dumps(STUB.splitlines()[-1])[1:-1], line, 1))
        run(home, "nbgrader", "submit", NAME, "--student", learner)
    run(course, "nbgrader", "collect", NAME)
    run(course, "autograder", "grade", "submitted", "--root", str(course), "--output", "grades")
    secrets = [*(course / "grades").rglob("submission_secret.txt")]
    assert len(secrets) == 2 * len(RIGHT)
    assert {path.stat().st_mode & 0o777 for path in secrets} == {0o600}
    for command in (("regrade", "--seed", "7"), ("feedback",)):  # what an instructor may do in between
        run(course, "autograder", *command, "--root", str(course), "--output", "grades")
    run(course, "nbgrader", "release_feedback", NAME)
    pages = [*exchange.rglob("feedback/*.html")]  # with the rights that they had in the instructor's own folder
    assert [path.stat().st_mode & 0o777 for path in pages] == [0o644] * len(RIGHT)
    for learner, points in (("ada", "2"), ("ben", "0")):
        run(tmp_path / learner, "nbgrader", "fetch_feedback", NAME, "--student", learner)
        (page,) = (tmp_path / learner).rglob("feedback/*/*.html")
        assert learner in page.read_text()
        assert f"{points} of 4.5" in page.read_text()
