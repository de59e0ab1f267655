"""The sample class: made as its script says, and graded as it deserves."""

import importlib.util
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
    given = {submission.handed.student: (submission.verdict.status, submission.verdict.points) for submission in graded}
    assert given == DESERVED | dict.fromkeys(ALL_RIGHT, ("ok", 20))
