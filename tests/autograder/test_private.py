"""Nobody else on the machine reads learners' work, and no `git add --all` takes it along."""

import shutil
import subprocess
from pathlib import Path

import pytest
from small_course import NAME, FakeJudge, make

from autograder.authoring import build
from autograder.grading.grading_run import Run
from autograder.private import make_private
from autograder.submissions.lms_import import Rules, collect

ROOT = Path(__file__).resolve().parents[2]
LEARNERS = (
    "submitted/ada/05_scorers/05_scorers.ipynb",
    "downloaded/05_scorers/archive/class.zip",
    "grades/gradebook.db",
    "grades/spring/state.db",
    "grades/feedback/ada/05_scorers/05_scorers.html",
    "grades/exports/canvas.csv",
    *("grades.csv", "import.csv", "canvas.csv", "moodle.csv", "worksheet.csv", "Grades-course.csv"),
    *("gradescope/05_scorers/ada/results.json", "jplag/05_scorers/base/x.py", "dolos/05_scorers/base/x.py"),
    *("results.json", "report.json", "gradebook.db", "gradebook.db-journal", "state.db-wal"),
)


@pytest.fixture(params=["the project", "a course of one's own"])
def repository(request, tmp_path):
    if request.param == "the project":
        shutil.copy(ROOT / ".gitignore", tmp_path)
    else:
        make(tmp_path)
        build.build(tmp_path)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


def test_learners_work_is_not_published(repository):
    for name in LEARNERS:
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text("learner's")
    (repository / "solutions").mkdir(exist_ok=True)
    (repository / "solutions" / "own.py").write_text("")
    subprocess.run(["git", "-C", repository, "add", "--all"], check=True, capture_output=True)
    added = subprocess.run(["git", "-C", repository, "ls-files"], check=True, capture_output=True, text=True).stdout
    assert "solutions/own.py" in added.splitlines()
    assert set(added.splitlines()) & set(LEARNERS) == set()


def test_what_an_instructor_ignores_is_left_as_it_is(tmp_path):
    make(tmp_path)
    (tmp_path / ".gitignore").write_text("mine\n")
    build.build(tmp_path)
    assert (tmp_path / ".gitignore").read_text() == "mine\n"


def test_no_file_of_the_project_is_ignored():
    done = subprocess.run(
        ["git", "ls-files", "--ignored", "--cached", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout == ""


def is_closed(folder):
    return folder.stat().st_mode & 0o077 == 0


def test_grades_are_for_their_owner_alone(course, solved, tmp_path):
    place = tmp_path / "submitted" / "ada" / NAME
    place.mkdir(parents=True)
    (place / f"{NAME}.ipynb").write_text(solved)
    Run(course, tmp_path / "new" / "grades", maker=FakeJudge, seed=1).grade(tmp_path / "submitted")
    grades = tmp_path / "new" / "grades"
    assert is_closed(grades)
    assert all(is_closed(path) for path in grades.iterdir() if path.is_file())


def test_what_is_collected_is_for_its_owner_alone(course, solved, tmp_path):
    (tmp_path / "download").mkdir()
    (tmp_path / "download" / f"lovelaceada_2001_311_{NAME}.ipynb").write_text(solved)
    collect([tmp_path / "download"], tmp_path / "submitted", "canvas", Rules([NAME]))
    made = [tmp_path / "submitted", *(tmp_path / "submitted").rglob("*")]
    assert len(made) >= 4
    assert all(map(is_closed, made))


def test_a_folder_that_is_there_keeps_its_rights(tmp_path):
    (tmp_path / "shared").mkdir(mode=0o755)
    make_private(tmp_path / "shared" / "in" / "it")
    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755
    assert is_closed(tmp_path / "shared" / "in")
