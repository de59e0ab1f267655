"""The sample class: made as its script says, graded as it deserves, and told by nbgrader what is missing."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading.grading_run import Run

ROOT = Path(__file__).resolve().parents[2]
DESERVED = {  # status and points of everybody but those who have everything
    **{"emil": ("failed", 18), "fatima": ("failed", 16), "goran": ("failed", 13), "hana": ("failed", 6)},
    **{"ivan": ("timeout", 18), "jun": ("crashed", 20), "kofi": ("unreadable", 0), "mateo": ("failed", 18)},
    **{"omar": ("failed", 0), "pilar": ("failed", 0), "quentin": ("failed", 16)},
}
ALL_RIGHT = ("ada", "boris", "chen", "dalia", "lena", "nora", "rosa")


def test_the_submissions_are_what_the_answers_make_of_the_exercise_now_and_the_first_leaves_no_stub(capsys):
    spec = importlib.util.spec_from_file_location("make", ROOT / "sample_class" / "make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    assert make.main(check=True) == 0, capsys.readouterr().out
    assert make.STUB not in str(make.compose("ada"))


@pytest.mark.sandbox
@pytest.mark.timeout(600)
def test_the_class_gets_the_points_that_it_deserves(tmp_path):
    graded = Run(ROOT, tmp_path / "grades", workers=2, seed=20).grade(ROOT / "sample_class" / "submitted")
    assert {one.handed.student: (one.verdict.status, one.verdict.points) for one in graded} == (
        DESERVED | dict.fromkeys(ALL_RIGHT, ("ok", 20))
    )


def test_nbgrader_validate_tells_of_a_blank_exercise_what_is_missing_in_a_line_a_check(tmp_path):
    line = [sys.executable, "-m", "nbgrader", "validate", "00_attention.ipynb"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    released = ROOT / "sample_class" / "released"
    done = subprocess.run(line, cwd=released, capture_output=True, text=True, timeout=1500, env=environment)
    assert done.returncode == 0, done.stderr  # whatever it finds
    assert "VALIDATION FAILED ON 10 CELL(S)!" in done.stdout
    messages = re.findall(r"^ +(✗ .*)$", done.stdout, flags=re.MULTILINE)
    assert len(messages) == 10
    assert all(message.endswith("not written yet.") for message in messages)
    assert "Traceback" not in done.stdout
