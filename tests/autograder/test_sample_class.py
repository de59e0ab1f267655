import importlib.util
import json
from pathlib import Path

import pytest

from autograder.grading.grading_run import Run

ROOT = Path(__file__).resolve().parents[2]
NAME = "00_attention"

EXPECTED = {
    "ada": ("ok", 20),
    "boris": ("ok", 20),
    "chen": ("ok", 20),
    "dalia": ("ok", 20),
    "emil": ("failed", 18),
    "fatima": ("failed", 16),
    "goran": ("failed", 14),
    "hana": ("failed", 6),
    "ivan": ("timeout", 18),
    "jun": ("crashed", 20),
    "kofi": ("unreadable", 0),
    "lena": ("ok", 20),
    "mateo": ("failed", 18),
    "nora": ("ok", 20),
    "omar": ("failed", 0),
    "pilar": ("failed", 0),
    "quentin": ("failed", 16),
    "rosa": ("ok", 20),
}


@pytest.fixture(scope="module")
def make():
    spec = importlib.util.spec_from_file_location("make", ROOT / "sample_class" / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_submissions_are_what_the_answers_make_of_the_exercise_now(make, capsys):
    assert make.main(check=True) == 0, capsys.readouterr().out


def test_every_answer_of_the_first_student_fills_a_stub(make):
    source = json.dumps(make.compose("ada"))
    assert make.STUB not in source


@pytest.mark.sandbox
@pytest.mark.timeout(600)
def test_the_class_gets_the_points_that_it_deserves(tmp_path):
    graded = Run(ROOT, tmp_path / "grades", workers=2, seed=20).grade(ROOT / "sample_class" / "submitted")
    assert {one.handed.student: (one.verdict.status, one.verdict.points) for one in graded} == EXPECTED
