"""``nbgrader autograde`` grades who can be graded, names who cannot, and says nothing that nobody can act upon."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_course import NAME, make

from autograder.authoring import build

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """
import sys
sys.path[:0] = [{root!r}, {tests!r}]
from pathlib import Path
import autograder.judging.judge
import small_course
from autograder.settings import settings

autograder.judging.judge.Judge = small_course.FakeJudge
course = Path({course!r})
c = get_config()
c.merge(settings(course, course / "grades"))
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The course, and what the command said of a class in which some are called badly."""
    course = make(tmp_path_factory.mktemp("named") / "course")
    build.build(course)
    text = (course / "build" / "source" / NAME / f"{NAME}.ipynb").read_bytes()
    for student in ("ada", "b\nen", os.fsdecode(b"c\xff"), "d" * 251, "e\x1b[31m", "zoe"):
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(text)
    (course / "submitted" / "fay").symlink_to(course / "submitted" / "ada")
    (course / "grades").mkdir()
    config = CONFIG.format(root=str(ROOT), tests=str(ROOT / "tests"), course=str(course))
    (course / "nbgrader_config.py").write_text(config)
    line = [sys.executable, "-m", "nbgrader", "autograde", NAME]
    environment = {**os.environ, "HOME": str(course)}
    return course, subprocess.run(line, cwd=course, env=environment, capture_output=True, text=True, timeout=120)


def test_the_others_are_graded(done):
    assert sorted(os.listdir(done[0] / "grades" / "autograded")) == ["ada", "zoe"]


def test_who_is_left_out_is_named_and_the_command_fails(done):
    said = done[1].stderr
    assert done[1].returncode == 1
    for start, reason in {
        r"'b\nen'": "its name has characters that cannot be printed",
        r"'c\udcff'": "its name is not UTF-8",
        "'dddd": "its name has 251 characters, at most 128 fit into a gradebook",
        r"'e\x1b[31m'": "its name has characters that cannot be printed",
        "'fay'": "it is a link, expected a folder",
    }.items():
        assert [line for line in said.splitlines() if f"Left out {start}" in line and reason in line], said


def test_no_name_commands_the_terminal(done):
    assert "\x1b" not in done[1].stdout + done[1].stderr


def test_nothing_is_said_of_how_nbgrader_builds_its_rows(done):
    assert "SAWarning" not in done[1].stderr
