"""The command that instructors run, on every exercise of the course: solved by one learner, untouched by another."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(1200)  # the first test's includes grading them all

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(path.stem for path in (ROOT / "solutions").glob("[0-9]*.py"))


def rows(*words: object) -> dict[tuple[str, str], dict]:
    """(student, assignment) → what a command reports by ``--json``."""
    command = [sys.executable, "-m", "autograder", *map(str, words), "--json"]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return {(one["student"], one["assignment"]): one for one in json.loads(done.stdout)["submissions"]}


def full(one: dict) -> bool:
    return one["status"] == "ok" and one["points"] == one["max_points"] > 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("class")


@pytest.fixture(scope="module")
def graded(folder: Path) -> dict[tuple[str, str], dict]:
    for student, source in {"solves": "build/source", "leaves": "exercises"}.items():
        for name in NAMES:
            place = folder / "submitted" / student / name
            place.mkdir(parents=True)
            shutil.copy(ROOT / source / name / f"{name}.ipynb", place)
    return rows("grade", folder / "submitted", "--output", folder / "out")


def test_what_is_solved_has_all_points_and_what_is_untouched_none(graded):
    assert {name for _, name in graded} == set(NAMES)
    missed = {name: one["checks"] for (who, name), one in graded.items() if who == "solves" and not full(one)}
    assert missed == {}
    assert {name: one["points"] for (who, name), one in graded.items() if who == "leaves" and one["points"]} == {}


def test_a_regrade_changes_nothing(graded, folder: Path):
    again = rows("regrade", "--output", folder / "out", "--assignment", "02_encoder_decoder", "--student", "solves")
    assert [(key, one["same"]) for key, one in again.items()] == [(("solves", "02_encoder_decoder"), True)]
